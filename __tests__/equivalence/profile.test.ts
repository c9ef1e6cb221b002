import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { profile, similarity } from '../../lib/equivalence/profile.js'
import { anyCounts, anyWeights, inNumbers, TOKENS, total } from './arbitrary-bags.js'

const someCounts = fc.array(anyCounts, { minLength: 1, maxLength: 4 })

describe('profile', () => {
  test('is the mean count of every token that any bag shows', () => {
    fc.assert(
      fc.property(someCounts, anyWeights, (all, weights) => {
        const { bags, vocabulary } = inNumbers(all, weights)
        const { ids, means } = profile(bags)
        expect([...ids]).toEqual([...ids].sort((a, b) => a - b))
        for (const token of TOKENS) {
          const at = ids.indexOf(vocabulary.find(token))
          const sum = all.reduce((sum, counts) => sum + (counts.get(token) ?? 0), 0)
          expect(at < 0 ? 0 : means[at]).toBeCloseTo(sum / all.length, 12)
          expect(at >= 0).toBe(sum > 0)
        }
      }),
    )
  })
})

describe('similarity', () => {
  test('is what is shared over all there is, by weight; unknown below half a component', () => {
    fc.assert(
      fc.property(someCounts, anyCounts, anyWeights, (members, other, weights) => {
        const { bags, weights: numbers } = inNumbers([...members, other], weights)
        const mean = (token: string) =>
          members.reduce((sum, counts) => sum + (counts.get(token) ?? 0), 0) / members.length
        const own = (token: string) => other.get(token) ?? 0
        const shared = total(weights, (token) => Math.min(mean(token), own(token)))
        const all = total(weights, (token) => Math.max(mean(token), own(token)))
        if (Math.abs(all - 0.5) < 1e-9) return
        const value = similarity(profile(bags.slice(0, -1)), bags.at(-1)!, numbers)
        if (all < 0.5) expect(value).toBeNaN()
        else expect(value).toBeCloseTo(shared / all, 12)
      }),
    )
  })

  test('is 1 with itself and 0 with nothing in common', () => {
    const one = (token: string) => new Map(TOKENS.map((known) => [known, known === token ? 3 : 1]))
    const weights = new Map(TOKENS.map((token) => [token, 1]))
    const { bags, weights: numbers } = inNumbers([one('wa'), new Map([['wa', 1]]), new Map([['wb', 1]])], weights)
    expect(similarity(profile([bags[0]!]), bags[0]!, numbers)).toBe(1)
    expect(similarity(profile([bags[1]!]), bags[2]!, numbers)).toBe(0)
  })

  test('of two blank screens is unknown', () => {
    const { bags, weights } = inNumbers([new Map(), new Map()], new Map())
    expect(similarity(profile([bags[0]!]), bags[1]!, weights)).toBeNaN()
  })
})
