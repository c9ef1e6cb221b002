import type { RunResult } from './match/verdict.js'
import type { Model } from './model/model.js'
import type { Fingerprinter } from './state/fingerprinter.js'
import type { Trace } from './trace/trace.js'

export interface CheckOptions {
  readonly fingerprinter?: Fingerprinter
  /** Share of the essential states that is enough, 0 to 1; default 1. */
  readonly minCoverage?: number
  /** Require one of each set of alternatives too. */
  readonly strict?: boolean
  readonly onProgress?: (done: number, total: number) => void
}

/** Judges one run against a model. Unreadable pictures throw InputError; the caller turns that into an `error` verdict. */
export async function check(_run: Trace, _model: Model, _options: CheckOptions = {}): Promise<RunResult> {
  throw new Error('in work')
}
