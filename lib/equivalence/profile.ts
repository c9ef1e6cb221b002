import type { TokenBag } from '../state/token-bag.js'

/** The average bag of a set of observations: for each token its mean count. */
export interface Profile {
  readonly ids: Int32Array
  readonly means: Float64Array
}

export function profile(bags: readonly TokenBag[]): Profile {
  const sums = new Map<number, number>()
  for (const { ids, counts } of bags) {
    for (let i = 0; i < ids.length; i++) sums.set(ids[i]!, (sums.get(ids[i]!) ?? 0) + counts[i]!)
  }
  const ids = Int32Array.from(sums.keys()).sort()
  return { ids, means: Float64Array.from(ids, (id) => sums.get(id)! / bags.length) }
}

/**
 * Weighted Jaccard similarity (Ruzicka) of a bag with a profile, 0 to 1; NaN when neither holds a token of any weight:
 * two blank screens share nothing that could be compared, and the caller has to know.
 */
export function similarity(mean: Profile, bag: TokenBag, weights: Float64Array): number {
  let shared = 0
  let all = 0
  let i = 0
  let j = 0
  while (i < mean.ids.length || j < bag.ids.length) {
    const a = i < mean.ids.length ? mean.ids[i]! : Number.POSITIVE_INFINITY
    const b = j < bag.ids.length ? bag.ids[j]! : Number.POSITIVE_INFINITY
    if (a === b) {
      const weight = weights[a]!
      shared += weight * Math.min(mean.means[i]!, bag.counts[j]!)
      all += weight * Math.max(mean.means[i]!, bag.counts[j]!)
      i++
      j++
    } else if (a < b) {
      all += weights[a]! * mean.means[i]!
      i++
    } else {
      all += weights[b]! * bag.counts[j]!
      j++
    }
  }
  return all < MIN_WEIGHT ? Number.NaN : shared / all
}

/** Below this much weight in all there is nothing to compare; one word of a state of its own weighs more. */
const MIN_WEIGHT = 0.5
