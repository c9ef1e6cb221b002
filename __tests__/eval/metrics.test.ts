import { describe, expect, test } from '@jest/globals'
import { claimAsVerdict, isRight, type Judged, metrics } from '../../lib/eval/metrics.js'

/** `'pf'`: labelled pass, judged fail. Verdicts: p, f, i, e. */
const judged = (...pairs: string[]): Judged[] =>
  pairs.map((pair) => ({ label: WORDS[pair[0]!] as 'pass' | 'fail', verdict: WORDS[pair[1]!]! }))

const WORDS = { p: 'pass', f: 'fail', i: 'inconclusive', e: 'error' } as Record<string, Judged['verdict']>

describe('metrics', () => {
  test('by hand', () => {
    const result = metrics(judged('pp', 'pp', 'pp', 'pf', 'pi', 'ff', 'ff', 'fp', 'fi', 'fe'))
    expect(result).toEqual({
      runs: 10,
      confusion: {
        pass: { pass: 3, inconclusive: 1, fail: 1, error: 0 },
        fail: { pass: 1, inconclusive: 1, fail: 2, error: 1 },
      },
      decided: 7,
      decidedShare: 0.7,
      accuracy: 0.5,
      accuracyOfDecided: 5 / 7,
      precision: 2 / 3,
      recall: 2 / 5,
      f1: (2 * (2 / 3) * (2 / 5)) / (2 / 3 + 2 / 5),
    })
  })

  test('all right', () => {
    const { accuracy, accuracyOfDecided, precision, recall, f1 } = metrics(judged('pp', 'ff'))
    expect([accuracy, accuracyOfDecided, precision, recall, f1]).toEqual([1, 1, 1, 1, 1])
  })

  test('ratios of nothing by nothing are null, not NaN', () => {
    const { accuracy, accuracyOfDecided, decidedShare, precision, recall, f1 } = metrics([])
    expect([accuracy, accuracyOfDecided, decidedShare, precision, recall, f1]).toEqual(new Array(6).fill(null))
  })

  test('with failing runs of which none was found, F1 is 0', () => {
    const { precision, recall, f1 } = metrics(judged('pp', 'fp'))
    expect([precision, recall, f1]).toEqual([null, 0, 0])
  })

  test('nothing decided', () => {
    const { accuracy, accuracyOfDecided, decidedShare } = metrics(judged('pi', 'fe'))
    expect([accuracy, accuracyOfDecided, decidedShare]).toEqual([0, null, 0])
  })
})

test('isRight knows what was not decided', () => {
  expect(judged('pp', 'pf', 'fp', 'ff', 'pi', 'fe').map(isRight)).toEqual([true, false, false, true, null, null])
})

test('claims that are neither pass nor fail are no verdict', () => {
  expect(['pass', 'fail', 'done', null, undefined].map(claimAsVerdict)).toEqual([
    'pass',
    'fail',
    'inconclusive',
    'inconclusive',
    'inconclusive',
  ])
})
