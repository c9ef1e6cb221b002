import { basename } from 'node:path'
import { InputError } from '../input-error.js'
import { findTraces, nameTraces } from '../trace/find-traces.js'
import { LABELS_FILE } from '../trace/labels.js'
import { readTraces } from '../trace/read-trace.js'
import type { Trace } from '../trace/trace.js'

/** A path that holds runs, with a name that tells it from the others; or what is wrong with it. */
export interface FoundRun {
  readonly path: string
  readonly name: string
  readonly error?: InputError
}

/** The runs that the operands mean, named. Throws the InputErrors of `findTraces`. */
export async function findRuns(operands: readonly string[]): Promise<FoundRun[]> {
  return named(await findTraces(operands), [])
}

/** The same, but where there are several operands, a bad one does not spoil the others: it comes back with its error. */
export async function findRunsOrErrors(operands: readonly string[]): Promise<FoundRun[]> {
  try {
    return await findRuns(operands)
  } catch (error) {
    if (!(error instanceof InputError) || operands.length === 1) throw error
  }
  const good: string[] = []
  const bad: { path: string; error: InputError }[] = []
  for (const operand of operands) {
    try {
      await findTraces([operand])
      good.push(operand)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      // A shell that expands `runs/*` names the labels beside the runs as well.
      if (basename(operand) !== LABELS_FILE) bad.push({ path: operand, error })
    }
  }
  return named(good.length === 0 ? [] : await findTraces(good), bad)
}

/** All traces at a path: one for most formats, many where a file holds a whole benchmark run. */
export async function readRuns({ path, name }: FoundRun): Promise<Trace[]> {
  const traces = await readTraces(path)
  if (traces.length === 1) return [{ ...traces[0]!, name }]
  return traces.map((trace) => ({ ...trace, name: `${name}/${trace.name}` }))
}

/** The error for a run in which nothing was recorded. */
export function emptyRun(trace: Trace): InputError {
  const advice = 'Record it again, or leave it out'
  return new InputError('run-empty', 'the run has no step: nothing was recorded', { file: trace.folder }, advice)
}

function named(paths: readonly string[], bad: readonly { path: string; error: InputError }[]): FoundRun[] {
  const names = nameTraces(paths)
  return [
    ...paths.map((path, i) => ({ path, name: names[i]! })),
    ...bad.map(({ path, error }) => ({ path, name: path, error })),
  ]
}
