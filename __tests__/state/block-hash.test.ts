import { describe, expect, test } from '@jest/globals'
import { bmvbhash } from 'blockhash-core'
import fc from 'fast-check'
import { blockHash } from '../../lib/state/block-hash.js'

describe('blockHash', () => {
  const thumbnail = (width: number, height: number, luma: (x: number, y: number) => number) => ({
    width,
    height,
    luma: Uint8Array.from({ length: width * height }, (_, i) => luma(i % width, Math.floor(i / width))),
  })

  test('64 hex digits for any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(255),
        (width, height, step) => {
          expect(blockHash(thumbnail(width, height, (x, y) => (x * step + y * 7) % 256))).toMatch(/^[0-9a-f]{64}$/)
        },
      ),
    )
  })

  test("the library's own hash of a picture whose blocks are flat", () => {
    const { width, height, luma } = thumbnail(
      256,
      144,
      (x, y) => (Math.floor(x / 16) * 37 + Math.floor(y / 9) * 91) % 256,
    )
    const data = Uint8Array.from({ length: luma.length * 4 }, (_, i) => (i % 4 === 3 ? 255 : luma[i >> 2]!))
    expect(blockHash({ width, height, luma })).toBe(bmvbhash({ data, width, height }, 16))
  })

  test('a flat page and one with a few pixels off by a level are alike', () => {
    const flat = thumbnail(256, 144, () => 250)
    const noisy = { ...flat, luma: flat.luma.map((value, i) => (i % 500 === 0 ? value - 1 : value)) }
    expect(blockHash(noisy)).toBe(blockHash(flat))
  })

  test('light above dark and the reverse are far apart', () => {
    const top = blockHash(thumbnail(64, 64, (x) => (x < 32 ? 255 : 0)))
    const bottom = blockHash(thumbnail(64, 64, (x) => (x < 32 ? 0 : 255)))
    expect([top, bottom]).toEqual(['ff00'.repeat(16), '00ff'.repeat(16)])
  })
})
