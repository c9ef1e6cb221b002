import { expect, test } from '@jest/globals'
import { learningCurve } from '../../lib/eval/learning-curve.js'
import type { Judged } from '../../lib/eval/metrics.js'

/** Right about the first of two runs when run 0 was learned from, and always about the second. */
const judge = async (training: readonly number[]): Promise<Judged[]> => [
  { label: 'pass', verdict: training.includes(0) ? 'pass' : 'fail' },
  { label: 'fail', verdict: 'fail' },
]

test('mean and worst over all sets where there are few', async () => {
  const [one, three] = await learningCurve(3, { sizes: [1, 3], repeats: 10, seed: 1 }, judge)
  expect(one!.draws.map(({ training }) => training)).toEqual([[0], [1], [2]])
  expect(one!.accuracy).toEqual({ mean: (1 + 0.5 + 0.5) / 3, worst: 0.5 })
  expect(one!.decidedShare).toEqual({ mean: 1, worst: 1 })
  expect(one!.draws[1]!.verdicts).toEqual(['fail', 'fail'])
  expect(three!.draws).toHaveLength(1)
  expect(three!.accuracy).toEqual({ mean: 1, worst: 1 })
})

test('a size draws the same sets whatever other sizes are asked for', async () => {
  const options = { repeats: 5, seed: 9 }
  const [, alone] = await learningCurve(12, { ...options, sizes: [2, 4] }, judge)
  const [same] = await learningCurve(12, { ...options, sizes: [4] }, judge)
  expect(alone).toEqual(same)
})

test('figures that are not defined are left out of the mean', async () => {
  const [point] = await learningCurve(2, { sizes: [1], repeats: 2, seed: 1 }, async ([i]) => [
    { label: 'pass', verdict: i === 0 ? 'pass' : 'inconclusive' },
  ])
  expect(point!.accuracyOfDecided).toEqual({ mean: 1, worst: 1 })
  expect(point!.f1).toEqual({ mean: null, worst: null })
})
