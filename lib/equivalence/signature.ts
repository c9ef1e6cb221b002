import type { TokenBag } from '../state/token-bag.js'

/**
 * What the passing observations of a learned state share, in the numbers of a vocabulary. `required` are the tokens that
 * all members show, as often as the one that shows them least; `seen` are those that any member shows. Tokens without weight
 * are left out.
 */
export interface SignatureIndex {
  readonly required: TokenBag
  readonly seen: TokenBag
}

export function signatureIndex(bags: readonly TokenBag[], weights: Float64Array): SignatureIndex {
  const stats = new Map<number, { support: number; least: number; most: number }>()
  for (const { ids, counts } of bags) {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!
      if (!(weights[id]! > 0)) continue
      const entry = stats.get(id)
      if (entry === undefined) stats.set(id, { support: 1, least: counts[i]!, most: counts[i]! })
      else {
        entry.support++
        entry.least = Math.min(entry.least, counts[i]!)
        entry.most = Math.max(entry.most, counts[i]!)
      }
    }
  }
  const ids = Int32Array.from(stats.keys()).sort()
  const shared = ids.filter((id) => stats.get(id)!.support === bags.length)
  return {
    required: { ids: shared, counts: shared.map((id) => stats.get(id)!.least) },
    seen: { ids, counts: ids.map((id) => stats.get(id)!.most) },
  }
}

/** Number and weight of tokens of `of` that `bag` does not show as often. */
export function lacking(of: TokenBag, bag: TokenBag, weights: Float64Array): { count: number; weight: number } {
  let count = 0
  let weight = 0
  let j = 0
  for (let i = 0; i < of.ids.length; i++) {
    const id = of.ids[i]!
    while (j < bag.ids.length && bag.ids[j]! < id) j++
    const has = j < bag.ids.length && bag.ids[j] === id ? bag.counts[j]! : 0
    const short = of.counts[i]! - has
    if (short > 0) {
      count += short
      weight += weights[id]! * short
    }
  }
  return { count, weight }
}

export function weightOf(bag: TokenBag, weights: Float64Array): number {
  let sum = 0
  for (let i = 0; i < bag.ids.length; i++) sum += weights[bag.ids[i]!]! * bag.counts[i]!
  return sum
}

/**
 * What tells one state from another: tokens that every member of the one shows more often than any member of the other.
 * Counts matter: how often "1.3" stands on a page may be all that differs.
 */
export interface Difference {
  readonly ids: Int32Array
  /** The most that a member of the other shows. */
  readonly low: Int32Array
  /** The least that a member of the one shows; above `low`. */
  readonly high: Int32Array
  readonly weight: number
}

export function difference(one: SignatureIndex, other: SignatureIndex, weights: Float64Array): Difference {
  const ids: number[] = []
  const low: number[] = []
  const high: number[] = []
  let weight = 0
  let j = 0
  const { required } = one
  for (let i = 0; i < required.ids.length; i++) {
    const id = required.ids[i]!
    while (j < other.seen.ids.length && other.seen.ids[j]! < id) j++
    const most = j < other.seen.ids.length && other.seen.ids[j] === id ? other.seen.counts[j]! : 0
    if (required.counts[i]! <= most) continue
    ids.push(id)
    low.push(most)
    high.push(required.counts[i]!)
    weight += weights[id]! * (required.counts[i]! - most)
  }
  return { ids: Int32Array.from(ids), low: Int32Array.from(low), high: Int32Array.from(high), weight }
}

/**
 * Share of a difference that a bag shows, by weight: 1 when it is wholly like the one, 0 when wholly like the other; NaN when no
 * token of the difference weighs anything.
 */
export function shareShown({ ids, low, high }: Difference, bag: TokenBag, weights: Float64Array): number {
  let shown = 0
  let all = 0
  let j = 0
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!
    while (j < bag.ids.length && bag.ids[j]! < id) j++
    const count = j < bag.ids.length && bag.ids[j] === id ? bag.counts[j]! : 0
    all += weights[id]! * (high[i]! - low[i]!)
    shown += weights[id]! * Math.min(Math.max(count - low[i]!, 0), high[i]! - low[i]!)
  }
  return all > 0 ? shown / all : Number.NaN
}
