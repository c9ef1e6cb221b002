import fc from 'fast-check'
import { type TokenBag, Vocabulary } from '../../lib/state/token-bag.js'

export type Counts = ReadonlyMap<string, number>

export const TOKENS = ['wa', 'wb', 'wc', 'wd', 'sx', 'lx.1', 'ly.2', 'r__proto__=1', 'tconstructor']

/** Tokens with their counts, as an observation has them. */
export const anyCounts: fc.Arbitrary<Counts> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...TOKENS), fc.integer({ min: 1, max: 4 })), { selector: ([token]) => token })
  .map((entries) => new Map(entries))

/** A weight for every token; some weigh nothing. */
export const anyWeights: fc.Arbitrary<Counts> = fc
  .array(fc.constantFrom(0, 0, 0.25, 0.5, 1, 2), { minLength: TOKENS.length, maxLength: TOKENS.length })
  .map((weights) => new Map(TOKENS.map((token, i) => [token, weights[i]!])))

/** Bags of one vocabulary, with weights in its numbers. */
export function inNumbers(
  all: readonly Counts[],
  weights: Counts,
): { bags: TokenBag[]; weights: Float64Array; vocabulary: Vocabulary } {
  const vocabulary = new Vocabulary()
  const bags = all.map((counts) => vocabulary.bag(counts))
  for (const token of TOKENS) vocabulary.number(token)
  const numbers = Float64Array.from({ length: vocabulary.size }, (_, id) => weights.get(vocabulary.name(id)) ?? 0)
  return { bags, weights: numbers, vocabulary }
}

/** A bag in words. */
export function inWords({ ids, counts }: TokenBag, vocabulary: Vocabulary): Counts {
  return new Map([...ids].map((id, i) => [vocabulary.name(id), counts[i]!] as const).sort(byToken))
}

export function sorted(counts: Counts): Counts {
  return new Map([...counts].sort(byToken))
}

export function total(weights: Counts, count: (token: string) => number): number {
  return TOKENS.reduce((sum, token) => sum + weights.get(token)! * count(token), 0)
}

function byToken([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1
}
