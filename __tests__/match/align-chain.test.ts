import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { alignChain, type Requirements } from '../../lib/match/align-chain.js'

const chain = (count: number): Requirements => ({
  count,
  pairs: Array.from({ length: Math.max(count - 1, 0) }, (_, i) => [i, i + 1] as const),
})

/** Requirements are the letters of one word, observations those of the other. */
const metBy = (required: string, run: string, requirements = chain(required.length)): number[] => [
  ...alignChain(requirements, run.length, (i, at) => (required[i] === run[at] ? 1 : 0)).metBy,
]

describe('alignChain', () => {
  test.each([
    ['abc', 'abc', [0, 1, 2]],
    ['abc', 'axbxc', [0, 2, 4]],
    ['abc', 'aabbcc', [0, 2, 5]],
    ['abc', 'ac', [0, -1, 1]],
    ['abcde', 'acde', [0, -1, 1, 2, 3]],
    ['abc', 'bbc', [-1, 0, 2]],
    ['abc', 'abcx', [0, 1, -1]],
    ['abc', 'c', [-1, -1, 0]],
    ['abc', '', [-1, -1, -1]],
    ['', 'abc', []],
  ])('%s in %s', (required, run, expected) => {
    expect(metBy(required, run)).toEqual(expected)
  })

  test('one missing requirement costs one, not all after it', () => {
    expect(metBy('abcdefgh', 'acdefgh').filter((at) => at < 0)).toHaveLength(1)
  })

  test('only the last observation can meet the last requirement', () => {
    expect(metBy('ab', 'abab')).toEqual([0, 3])
    expect(metBy('ab', 'aba')).toEqual([0, -1])
  })

  test('what is not ordered may come in any order', () => {
    const square: Requirements = {
      count: 4,
      pairs: [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 3],
      ],
    }
    expect(metBy('abcd', 'abcd', square)).toEqual([0, 1, 2, 3])
    expect(metBy('abcd', 'acbd', square)).toEqual([0, 2, 1, 3])
    const swapped = metBy('abcd', 'bacd', square)
    expect(swapped.filter((at) => at < 0)).toHaveLength(1)
    expect(swapped.slice(2)).toEqual([2, 3])
  })

  test('long runs are taken', () => {
    const long = Array.from({ length: 2000 }, (_, i) => i)
    const { metBy: met, score } = alignChain(chain(300), long.length, (i, at) => (at === i * 2 || at === 1999 ? 1 : 0))
    expect(score).toBe(300)
    expect(met[299]).toBe(1999)
  })

  test('where very many are not ordered, any order of them is met', () => {
    const count = 16 // 2^15 sets and more
    const order = [...Array(count - 1).keys()].reverse()
    const { score, metBy: met } = alignChain({ count, pairs: [] }, count, (i, at) =>
      (order[at] ?? count - 1) === i ? 1 : 0,
    )
    expect(score).toBe(count)
    expect([...met]).toEqual([...order, count - 1])
  })

  interface Problem {
    readonly requirements: Requirements
    readonly observations: number
    readonly scores: readonly (readonly number[])[]
  }

  const problem: fc.Arbitrary<Problem> = fc
    .record({ count: fc.integer({ min: 1, max: 5 }), observations: fc.integer({ min: 0, max: 7 }) })
    .chain(({ count, observations }) => {
      const all = Array.from({ length: count }, (_, b) => Array.from({ length: b }, (_, a) => [a, b] as const)).flat()
      const score = fc.constantFrom(-1, 0, 0, 1, 1, 1, 2, 5)
      return fc.record({
        requirements: fc
          .oneof(fc.subarray(all), fc.constant(chain(count).pairs))
          .map((pairs): Requirements => ({ count, pairs })),
        observations: fc.constant(observations),
        scores: fc.array(fc.array(score, { minLength: observations, maxLength: observations }), {
          minLength: count,
          maxLength: count,
        }),
      })
    })

  const solve = ({ requirements, observations, scores }: Problem) =>
    alignChain(requirements, observations, (i, at) => scores[i]![at]!)

  test('finds the greatest score there is', () => {
    fc.assert(
      fc.property(problem, (given) => {
        const { metBy: met, score } = solve(given)
        expect(score).toBe(bruteForce(given))
        expect(scoreOf(given, met)).toBe(score)
      }),
      { numRuns: 300 },
    )
  })

  test('keeps the order, uses no observation twice, and meets nothing that does not score', () => {
    fc.assert(
      fc.property(problem, (given) => {
        const met = [...solve(given).metBy]
        expect(isAllowed(given, met)).toBe(true)
        met.forEach((at, i) => {
          if (at >= 0) expect(given.scores[i]![at]!).toBeGreaterThan(0)
        })
      }),
    )
  })

  test('of equal observations it takes the earliest', () => {
    fc.assert(
      fc.property(problem, (given) => {
        const met = [...solve(given).metBy]
        met.forEach((at, i) => {
          for (let earlier = 0; earlier < at; earlier++) {
            if (given.scores[i]![earlier]! < given.scores[i]![at]!) continue
            expect(isAllowed(given, met.with(i, earlier))).toBe(false)
          }
        })
      }),
    )
  })

  function scoreOf({ scores }: Problem, met: ArrayLike<number>): number {
    return Array.from(met).reduce((sum, at, i) => sum + (at < 0 ? 0 : scores[i]![at]!), 0)
  }

  function isAllowed({ requirements: { count, pairs }, observations }: Problem, met: readonly number[]): boolean {
    const used = met.filter((at) => at >= 0)
    if (new Set(used).size < used.length) return false
    if (met[count - 1]! >= 0 && met[count - 1] !== observations - 1) return false
    const before = closure(count, pairs)
    return met.every((at, a) => at < 0 || met.every((to, b) => to < 0 || !before[a]![b] || at < to))
  }

  /** Every assignment of observations to requirements. */
  function bruteForce(given: Problem): number {
    const { count, pairs } = given.requirements
    const before = closure(count, pairs)
    const met: number[] = []
    const best = (i: number): number => {
      if (i === count) return 0
      met[i] = -1
      let top = best(i + 1)
      const from = i === count - 1 ? Math.max(given.observations - 1, 0) : 0
      for (let at = from; at < given.observations; at++) {
        if (given.scores[i]![at]! <= 0) continue
        if (met.slice(0, i).some((other, a) => other === at || (other > at && before[a]![i]))) continue
        met[i] = at
        top = Math.max(top, given.scores[i]![at]! + best(i + 1))
      }
      met[i] = -1
      return top
    }
    return best(0)
  }

  function closure(count: number, pairs: Requirements['pairs']): boolean[][] {
    const before = Array.from({ length: count }, () => Array<boolean>(count).fill(false))
    for (const [a, b] of pairs) before[a]![b] = true
    for (let via = 0; via < count; via++) {
      for (let a = 0; a < count; a++) {
        for (let b = 0; b < count; b++) if (before[a]![via] && before[via]![b]) before[a]![b] = true
      }
    }
    return before
  }
})
