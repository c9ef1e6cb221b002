import { expect, test } from '@jest/globals'
import { alignColumns, count, displayWidth, fitTo, percent, wrapTo } from '../../lib/report/text-layout.js'

test('displayWidth counts columns, not characters', () => {
  expect(['abc', 'é', 'e\u0301', '日本', '👩‍👩‍👧', '✓', '·'].map(displayWidth)).toEqual([3, 1, 1, 4, 2, 1, 1])
})

test('fitTo cuts between characters', () => {
  expect(fitTo('short', 5)).toBe('short')
  expect(fitTo('longer', 5)).toBe('long…')
  expect(fitTo('日本語日本語', 6)).toBe('日本…')
  expect(fitTo('one two', 5)).toBe('one…')
})

test('wrapTo breaks at spaces, and lets long words stand alone', () => {
  expect(wrapTo('a bb ccc dddd', 6)).toEqual(['a bb', 'ccc', 'dddd'])
  expect(wrapTo('a verylongword b', 6)).toEqual(['a', 'verylongword', 'b'])
  expect(wrapTo('', 6)).toEqual([''])
})

test('alignColumns', () => {
  const rows = [
    ['', 'a', '1'],
    ['long', '日本', '100'],
  ]
  expect(alignColumns(rows)).toEqual(['      a     1', 'long  日本  100'])
  expect(alignColumns(rows, [2])).toEqual(['      a       1', 'long  日本  100'])
})

test('count', () => {
  expect([count(0, 'run'), count(1, 'run'), count(2, 'run')]).toEqual(['0 runs', '1 run', '2 runs'])
})

test('percent is never rounded to all or nothing', () => {
  expect([0, 0.001, 0.264, 0.999, 1].map(percent)).toEqual(['0 %', '<1 %', '26 %', '>99 %', '100 %'])
})
