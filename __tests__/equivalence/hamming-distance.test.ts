import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hammingDistance } from '../../lib/equivalence/hamming-distance.js'

test('by example', () => {
  expect(hammingDistance('', '')).toBe(0)
  expect(hammingDistance('ff00', 'ff00')).toBe(0)
  expect(hammingDistance('ff00', '00ff')).toBe(16)
  expect(hammingDistance('0123', '0122')).toBe(1)
})

test('the ones of the exclusive or', () => {
  const word = fc.nat(0xffffffff)
  fc.assert(
    fc.property(word, word, (a, b) => {
      const [x, y] = [a, b].map((n) => n.toString(16).padStart(8, '0'))
      const ones = [...((a ^ b) >>> 0).toString(2)].filter((bit) => bit === '1').length
      expect(hammingDistance(x!, y!)).toBe(ones)
      expect(hammingDistance(y!, x!)).toBe(ones)
    }),
  )
})

test('hashes of other lengths cannot be compared', () => {
  expect(() => hammingDistance('ff', 'fff')).toThrow('hashes of 2 and 3 hex digits cannot be compared')
})
