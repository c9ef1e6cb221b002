import type { Judgement } from '../equivalence/judgement.js'
import type { Finding, Verdict } from '../match/verdict.js'
import type { CheckReport, ReportedRun } from './check-report.js'
import type { Colors, Paint } from './colors.js'
import { printable } from './printable.js'
import type { Reporter } from './reporter.js'
import { alignColumns, count, percent, wrapTo } from './text-layout.js'

export interface ListOptions {
  readonly colors: Colors
  /** Columns of the terminal; longer sentences are wrapped. */
  readonly columns?: number
}

/** For people: a block of lines for each run as it is judged, and one line that sums up. */
export function listReporter(write: (text: string) => void, options: ListOptions): Reporter {
  return {
    name: 'list',
    runEnd: (result) => write(`${runBlock(result, options).join('\n')}\n\n`),
    end: (report) => write(`${summaryLines(report, options.colors).join('\n')}\n`),
  }
}

/** What is to be told of one run. Says the same with and without colours. */
export function runBlock(result: ReportedRun, { colors, columns = 100 }: ListOptions): string[] {
  const { verdict } = result
  const paint = colors[LOOK[verdict].paint]
  const head = `${LOOK[verdict].mark} ${printable(result.run)}  ${LOOK[verdict].word}`
  const lines = [`${paint(LOOK[verdict].mark)} ${colors.bold(printable(result.run))}  ${paint(LOOK[verdict].word)}`]
  const indented = (text: string, look: (text: string) => string = (same) => same, indent = '  ') => {
    for (const line of wrapTo(text, columns - indent.length)) lines.push(`${indent}${look(line)}`)
  }
  const reason = printable(result.reason, 1000)
  if (head.length + 2 + reason.length <= columns) lines[0] += `  ${reason}`
  else indented(reason)
  if (verdict !== 'error') indented(facts(result), colors.dim)
  const claim = claimRemark(result)
  if (claim !== null) indented(claim, colors.yellow)
  for (const finding of result.findings) {
    const said = printable(finding.message, 1000)
    const head = `${place(finding)}${finding.kind}`
    indented(said !== '' && reason.startsWith(said) ? `- ${head} (see above)` : `- ${head}: ${said}`)
    for (const line of evidence(finding)) indented(line, colors.dim, '      ')
  }
  if (result.cause && (result.cause.kind !== 'unknown' || result.cause.evidence.length > 0)) {
    const { kind, confidence, evidence } = result.cause
    indented(`Likely cause: ${printable(kind)} (${percent(confidence)})`)
    for (const line of evidence) indented(printable(line), colors.dim, '      ')
  }
  for (const warning of result.warnings) indented(`Warning: ${printable(warning)}`, colors.yellow)
  return lines
}

/** In the manner of jest: "Runs:  1 failed, 1 passed, 2 total". */
export function summaryLines({ summary, runs, model }: CheckReport, colors: Colors): string[] {
  const parts = WORST_FIRST.filter((verdict) => summary[verdict] > 0).map((verdict) =>
    colors[LOOK[verdict].paint](`${summary[verdict]} ${LOOK[verdict].past(summary[verdict])}`),
  )
  const rows = [[colors.bold('Runs:'), [...parts, `${runs.length} total`].join(', ')]]
  if (model !== null) rows.push([colors.bold('Model:'), printable(model)])
  return alignColumns(rows)
}

/**
 * The agent's own word where it goes against the verdict: a false success, or success that was not noticed.
 * null where there is nothing to remark.
 */
export function claimRemark({ claimed, verdict }: { claimed: string | null; verdict: Verdict }): string | null {
  if (claimed === null || (verdict !== 'pass' && verdict !== 'fail') || claimed === verdict) return null
  if (verdict === 'fail' && claimed === 'pass') return 'The agent claimed pass: a false success.'
  if (verdict === 'pass' && claimed === 'fail') return 'The agent claimed fail, but did what the task asks.'
  return `The agent claimed "${printable(claimed, 60)}".`
}

/** Mark, word and colour of a verdict: three ways to say it, so that nobody depends on one. */
export const LOOK: Record<Verdict, { mark: string; word: string; paint: Paint; past: (n: number) => string }> = {
  pass: { mark: '✓', word: 'PASS', paint: 'green', past: () => 'passed' },
  fail: { mark: '✗', word: 'FAIL', paint: 'red', past: () => 'failed' },
  inconclusive: { mark: '?', word: 'INCONCLUSIVE', paint: 'yellow', past: () => 'inconclusive' },
  error: { mark: '!', word: 'ERROR', paint: 'red', past: (n) => (n === 1 ? 'error' : 'errors') },
}

const WORST_FIRST: readonly Verdict[] = ['error', 'fail', 'inconclusive', 'pass']

function facts({ coverage, terminal, steps, claimed, outcome }: ReportedRun): string {
  return [
    `coverage ${coverage.matched}/${coverage.total}`,
    terminal.matched ? 'ends where it should' : 'does not end where it should',
    count(steps, 'step'),
    ...(claimed === null ? [] : [`agent claimed ${printable(claimed, 30)}`]),
    ...(outcome === null ? [] : [`runner said ${outcome}`]),
  ].join(' · ')
}

function place({ step }: Finding): string {
  return step === null ? '' : `step ${step}, `
}

function evidence({ action, nearest }: Finding): string[] {
  const lines: string[] = []
  if (action !== undefined && action !== '') lines.push(`after ${printable(action, 120)}`)
  if (nearest) lines.push(`nearest: step ${nearest.step}, ${judgementLine(nearest.judgement)}`)
  return lines
}

/** A judgement as half a sentence: answer, tier, reason and the numbers that were looked at. */
export function judgementLine({ answer, tier, reason, measures, limit }: Judgement): string {
  const numbers = Object.entries(measures).map(([name, value]) => `${printable(name, 40)} ${short(value)}`)
  const decided = limit === undefined ? [] : [`limit: ${printable(limit, 120)}`]
  const detail = [...numbers, ...decided].join(', ')
  return `${answer} (${tier}): ${printable(reason)}${detail === '' ? '' : ` [${detail}]`}`
}

function short(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)))
}
