import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ssim } from '../../lib/equivalence/ssim.js'
import type { Thumbnail } from '../../lib/state/fingerprint.js'

function thumbnail(width: number, height: number, luma: (x: number, y: number) => number): Thumbnail {
  return {
    width,
    height,
    luma: Uint8Array.from({ length: width * height }, (_, i) => luma(i % width, Math.floor(i / width))),
  }
}

const arbitraryThumbnail = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    seed: fc.nat(1000),
    levels: fc.integer({ min: 1, max: 256 }),
  })
  .map(({ width, height, seed, levels }) =>
    thumbnail(width, height, (x, y) => ((x * 7 + y * 13 + seed) * (x ^ (y + seed))) % levels),
  )

describe('ssim', () => {
  test('1 for equal ones, of any size: also 9 x 9, where the library alone gives NaN', () => {
    fc.assert(fc.property(arbitraryThumbnail, (one) => expect(ssim(one, { ...one })).toBe(1)))
    const gradient = thumbnail(9, 9, (x, y) => x * 20 + y)
    expect(ssim(gradient, gradient)).toBe(1)
  })

  test('a number from -1 to 1, the same both ways, for any two sizes', () => {
    fc.assert(
      fc.property(arbitraryThumbnail, arbitraryThumbnail, (a, b) => {
        const similarity = ssim(a, b)
        expect(similarity).toBeGreaterThanOrEqual(-1)
        expect(similarity).toBeLessThanOrEqual(1)
        expect(ssim(b, a)).toBeCloseTo(similarity, 9)
      }),
    )
  })

  test('equal windows count as 1 each, and the one that differs as what it is', () => {
    const a = thumbnail(32, 32, (x, y) => (x * y) % 200)
    const b = thumbnail(32, 32, (x, y) => (x < 8 && y < 8 ? 255 - ((x * y) % 200) : (x * y) % 200))
    expect(ssim(a, b)).toBeGreaterThan(14 / 16)
    expect(ssim(a, b)).toBeLessThan(15.5 / 16)
  })

  test('the flat windows of the paper: their luminance term alone', () => {
    const c1 = (0.01 * 255) ** 2
    const [low, high] = [thumbnail(8, 8, () => 50), thumbnail(8, 8, () => 200)]
    expect(ssim(low, high)).toBeCloseTo((2 * 50 * 200 + c1) / (50 ** 2 + 200 ** 2 + c1), 9)
  })

  test('the same page in a larger window is still like itself', () => {
    const page = (width: number, height: number) =>
      thumbnail(width, height, (x, y) => (((x * 4) / width) % 1 < 0.5 !== ((y * 4) / height) % 1 < 0.5 ? 40 : 220))
    expect(ssim(page(256, 144), page(256, 160))).toBeGreaterThan(0.8)
    expect(
      ssim(
        page(256, 144),
        thumbnail(256, 160, (x) => (x % 3) * 100),
      ),
    ).toBeLessThan(0.3)
  })
})
