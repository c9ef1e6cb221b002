import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type RunLengths, runLengths } from '../../lib/state/run-lengths.js'
import { shrinkRuns } from '../../lib/state/shrink-runs.js'
import { arbitraryPicture } from './arbitrary-picture.js'
import type { Picture } from './pictures.js'

function pixelsOf({ width, height, starts, ends, x, colour }: RunLengths): number[] {
  const pixels: number[] = []
  for (let y = 0; y < height; y++) {
    for (let run = starts[y]!; run < ends[y]!; run++) {
      const end = run + 1 < ends[y]! ? x[run + 1]! : width
      const c = colour[run]!
      for (let i = x[run]!; i < end; i++) pixels.push(c & 0xff, (c >> 8) & 0xff, c >> 16)
    }
  }
  return pixels
}

/** Average of the area of every pixel, pixel by pixel. */
function plainMeans({ data, width, height }: Picture, columns: number, rows: number): number[] {
  const means: number[] = []
  const overlap = (from: number, to: number, i: number) => Math.max(0, Math.min(to, i + 1) - Math.max(from, i))
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let k = 0; k < 3; k++) {
        let sum = 0
        for (let y = 0; y < height; y++) {
          const high = overlap((row * height) / rows, ((row + 1) * height) / rows, y)
          if (high === 0) continue
          for (let x = 0; x < width; x++) {
            const wide = overlap((column * width) / columns, ((column + 1) * width) / columns, x)
            sum += high * wide * data[3 * (y * width + x) + k]!
          }
        }
        means.push(sum / ((width / columns) * (height / rows)))
      }
    }
  }
  return means
}

function shrunk({ data, width, height }: Picture, columns: number, rows: number): RunLengths {
  return shrinkRuns(runLengths(data, width, height), columns, rows)
}

describe('shrinkRuns', () => {
  test('the average of every area, to half a level', () => {
    fc.assert(
      fc.property(arbitraryPicture(3), fc.double({ min: 1, max: 6, noNaN: true }), (picture, scale) => {
        const columns = Math.max(1, Math.round(picture.width / scale))
        const rows = Math.max(1, Math.round(picture.height / scale))
        const pixels = pixelsOf(shrunk(picture, columns, rows))
        const means = plainMeans(picture, columns, rows)
        expect(pixels).toHaveLength(means.length)
        expect(means.every((mean, i) => Math.abs(mean - pixels[i]!) < 0.50001)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('a picture whose pixels are squares of n gives the picture of the squares, run by run', () => {
    fc.assert(
      fc.property(arbitraryPicture(3), fc.integer({ min: 2, max: 5 }), (picture, n) => {
        const { width, height, data } = picture
        const large = new Uint8Array(data.length * n * n)
        for (let y = 0, i = 0; y < height * n; y++) {
          for (let x = 0; x < width * n; x++, i += 3) {
            const p = 3 * (Math.floor(y / n) * width + Math.floor(x / n))
            large.set(data.subarray(p, p + 3), i)
          }
        }
        const small = shrunk({ width: width * n, height: height * n, channels: 3, data: large }, width, height)
        const own = runLengths(data, width, height)
        expect(pixelsOf(small)).toEqual([...data])
        const shared = ({ starts }: RunLengths) => Array.from(starts, (start, y) => y > 0 && start === starts[y - 1])
        expect(shared(small)).toEqual(shared(own))
        expect(small.ends[height - 1]! - small.starts[height - 1]!).toBe(
          own.ends[height - 1]! - own.starts[height - 1]!,
        )
      }),
      { numRuns: 150 },
    )
  })
})
