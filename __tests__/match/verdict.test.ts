import { expect, test } from '@jest/globals'
import { combineVerdicts } from '../../lib/match/verdict.js'

test.each([
  [[], 'pass'],
  [['pass', 'pass'], 'pass'],
  [['pass', 'inconclusive', 'pass'], 'inconclusive'],
  [['inconclusive', 'fail', 'pass'], 'fail'],
  [['fail', 'error', 'inconclusive'], 'error'],
] as const)('of %j the worst stays', (verdicts, worst) => {
  expect(combineVerdicts(verdicts)).toBe(worst)
  expect(combineVerdicts([...verdicts].reverse())).toBe(worst)
})
