import fc from 'fast-check'
import type { Picture } from './pictures.js'

/**
 * Small pictures of the kind that screens are, and of the kind that breaks scans: few colours in runs, rows that come again
 * in whole or in part, and now and then a byte of noise.
 */
export function arbitraryPicture(channels: 3 | 4, { maxWidth = 40, maxHeight = 12 } = {}): fc.Arbitrary<Picture> {
  return fc
    .record({
      width: fc.integer({ min: 1, max: maxWidth }),
      height: fc.integer({ min: 1, max: maxHeight }),
      palette: fc.array(fc.uint8Array({ minLength: channels, maxLength: channels }), { minLength: 1, maxLength: 4 }),
      steps: fc.array(fc.nat(255), { minLength: 1, maxLength: 120 }),
    })
    .map(({ width, height, palette, steps }) => {
      const data = new Uint8Array(width * height * channels)
      let next = 0
      const step = () => steps[next++ % steps.length]! + (next >> 7)
      for (let y = 0; y < height; y++) {
        const kind = step() % 4
        const row = y * width * channels
        if (y > 0 && kind !== 3) data.copyWithin(row, row - width * channels, row)
        if (y > 0 && kind === 0) continue
        for (let x = 0; x < width; ) {
          const length = 1 + (step() % 9)
          const colour = palette[step() % palette.length]!
          // Part of the row above stays where the kind is 1 or 2.
          const end = Math.min(width, x + length)
          for (; x < end; x++) if (kind === 3 || y === 0 || length < 4) data.set(colour, row + x * channels)
        }
        if (step() % 5 === 0) data[row + (step() % (width * channels))]! ^= 1 << (step() % 8)
      }
      return { width, height, channels, data }
    })
}
