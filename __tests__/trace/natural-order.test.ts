import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { compareNatural, comparePaths } from '../../lib/trace/natural-order.js'

test.each([
  ['2.png', '10.png'],
  ['shot', 'shot1'],
  ['a2b10', 'a10b2'],
  ['01', '1'],
  ['1', '02'],
  ['B', 'a'],
  ['9007199254740993', '9007199254740994'],
  ['1'.repeat(400), '2'.repeat(400)],
])('%s comes before %s', (a, b) => {
  expect(compareNatural(a, b)).toBeLessThan(0)
  expect(compareNatural(b, a)).toBeGreaterThan(0)
})

test('paths go folder by folder', () => {
  expect(['run-1-b/1', 'run-1/2', 'run-1/10', 'run-1', 'run-1/1'].sort(comparePaths)).toEqual([
    'run-1',
    'run-1/1',
    'run-1/2',
    'run-1/10',
    'run-1-b/1',
  ])
})

test('is a total order', () => {
  const name = fc.string({ unit: fc.constantFrom('0', '1', '2', '10', 'a', 'B', '-', '/', '🙂') })
  for (const compare of [compareNatural, comparePaths])
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(compare(a, b) === 0).toBe(a === b)
        expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0)
        if (compare(a, b) < 0 && compare(b, c) < 0) expect(compare(a, c)).toBeLessThan(0)
      }),
    )
})
