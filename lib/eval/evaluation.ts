import type { Verdict } from '../match/verdict.js'
import type { CurvePoint } from './learning-curve.js'
import { claimAsVerdict, isRight, type Metrics, metrics } from './metrics.js'

/** What `eval --json` prints. */
export interface Evaluation {
  readonly schema: 'trace-oracle/eval@1'
  readonly labels: string
  /** Name of the model that was given; null when models were learned. */
  readonly model: string | null
  /** Names of the runs to learn from, in the order that the draws of the curve refer to. */
  readonly training: readonly string[]
  readonly runs: readonly EvaluatedRun[]
  /** Null when there is only a learning curve. */
  readonly metrics: Metrics | null
  /** The agents' own claims, taken as verdicts on the same runs. */
  readonly claims: Metrics
  readonly curve: { readonly seed: number; readonly repeats: number; readonly points: readonly CurvePoint[] } | null
}

export interface LabelledRun {
  readonly run: string
  readonly label: 'pass' | 'fail'
  readonly cause: string | null
  readonly bug: string | null
  readonly claimed: string | null
}

export interface EvaluatedRun extends LabelledRun {
  /** Null when there is only a learning curve. */
  readonly verdict: Verdict | null
  readonly reason: string | null
  /** Null when not decided. */
  readonly right: boolean | null
}

export interface EvaluationInput extends Pick<Evaluation, 'labels' | 'model' | 'training' | 'curve'> {
  readonly tests: readonly LabelledRun[]
  /** One for each test; null when there is only a learning curve. */
  readonly results: readonly { readonly verdict: Verdict; readonly reason: string }[] | null
}

export function evaluation({ labels, model, training, curve, tests, results }: EvaluationInput): Evaluation {
  const runs = tests.map(({ run, label, cause, bug, claimed }, i): EvaluatedRun => {
    const { verdict = null, reason = null } = results?.[i] ?? {}
    const right = verdict === null ? null : isRight({ label, verdict })
    return { run, label, cause, bug, claimed, verdict, reason, right }
  })
  return {
    schema: 'trace-oracle/eval@1',
    labels,
    model,
    training,
    runs,
    metrics: results && metrics(results.map(({ verdict }, i) => ({ label: tests[i]!.label, verdict }))),
    claims: metrics(tests.map(({ label, claimed }) => ({ label, verdict: claimAsVerdict(claimed) }))),
    curve,
  }
}
