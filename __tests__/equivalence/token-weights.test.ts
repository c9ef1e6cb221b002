import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { tokenWeights } from '../../lib/equivalence/token-weights.js'
import { Vocabulary } from '../../lib/state/token-bag.js'
import { tokenUnit } from '../../lib/state/tokens.js'
import { anyCounts, TOKENS } from './arbitrary-bags.js'

/** Trace -> state -> tokens, written `wa wb, wa | wa`; a function that tells the weight of a token. */
function weightsOf(text: string): (token: string) => number {
  return weigh(text.split('|').map((trace) => trace.split(',').map((state) => state.trim().split(/\s+/))))
}

function weigh(traces: readonly (readonly (readonly string[])[])[]): (token: string) => number {
  const vocabulary = new Vocabulary()
  const bags = traces.map((states) =>
    states.map((tokens) => vocabulary.bag(new Map(tokens.filter((token) => token !== '').map((token) => [token, 1])))),
  )
  const weights = tokenWeights(bags, vocabulary)
  return (token) => weights[vocabulary.find(token)]!
}

describe('tokenWeights', () => {
  test.each([
    ['one trace', 'wa, wx, wb'],
    ['two traces', 'wa, wx, wb | wx'],
    ['many traces', Array(10).fill('wa, wx, wb, wc').join('|')],
    ['traces of very different lengths', 'wx | wa, wb, wc, wd, wa, wb, wx | wx, wb'],
  ])('what one state of every trace shows weighs its unit: %s', (_, traces) => {
    expect(weightsOf(traces)('wx')).toBeCloseTo(1, 12)
    expect(weightsOf(traces.replaceAll('wx', 'sx'))('sx')).toBeCloseTo(0.5, 12)
    expect(weightsOf(traces.replaceAll('wx', 'lx.1'))('lx.1')).toBeCloseTo(0.5, 12)
  })

  test('what only one of several traces shows weighs nothing', () => {
    expect(weightsOf('wa w10:01, wb w10:01 | wa w10:02, wb w10:02')('w10:01')).toBe(0)
    expect(weightsOf('wa, wclock wa | wb, wa | wc, wb')('wclock')).toBe(0)
  })

  test('what stands everywhere weighs next to nothing', () => {
    const traces = Array(3)
      .fill(Array.from({ length: 10 }, (_, i) => `wmenu w${i}`).join(', '))
      .join(' | ')
    expect(weightsOf(traces)('wmenu')).toBeLessThan(0.02)
    expect(weightsOf(traces)('w7')).toBeCloseTo(1, 12)
  })

  test('what more traces show weighs more', () => {
    const weight = weightsOf('wa wb wc, wx | wa wb, wx | wa, wx | wx, wx')
    expect(weight('wc')).toBe(0)
    expect(weight('wb')).toBeGreaterThan(0)
    expect(weight('wa')).toBeGreaterThan(weight('wb'))
  })

  test('a token that nobody shows weighs nothing', () => {
    const vocabulary = new Vocabulary()
    vocabulary.number('wghost')
    expect([...tokenWeights([[vocabulary.bag(new Map())]], vocabulary)]).toEqual([0])
  })

  const traces = fc.array(fc.array(anyCounts, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 })
  const tokensOf = (given: readonly (readonly ReadonlyMap<string, number>[])[]) =>
    given.map((states) => states.map((counts) => [...counts.keys()]))

  test('no weight is negative or no number, and none of what all traces show is above its unit', () => {
    fc.assert(
      fc.property(traces, (given) => {
        const weight = weigh(tokensOf(given))
        for (const token of TOKENS) {
          const traces = given.filter((states) => states.some((counts) => counts.has(token))).length
          if (traces === 0) continue
          expect(weight(token)).toBeGreaterThanOrEqual(0)
          expect(Number.isFinite(weight(token))).toBe(true)
          if (traces === given.length) expect(weight(token)).toBeLessThanOrEqual(tokenUnit(token) + 1e-12)
          if (traces === 1 && given.length > 1) expect(weight(token)).toBe(0)
        }
      }),
    )
  })

  test('as many traces and fewer states make more weight', () => {
    fc.assert(
      fc.property(traces, (given) => {
        const weight = weigh(tokensOf(given))
        const figures = TOKENS.map((token) => ({
          traces: given.filter((states) => states.some((counts) => counts.has(token))).length,
          states: given.flat().filter((counts) => counts.has(token)).length,
          share: weight(token) / tokenUnit(token),
        })).filter(({ states }) => states > 0)
        for (const a of figures) {
          for (const b of figures) {
            if (a.traces >= b.traces && a.states <= b.states) expect(a.share).toBeGreaterThanOrEqual(b.share)
          }
        }
      }),
    )
  })

  test('counts, and the order of traces and states, have no influence', () => {
    fc.assert(
      fc.property(traces, (given) => {
        const weight = weigh(tokensOf(given))
        const turned = weigh(tokensOf(given.map((states) => [...states].reverse()).reverse()))
        for (const token of TOKENS) expect(turned(token)).toBe(weight(token))
      }),
    )
  })
})
