import { describe, expect, test } from '@jest/globals'
import { sample, seededRandom } from '../../lib/eval/random.js'

describe('seededRandom', () => {
  test('gives the published first numbers of mulberry32', () => {
    const random = seededRandom(1)
    expect([random(), random(), random()].map((n) => n * 2 ** 32)).toEqual([2693262067, 11749833, 2265367787])
  })

  test('the same seed gives the same numbers, another seed others', () => {
    const numbers = (seed: number) => Array.from({ length: 20 }, seededRandom(seed))
    expect(numbers(7)).toEqual(numbers(7))
    expect(numbers(7)).not.toEqual(numbers(8))
  })

  test('is spread evenly from 0 to below 1', () => {
    const random = seededRandom(42)
    const tenths = new Array(10).fill(0)
    for (let i = 0; i < 100_000; i++) tenths[Math.floor(random() * 10)]++
    for (const n of tenths) expect(Math.abs(n - 10_000)).toBeLessThan(500)
  })

  test.each([-1, 1.5, Number.NaN, 2 ** 32])('refuses the seed %p', (seed) => {
    expect(() => seededRandom(seed)).toThrow(RangeError)
  })
})

describe('sample', () => {
  test('draws different numbers, ascending', () => {
    const random = seededRandom(3)
    for (let i = 0; i < 1000; i++) {
      const drawn = sample(8, 3, random)
      expect(drawn).toHaveLength(3)
      expect([...new Set(drawn)].sort((a, b) => a - b)).toEqual(drawn)
      expect(drawn.every((n) => n >= 0 && n < 8)).toBe(true)
    }
  })

  test('draws every set equally often', () => {
    const random = seededRandom(5)
    const counts = new Map<string, number>()
    for (let i = 0; i < 20_000; i++) {
      const key = sample(5, 2, random).join()
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect(counts.size).toBe(10)
    for (const n of counts.values()) expect(Math.abs(n - 2000)).toBeLessThan(200)
  })
})
