import { combineVerdicts, type Finding, type RunResult, VERDICTS, type Verdict } from '../match/verdict.js'

/** What `check --json` prints. The order of the fields is part of the format. */
export interface CheckReport {
  readonly schema: 'trace-oracle/check@1'
  readonly verdict: Verdict
  /**
   * Folder of the model; null when there were several, each run judged by that of its task
   * (`runs[].model`), or none.
   */
  readonly model: string | null
  readonly runs: readonly ReportedRun[]
  readonly summary: { readonly [verdict in Verdict]: number }
  readonly cost: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number }
}

export type ReportedRun = RunResult & { readonly model?: string }

export function checkReport(results: readonly ReportedRun[]): CheckReport {
  const models = new Set(results.flatMap(({ model }) => model ?? []))
  const summary: Record<Verdict, number> = { pass: 0, fail: 0, inconclusive: 0, error: 0 }
  for (const { verdict } of results) summary[verdict]++
  return {
    schema: 'trace-oracle/check@1',
    verdict: combineVerdicts(VERDICTS.filter((verdict) => summary[verdict] > 0)),
    model: models.size === 1 ? [...models][0]! : null,
    runs: results.map(inOrder),
    summary,
    cost: { calls: 0, inputTokens: 0, outputTokens: 0 },
  }
}

/** What `check` says of a run that could not be judged. */
export function errorResult(
  run: string,
  error: NonNullable<RunResult['error']>,
  known: Partial<RunResult> = {},
): RunResult {
  return {
    run,
    verdict: 'error',
    reason: error.message,
    claimed: null,
    outcome: null,
    coverage: { matched: 0, total: 0, ratio: 0 },
    terminal: { matched: false, expected: null },
    missing: [],
    findings: [],
    cause: null,
    alignment: [],
    judgements: { exact: 0, visual: 0, text: 0, stored: 0, asked: 0 },
    steps: 0,
    warnings: [],
    ...known,
    error,
  }
}

function inOrder(result: ReportedRun): ReportedRun {
  const {
    run,
    verdict,
    claimed,
    outcome,
    coverage,
    terminal,
    missing,
    findings,
    cause,
    alignment,
    judgements,
    ...rest
  } = result
  const first = { run, verdict, claimed, outcome, coverage, terminal, missing, findings: findings.map(findingInOrder) }
  return { ...first, cause, alignment, judgements, ...rest }
}

function findingInOrder({ kind, step, state, message, ...rest }: Finding): Finding {
  return { kind, step, ...(state !== undefined && { state }), message, ...rest }
}
