import { expect, test } from '@jest/globals'
import { drawSets } from '../../lib/eval/draw-sets.js'
import { seededRandom } from '../../lib/eval/random.js'

test('draws different sets', () => {
  const sets = drawSets(10, 3, 20, seededRandom(1))
  expect(new Set(sets.map(String)).size).toBe(20)
  expect(sets.every((set) => new Set(set).size === 3)).toBe(true)
})

test('gives every set when there are no more than were asked for', () => {
  expect(drawSets(4, 2, 20, seededRandom(1))).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ])
  expect(drawSets(5, 5, 1, seededRandom(1))).toEqual([[0, 1, 2, 3, 4]])
  expect(drawSets(3, 1, 3, seededRandom(1))).toEqual([[0], [1], [2]])
})

test('copes with numbers of sets beyond counting', () => {
  expect(drawSets(5000, 2500, 2, seededRandom(1))).toHaveLength(2)
})

test.each([
  [3, 0],
  [3, 4],
])('cannot draw out of %d: %d', (n, k) => {
  expect(() => drawSets(n, k, 1, seededRandom(1))).toThrow(RangeError)
})
