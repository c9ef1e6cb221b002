import { InputError } from './input-error.js'
import { judgeRun } from './match/judge-run.js'
import { ModelIndex } from './match/model-index.js'
import type { Finding, RunResult } from './match/verdict.js'
import type { Model } from './model/model.js'
import { Fingerprinter } from './state/fingerprinter.js'
import { statesOfTrace } from './state/states-of-trace.js'
import type { Trace } from './trace/trace.js'

export interface CheckOptions {
  /** Reads pictures; pass one with a cache to decode no picture twice. */
  readonly fingerprinter?: Fingerprinter
  /** Share of the essential states that is enough, above 0 to 1; default 1. */
  readonly minCoverage?: number
  /** Require one of each set of alternatives too. */
  readonly strict?: boolean
  /** Called as observations are read, for progress bars. */
  readonly onProgress?: (done: number, total: number) => void
}

const indices = new WeakMap<Model, ModelIndex>()

/**
 * Judges one run against a model.
 *
 * Throws InputError for a run without steps or with a picture that cannot be used, RangeError for options out of range.
 */
export async function check(run: Trace, model: Model, options: CheckOptions = {}): Promise<RunResult> {
  const { minCoverage = 1, strict = false } = options
  if (!(minCoverage > 0 && minCoverage <= 1)) {
    throw new RangeError(`minCoverage must be above 0 and at most 1, not ${minCoverage}`)
  }
  if (run.steps.length === 0) {
    throw new InputError('run-empty', 'The run has no steps', { file: run.folder }, 'Record at least its last screen.')
  }
  let index = indices.get(model)
  if (index === undefined) indices.set(model, (index = new ModelIndex(model)))
  let done = 0
  const states = await statesOfTrace(run, options.fingerprinter ?? new Fingerprinter(), () =>
    options.onProgress?.(++done, run.steps.length),
  )
  const judged = judgeRun(index, states, { minCoverage, strict })
  return {
    run: run.name,
    verdict: judged.verdict,
    reason: judged.reason,
    claimed: run.end?.claimed ?? null,
    outcome: run.outcome,
    coverage: judged.coverage,
    terminal: judged.terminal,
    missing: judged.missing,
    findings: [...judged.findings, ...unfinished(run)],
    cause: judged.verdict === 'fail' ? { kind: 'unknown', confidence: 0, evidence: [] } : null,
    alignment: judged.alignment,
    judgements: judged.judgements,
    steps: run.steps.length,
    warnings: run.warnings,
  }
}

/** A native trace without an `end` line was cut off; a bare folder of images cannot say. */
function unfinished(run: Trace): Finding[] {
  if (run.format !== 'native' || run.end !== undefined) return []
  const step = run.steps[run.steps.length - 1]!.index
  return [{ kind: 'unfinished', step, message: `The recording stops after step ${step} without an end line` }]
}
