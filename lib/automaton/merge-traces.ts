import { wordSimilarity } from '../equivalence/action-words.js'
import { type Profile, profile, similarity } from '../equivalence/profile.js'
import type { TokenBag } from '../state/token-bag.js'
import type { Item } from './item.js'
import { type Cell, partialOrderAlignment, type PartialOrderAlignment } from './partial-order-alignment.js'

export interface MergeOptions {
  /** Share of the score that the observation has; the rest is the action's. */
  readonly pictureShare: number
  /** Share of the observation's part that the action's effect has; the rest is the whole observation's. */
  readonly effectShare: number
  readonly gap: number
  readonly rounds: number
}

export const MERGE_OPTIONS: MergeOptions = { pictureShare: 0.6, effectShare: 0.3, gap: 0.15, rounds: 4 }

export function mergeTraces(
  traces: readonly (readonly Item[])[],
  weights: Float64Array,
  options: MergeOptions = MERGE_OPTIONS,
): PartialOrderAlignment {
  const cell = ({ sequence, item }: Cell) => traces[sequence]![item]!
  const mean = columnScorer(weights, options)
  const first = partialOrderAlignment({
    lengths: traces.map((items) => items.length),
    gap: options.gap,
    rounds: options.rounds,
    scorer: (members) => {
      const fit = mean(members.map(cell))
      return (sequence, item) => fit(traces[sequence]![item]!)
    },
  })
  return first
}

/** Scores an item against the mean of a column's members. */
function columnScorer(weights: Float64Array, { pictureShare, effectShare }: MergeOptions) {
  return (members: readonly Item[]) => {
    const bags = profile(members.map((m) => m.settled.bag))
    const effects = profile(members.map((m) => m.effect))
    const known = new Map<string, number>()
    return (item: Item): number => {
      let score = known.get(item.symbol)
      if (score === undefined) {
        const whole = wholeSimilarity(bags, item.settled.bag, weights)
        const effect = similarity(effects, item.effect, weights)
        const picture = Number.isNaN(effect) ? whole : (1 - effectShare) * whole + effectShare * effect
        let words = 0
        for (const member of members) words += wordSimilarity(member.words, item.words)
        score = pictureShare * picture + ((1 - pictureShare) * words) / members.length
        known.set(item.symbol, score)
      }
      return score
    }
  }
}


/** Weighted where there is anything of weight, else plain: two blank screens are alike. */
function wholeSimilarity(mean: Profile, bag: TokenBag, weights: Float64Array): number {
  const weighted = similarity(mean, bag, weights)
  if (!Number.isNaN(weighted)) return weighted
  if (mean.ids.length === 0 && bag.ids.length === 0) return 1
  const plain = similarity(mean, bag, new Float64Array(weights.length).fill(1))
  return Number.isNaN(plain) ? 0 : plain
}

/**
 * Scores an item against what most members of a column share: the share of the weight of their common tokens that the
 * item shows. Unlike the mean it does not reward an item for what only a few members have, so a frame that was still
 * loading loses to the one that came after it.
 */
function consensusScorer(weights: Float64Array, { pictureShare, effectShare }: MergeOptions) {
  return (members: readonly Item[]) => {
    const bags = majority(profile(members.map((m) => m.settled.bag)))
    const effects = majority(profile(members.map((m) => m.effect)))
    return (item: Item): number => {
      const whole = recall(bags, item.settled.bag, weights)
      const effect = recall(effects, item.effect, weights)
      let words = 0
      for (const member of members) words += wordSimilarity(member.words, item.words)
      const action = words / members.length
      const picture = Number.isNaN(effect) ? whole : Number.isNaN(whole) ? effect : (1 - effectShare) * whole + effectShare * effect
      return pictureShare * (Number.isNaN(picture) ? wholeSimilarity(profile(members.map((m) => m.settled.bag)), item.settled.bag, weights) : picture) + (1 - pictureShare) * action
    }
  }
}

/** Tokens that the average member shows at least half a time, with their rounded counts. */
function majority(mean: Profile): Profile {
  const keep = [...mean.ids.keys()].filter((i) => mean.means[i]! >= 0.5)
  return { ids: Int32Array.from(keep, (i) => mean.ids[i]!), means: Float64Array.from(keep, (i) => Math.round(mean.means[i]!)) }
}

function recall(common: Profile, bag: TokenBag, weights: Float64Array): number {
  let found = 0
  let all = 0
  let j = 0
  for (let i = 0; i < common.ids.length; i++) {
    const id = common.ids[i]!
    while (j < bag.ids.length && bag.ids[j]! < id) j++
    const count = j < bag.ids.length && bag.ids[j] === id ? bag.counts[j]! : 0
    all += weights[id]! * common.means[i]!
    found += weights[id]! * Math.min(common.means[i]!, count)
  }
  return all < 0.5 ? Number.NaN : found / all
}

/**
 * Given columns in a topological order, re-picks for every trace the item that fits each column's consensus best, order kept
 * (dynamic programming), until nothing changes: k-medoids along the sequence.
 */
export function refineChain(
  traces: readonly (readonly Item[])[],
  start: readonly (readonly Cell[])[],
  weights: Float64Array,
  options: MergeOptions,
  minimum = 0.45,
): (readonly Cell[])[] {
  const consensus = consensusScorer(weights, options)
  let columns = start.map((c) => [...c])
  for (let round = 0; round < 6; round++) {
    const next: Cell[][] = columns.map(() => [])
    const fits = columns.map((column) => consensus(column.map(({ sequence, item }) => traces[sequence]![item]!)))
    traces.forEach((items, sequence) => {
      const rows = columns.length
      const width = items.length + 1
      const best = new Float64Array((rows + 1) * width)
      const move = new Uint8Array((rows + 1) * width)
      for (let row = 1; row <= rows; row++) {
        for (let item = 0; item <= items.length; item++) {
          let top = best[(row - 1) * width + item]!
          let how = 1
          if (item > 0) {
            if (best[row * width + item - 1]! > top) {
              top = best[row * width + item - 1]!
              how = 2
            }
            const score = fits[row - 1]!(items[item - 1]!)
            if (score >= minimum) {
              const matched = best[(row - 1) * width + item - 1]! + score
              if (matched > top) {
                top = matched
                how = 0
              }
            }
          }
          best[row * width + item] = top
          move[row * width + item] = how
        }
      }
      let row = rows
      let item = items.length
      while (row > 0) {
        const how = move[row * width + item]
        if (how === 0) {
          next[row - 1]!.push({ sequence, item: item - 1 })
          row--
          item--
        } else if (how === 1) row--
        else item--
      }
    })
    const done = JSON.stringify(next) === JSON.stringify(columns)
    columns = next
    if (done) break
  }
  return columns
}
