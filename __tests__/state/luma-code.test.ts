import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decodeLuma, encodeLuma } from '../../lib/state/luma-code.js'

const values = fc.oneof(fc.constant(0), fc.constantFrom(0, 255), fc.nat({ max: 255 }))
/** Runs of single values and of repeated ones, long enough to cross the code's limits of 128. */
const picture = fc
  .array(fc.tuple(values, fc.oneof(fc.constant(1), fc.nat({ max: 300 }))), { maxLength: 40 })
  .chain((runs) => {
    const luma = Uint8Array.from(runs.flatMap(([value, count]) => new Array<number>(count).fill(value)))
    return fc.record({ luma: fc.constant(luma), width: fc.integer({ min: 1, max: luma.length + 1 }) })
  })

describe('encodeLuma, decodeLuma', () => {
  test('give the picture back', () => {
    fc.assert(
      fc.property(picture, ({ luma, width }) => {
        const code = encodeLuma(luma, width)
        expect(decodeLuma(code, width, luma.length)).toEqual(luma)
        expect(code.length).toBeLessThanOrEqual(luma.length + Math.ceil(luma.length / 128))
      }),
      { numRuns: 500 },
    )
  })

  test('take noise too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), fc.integer({ min: 1, max: 50 }), (luma, width) => {
        expect(decodeLuma(encodeLuma(luma, width), width, luma.length)).toEqual(luma)
      }),
    )
  })

  test('make flat pictures tiny', () => {
    expect(encodeLuma(new Uint8Array(256 * 160).fill(240), 256).length).toBeLessThan(1000)
  })

  test('refuse any other code, without asking for memory', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), fc.nat({ max: 300 }), (code, length) => {
        const luma = decodeLuma(code, 7, length)
        if (luma !== undefined) expect(luma).toHaveLength(length)
      }),
      { numRuns: 1000 },
    )
    for (const code of [[128], [0], [5, 1], [255], [129, 7], []]) {
      expect(decodeLuma(Uint8Array.from(code), 4, 4)).toBeUndefined()
    }
    expect(decodeLuma(Uint8Array.of(3, 1, 2, 3, 4), 4, 4)).toEqual(Uint8Array.of(1, 2, 3, 4))
    expect(decodeLuma(Uint8Array.of(3, 1, 2, 3, 4, 0, 5), 4, 4)).toBeUndefined()
  })
})
