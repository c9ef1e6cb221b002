import type { RunResult } from '../match/verdict.js'
import type { CheckReport } from './check-report.js'

/** Consumes what happens during `check`; every hook may be left out. */
export interface Reporter {
  readonly name: string
  runEnd?(result: RunResult): void
  end?(report: CheckReport): void | Promise<void>
}

/**
 * Several reporters as one. A reporter that breaks must not stop the run or change its verdict: it is told to
 * `onBroken`, and left out from then on.
 */
export function multiplex(
  reporters: readonly Reporter[],
  onBroken: (name: string, error: unknown) => void,
): Required<Reporter> {
  const working = new Set(reporters)
  const giveUp = (reporter: Reporter, error: unknown) => {
    working.delete(reporter)
    onBroken(reporter.name, error)
  }
  return {
    name: reporters.map(({ name }) => name).join(','),
    runEnd(result) {
      for (const reporter of [...working]) {
        try {
          reporter.runEnd?.(result)
        } catch (error) {
          giveUp(reporter, error)
        }
      }
    },
    async end(report) {
      for (const reporter of [...working]) {
        try {
          await reporter.end?.(report)
        } catch (error) {
          giveUp(reporter, error)
        }
      }
    },
  }
}
