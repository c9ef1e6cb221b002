import type { Verdict } from '../match/verdict.js'
import { drawSets } from './draw-sets.js'
import { type Judged, type Metrics, metrics } from './metrics.js'
import { seededRandom } from './random.js'

export interface CurveOptions {
  /** Numbers of training runs to learn from. */
  readonly sizes: readonly number[]
  /** Training sets that are drawn for each size (fewer when there are no more different ones). */
  readonly repeats: number
  readonly seed: number
}

export interface CurvePoint {
  readonly size: number
  readonly accuracy: Spread
  readonly accuracyOfDecided: Spread
  readonly decidedShare: Spread
  readonly f1: Spread
  /** One for each training set. */
  readonly draws: readonly Draw[]
}

export interface Draw {
  /** Indices of the training runs. */
  readonly training: readonly number[]
  /** What the model learned from them said of each test run. */
  readonly verdicts: readonly Verdict[]
  readonly metrics: Metrics
}

/** Over the draws for which the figure is defined; null when it is for none. */
export interface Spread {
  readonly mean: number | null
  readonly worst: number | null
}

/**
 * How good verdicts get with more training runs: for each size, training sets drawn without replacement out of
 * `available` runs, and `judge` to learn from one set and judge all test runs. Each size draws from its own sequence, so
 * that its figures do not depend on which other sizes were asked for.
 */
export async function learningCurve(
  available: number,
  { sizes, repeats, seed }: CurveOptions,
  judge: (training: readonly number[]) => Promise<readonly Judged[]>,
): Promise<CurvePoint[]> {
  const points: CurvePoint[] = []
  for (const size of sizes) {
    const draws: Draw[] = []
    for (const training of drawSets(available, size, repeats, seededRandom(seed))) {
      const judged = await judge(training)
      draws.push({ training, verdicts: judged.map(({ verdict }) => verdict), metrics: metrics(judged) })
    }
    const over = (figure: (metrics: Metrics) => number | null) => spread(draws.map((draw) => figure(draw.metrics)))
    points.push({
      size,
      accuracy: over(({ accuracy }) => accuracy),
      accuracyOfDecided: over(({ accuracyOfDecided }) => accuracyOfDecided),
      decidedShare: over(({ decidedShare }) => decidedShare),
      f1: over(({ f1 }) => f1),
      draws,
    })
  }
  return points
}

function spread(figures: readonly (number | null)[]): Spread {
  const known = figures.filter((figure) => figure !== null)
  if (known.length === 0) return { mean: null, worst: null }
  return { mean: known.reduce((sum, figure) => sum + figure, 0) / known.length, worst: Math.min(...known) }
}
