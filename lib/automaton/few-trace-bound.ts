/**
 * How sure can one be, after n passing traces that all show a state, that it is really essential? This is the exact
 * 95 % upper bound on the chance that a passing run does without it: 63 % at n = 3, 45 % at 5, 26 % at 10, 5 % at 59.
 *
 * If a passing run skips the state with probability p, all n independent traces show it with probability (1 - p)^n.
 * The bound is the p at which that probability has fallen to 5 %: (1 - p)^n = 0.05, so p = 1 - 0.05^(1/n). It is the
 * one-sided interval of Clopper & Pearson (Biometrika 26, 1934) for 0 of n, and the exact form of the "rule of three",
 * p < 3 / n (Hanley & Lippman-Hand, JAMA 249, 1983), which is good only from some thirty traces up.
 *
 * Throws RangeError unless n is a whole number from 1 up: with no trace nothing is known.
 */
export function fewTraceBound(n: number): number {
  if (!Number.isInteger(n) || n < 1) {
    throw new RangeError(`The number of traces must be a whole number from 1 up, not ${n}`)
  }
  return -Math.expm1(Math.log(0.05) / n) // 1 - 0.05^(1/n) without the cancellation that large n would bring
}
