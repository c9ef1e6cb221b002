import { VERDICTS, type Verdict } from '../match/verdict.js'

/** One run of which the truth is known, with what was said of it. */
export interface Judged {
  readonly label: 'pass' | 'fail'
  readonly verdict: Verdict
}

/** Label -> verdict -> number of runs. */
export type Confusion = { readonly [label in Judged['label']]: { readonly [verdict in Verdict]: number } }

/**
 * How good verdicts are, with `fail` as the positive class: what is to be found. A verdict may be missing (inconclusive,
 * error), so there are two accuracies. Ratios of nothing by nothing are null.
 */
export interface Metrics {
  readonly runs: number
  readonly confusion: Confusion
  /** Runs with the verdict pass or fail. */
  readonly decided: number
  readonly decidedShare: number | null
  /** Right verdicts of all runs: what was not decided counts as wrong. */
  readonly accuracy: number | null
  /** Right verdicts of those decided. */
  readonly accuracyOfDecided: number | null
  /** Of the runs called fail, those that are. */
  readonly precision: number | null
  /** Of the failing runs, those called fail. */
  readonly recall: number | null
  /** Harmonic mean of precision and recall. */
  readonly f1: number | null
}

export function metrics(judged: readonly Judged[]): Metrics {
  const none = () => Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  const confusion = { pass: none(), fail: none() }
  for (const { label, verdict } of judged) confusion[label][verdict]++
  const right = confusion.pass.pass + confusion.fail.fail
  const calledFail = confusion.pass.fail + confusion.fail.fail
  const decided = right + confusion.pass.fail + confusion.fail.pass
  const failing = judged.filter(({ label }) => label === 'fail').length
  return {
    runs: judged.length,
    confusion,
    decided,
    decidedShare: ratio(decided, judged.length),
    accuracy: ratio(right, judged.length),
    accuracyOfDecided: ratio(right, decided),
    precision: ratio(confusion.fail.fail, calledFail),
    recall: ratio(confusion.fail.fail, failing),
    // 2PR / (P + R) without its own division of nothing by nothing
    f1: ratio(2 * confusion.fail.fail, calledFail + failing),
  }
}

/** Whether a verdict was decided, and right. null when it was not decided. */
export function isRight({ label, verdict }: Judged): boolean | null {
  return verdict === 'pass' || verdict === 'fail' ? verdict === label : null
}

/** An agent's own claim, taken as a verdict: the baseline that an oracle has to beat. */
export function claimAsVerdict(claimed: string | null | undefined): Verdict {
  return claimed === 'pass' || claimed === 'fail' ? claimed : 'inconclusive'
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
