import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { runLengths } from '../../lib/state/run-lengths.js'
import { thumbnail } from '../../lib/state/thumbnail.js'
import { arbitraryPicture } from './arbitrary-picture.js'
import { BLACK, type Picture, paint, WHITE } from './pictures.js'

function thumbnailOf({ data, width, height }: Picture, size?: number) {
  return thumbnail(runLengths(data, width, height), size)
}

/** Average over each box, pixel by pixel. */
function plainMeans({ data, channels, width, height }: Picture, columns: number, rows: number): number[] {
  const means: number[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0
      let pixels = 0
      for (let y = Math.floor((row * height) / rows); y < Math.floor(((row + 1) * height) / rows); y++) {
        for (let x = Math.floor((column * width) / columns); x < Math.floor(((column + 1) * width) / columns); x++) {
          const p = (y * width + x) * channels
          const [r, g, b] = [data[p]!, data[p + 1]!, data[p + 2]!]
          sum += 0.299 * r + 0.587 * g + 0.114 * b
          pixels++
        }
      }
      means.push(sum / pixels)
    }
  }
  return means
}

describe('thumbnail', () => {
  test('the average of every box, to half a level', () => {
    fc.assert(
      fc.property(arbitraryPicture(3), fc.integer({ min: 1, max: 50 }), (picture, size) => {
        const { width, height, luma } = thumbnailOf(picture, size)
        expect(Math.max(width, height)).toBe(Math.min(size, Math.max(picture.width, picture.height)))
        expect(luma).toHaveLength(width * height)
        const means = plainMeans(picture, width, height)
        expect(means.every((mean, i) => Math.abs(mean - luma[i]!) < 0.501)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('a screen comes down to 256 pixels, whatever way it stands', () => {
    expect(thumbnailOf(paint(1280, 720, WHITE))).toMatchObject({ width: 256, height: 144 })
    expect(thumbnailOf(paint(720, 1280, WHITE))).toMatchObject({ width: 144, height: 256 })
  })

  test('extreme sizes', () => {
    const half = (width: number, height: number) =>
      thumbnailOf(paint(width, height, BLACK, [[0, 0, Math.ceil(width / 2), Math.ceil(height / 2), WHITE]]))
    expect(half(1, 1)).toEqual({ width: 1, height: 1, luma: Uint8Array.of(255) })
    expect(half(1, 5000)).toMatchObject({ width: 1, height: 256 })
    expect([...half(5000, 1).luma]).toEqual([...Array(128).fill(255), ...Array(128).fill(0)])
    const { luma } = half(1, 700_000)
    expect([luma[127], luma[128]]).toEqual([255, 0])
  })
})
