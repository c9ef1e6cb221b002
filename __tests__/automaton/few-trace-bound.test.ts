import { expect, test } from '@jest/globals'
import { fewTraceBound } from '../../lib/automaton/few-trace-bound.js'

test.each([
  [1, 95],
  [3, 63],
  [5, 45],
  [10, 26],
  [59, 5],
])('after %p traces a state may still be optional with a chance of up to %p %%', (n, percent) => {
  expect(Math.round(100 * fewTraceBound(n))).toBe(percent)
})

test('is the chance at which n traces would all show the state one time in twenty', () => {
  for (let n = 1; n <= 1000; n++) expect((1 - fewTraceBound(n)) ** n).toBeCloseTo(0.05, 10)
})

test('falls with every trace, and nears the rule of three from below', () => {
  for (let n = 1; n < 100; n++) expect(fewTraceBound(n + 1)).toBeLessThan(fewTraceBound(n))
  expect(fewTraceBound(1000) * 1000).toBeCloseTo(2.99, 2)
  expect(fewTraceBound(1e15) * 1e15).toBeCloseTo(-Math.log(0.05), 10)
})

test.each([0, -1, 2.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %p traces', (n) => {
  expect(() => fewTraceBound(n)).toThrow(
    new RangeError(`The number of traces must be a whole number from 1 up, not ${n}`),
  )
})
