import type { TokenBag } from '../state/token-bag.js'

/**
 * What the passing observations of a learned state share, in the numbers of a vocabulary. `required` are the tokens
 * that all members show; `seen` are those that any member shows.
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
  const all = ids.filter((id) => stats.get(id)!.support === bags.length)
  return {
    required: { ids: all, counts: all.map((id) => stats.get(id)!.least) },
    seen: { ids, counts: ids.map((id) => stats.get(id)!.most) },
  }
}

/** Number and weight of tokens of `of` that `bag` does not show as often. */
export function lacking(of: TokenBag, bag: TokenBag, weights: Float64Array): { count: number; weight: number; ids: number[] } {
  let count = 0
  let weight = 0
  const ids: number[] = []
  let j = 0
  for (let i = 0; i < of.ids.length; i++) {
    const id = of.ids[i]!
    while (j < bag.ids.length && bag.ids[j]! < id) j++
    const has = j < bag.ids.length && bag.ids[j] === id ? bag.counts[j]! : 0
    if (has < of.counts[i]!) {
      count += of.counts[i]! - has
      weight += weights[id]! * (of.counts[i]! - has)
      ids.push(id)
    }
  }
  return { count, weight, ids }
}

export function weightOf(bag: TokenBag, weights: Float64Array): number {
  let sum = 0
  for (let i = 0; i < bag.ids.length; i++) sum += weights[bag.ids[i]!]! * bag.counts[i]!
  return sum
}

/** Tokens that every member of `a` shows and no member of `b`, by presence. */
export function discriminating(a: SignatureIndex, b: SignatureIndex): TokenBag {
  const seen = new Set(b.seen.ids)
  const keep = [...a.required.ids.keys()].filter((i) => !seen.has(a.required.ids[i]!))
  return { ids: Int32Array.from(keep, (i) => a.required.ids[i]!), counts: Int32Array.from(keep, () => 1) }
}
