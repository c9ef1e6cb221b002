import { learnAutomaton, sampleId } from './automaton/learn-automaton.js'
import { DEFAULT_LIMITS, type Limits } from './equivalence/limits.js'
import { locallyDistinct } from './equivalence/pair-tiers.js'
import { InputError } from './input-error.js'
import { learnActions } from './match/learn-actions.js'
import type { Model } from './model/model.js'
import { modelOfAutomaton } from './model/model-of-automaton.js'
import { Fingerprinter } from './state/fingerprinter.js'
import { statesOfTrace } from './state/states-of-trace.js'
import type { Trace } from './trace/trace.js'

export interface LearnOptions {
  /** Name of the model; default `model`. */
  readonly name?: string
  /** Reads pictures; pass one with a cache to decode no picture twice. */
  readonly fingerprinter?: Fingerprinter
  readonly limits?: Partial<Limits>
  /** Called as observations are read, for progress bars. */
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Learns what a correct run must show from passing traces. The order of the traces has no influence, and the same
 * recording given twice counts once.
 *
 * Throws InputError when there is no trace, a trace has no steps, or a picture cannot be used.
 */
export async function learn(traces: readonly Trace[], options: LearnOptions = {}): Promise<Model> {
  if (traces.length === 0) {
    throw new InputError('no-traces', 'No trace to learn from', undefined, 'Give at least one passing recording.')
  }
  const empty = traces.find((trace) => trace.steps.length === 0)
  if (empty !== undefined) {
    throw new InputError('trace-without-steps', 'The trace has no steps', { file: empty.folder }, 'Leave it out.')
  }
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const fingerprinter = options.fingerprinter ?? new Fingerprinter()
  const total = traces.reduce((sum, trace) => sum + trace.steps.length, 0)
  let done = 0
  const samples = new Map<string, { id: string; states: Awaited<ReturnType<typeof statesOfTrace>>; name: string }>()
  for (const trace of traces) {
    const states = await statesOfTrace(trace, fingerprinter, () => options.onProgress?.(++done, total))
    const id = sampleId(states)
    const known = samples.get(id)
    if (known === undefined || trace.name < known.name) samples.set(id, { id, states, name: trace.name })
  }
  const list = [...samples.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  const tasks = new Set(traces.map((trace) => trace.task).filter((task) => task !== undefined))
  const model = modelOfAutomaton(learnAutomaton(list, locallyDistinct(limits)), {
    name: options.name ?? 'model',
    task: tasks.size === 1 ? [...tasks][0]! : null,
    traces: list.map(({ id, name, states }) => ({ id, name, steps: states.length })),
    limits,
  })
  return learnActions(
    model,
    list.map((sample) => sample.states),
  )
}
