import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { difference, lacking, shareShown, signatureIndex, weightOf } from '../../lib/equivalence/signature.js'
import { anyCounts, anyWeights, type Counts, inNumbers, inWords, sorted, TOKENS, total } from './arbitrary-bags.js'

const someCounts = fc.array(anyCounts, { minLength: 1, maxLength: 4 })
const least = (all: readonly Counts[], token: string) => Math.min(...all.map((counts) => counts.get(token) ?? 0))
const most = (all: readonly Counts[], token: string) => Math.max(...all.map((counts) => counts.get(token) ?? 0))

describe('signatureIndex', () => {
  test('requires what all members show, as often as the one that shows it least', () => {
    fc.assert(
      fc.property(someCounts, anyWeights, (members, weights) => {
        const { bags, weights: numbers, vocabulary } = inNumbers(members, weights)
        const { required, seen } = signatureIndex(bags, numbers)
        const weighing = TOKENS.filter((token) => weights.get(token)! > 0)
        const figures = (count: (all: readonly Counts[], token: string) => number) =>
          sorted(new Map(weighing.map((t) => [t, count(members, t)] as const).filter(([, n]) => n > 0)))
        expect(inWords(required, vocabulary)).toEqual(figures(least))
        expect(inWords(seen, vocabulary)).toEqual(figures(most))
        for (const { ids } of [required, seen]) expect([...ids]).toEqual([...ids].sort((a, b) => a - b))
        expect(weightOf(required, numbers)).toBeCloseTo(
          total(weights, (token) => least(members, token)),
          12,
        )
      }),
    )
  })
})

describe('lacking', () => {
  test('counts and weighs what is not shown as often', () => {
    fc.assert(
      fc.property(anyCounts, anyCounts, anyWeights, (wanted, shown, weights) => {
        const { bags, weights: numbers } = inNumbers([wanted, shown], weights)
        const short = (token: string) => Math.max(0, (wanted.get(token) ?? 0) - (shown.get(token) ?? 0))
        const { count, weight } = lacking(bags[0]!, bags[1]!, numbers)
        expect(count).toBe(TOKENS.reduce((sum, token) => sum + short(token), 0))
        expect(weight).toBeCloseTo(total(weights, short), 12)
      }),
    )
  })

  test('a member lacks nothing of its own signature', () => {
    fc.assert(
      fc.property(someCounts, anyWeights, (members, weights) => {
        const { bags, weights: numbers } = inNumbers(members, weights)
        for (const bag of bags) expect(lacking(signatureIndex(bags, numbers).required, bag, numbers).count).toBe(0)
      }),
    )
  })
})

describe('difference', () => {
  /** Tokens that every one of the ones shows more often than any of the others: [most of the others, least of the ones]. */
  const bruteForce = (one: readonly Counts[], other: readonly Counts[], weights: Counts) =>
    TOKENS.filter((token) => weights.get(token)! > 0)
      .map((token) => ({ token, low: most(other, token), high: least(one, token) }))
      .filter(({ low, high }) => high > low)

  test('is what every member of the one shows more often than any of the other, and a bag shows a share of it', () => {
    fc.assert(
      fc.property(someCounts, someCounts, anyCounts, anyWeights, (one, other, bag, weights) => {
        const { bags, weights: numbers, vocabulary } = inNumbers([...one, ...other, bag], weights)
        const [left, right] = [bags.slice(0, one.length), bags.slice(one.length, -1)].map((own) =>
          signatureIndex(own, numbers),
        )
        const { ids, low, high, weight } = difference(left!, right!, numbers)
        const found = [...ids].map((id, i) => ({ token: vocabulary.name(id), low: low[i]!, high: high[i]! }))
        const expected = bruteForce(one, other, weights)
        const byToken = (a: { token: string }, b: { token: string }) => (a.token < b.token ? -1 : 1)
        expect(found.sort(byToken)).toEqual(expected.sort(byToken))
        const whole = expected.reduce((sum, t) => sum + weights.get(t.token)! * (t.high - t.low), 0)
        expect(weight).toBeCloseTo(whole, 12)

        const shown = expected.reduce((sum, t) => {
          const count = Math.min(Math.max((bag.get(t.token) ?? 0) - t.low, 0), t.high - t.low)
          return sum + weights.get(t.token)! * count
        }, 0)
        const share = shareShown({ ids, low, high, weight }, bags.at(-1)!, numbers)
        if (whole === 0) expect(share).toBeNaN()
        else expect(share).toBeCloseTo(shown / whole, 12)
      }),
    )
  })

  test('a member of the one shows all of it, a member of the other nothing', () => {
    fc.assert(
      fc.property(someCounts, someCounts, anyWeights, (one, other, weights) => {
        const { bags, weights: numbers } = inNumbers([...one, ...other], weights)
        const [left, right] = [bags.slice(0, one.length), bags.slice(one.length)]
        const apart = difference(signatureIndex(left, numbers), signatureIndex(right, numbers), numbers)
        if (apart.weight === 0) return
        for (const bag of left) expect(shareShown(apart, bag, numbers)).toBe(1)
        for (const bag of right) expect(shareShown(apart, bag, numbers)).toBe(0)
      }),
    )
  })

  test('a state differs in nothing from itself', () => {
    fc.assert(
      fc.property(someCounts, anyWeights, (members, weights) => {
        const { bags, weights: numbers } = inNumbers(members, weights)
        const signature = signatureIndex(bags, numbers)
        expect(difference(signature, signature, numbers).ids).toHaveLength(0)
      }),
    )
  })
})
