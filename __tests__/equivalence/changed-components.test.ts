import { describe, expect, test } from '@jest/globals'
import { changedComponents } from '../../lib/equivalence/changed-components.js'
import { fingerprintImage } from '../../lib/state/fingerprint-image.js'
import { BLACK, encodePng, paint, type Rgb, WHITE } from '../state/pictures.js'

/** A page of 320 x 160 pixels (20 x 10 cells) with boxes on it: [x, y, width, height, colour]. */
function page(...boxes: (readonly [number, number, number, number, Rgb])[]) {
  return fingerprintImage(encodePng(paint(320, 160, WHITE, boxes)))
}

describe('changedComponents', () => {
  test('nothing between a page and itself, or two blank ones', async () => {
    const one = await page([20, 20, 3, 8, BLACK])
    expect(changedComponents(one, one)).toEqual({ count: 0, moved: 0, area: 0 })
    expect(changedComponents(await page(), await page())).toEqual({ count: 0, moved: 0, area: 0 })
  })

  test('what is there in one of them only, whichever', async () => {
    const [without, withBox] = [
      await page([20, 20, 3, 8, BLACK]),
      await page([20, 20, 3, 8, BLACK], [100, 40, 3, 8, BLACK]),
    ]
    const change = { count: 1, moved: 1, area: 1 / 200 }
    expect(changedComponents(without, withBox)).toEqual(change)
    expect(changedComponents(withBox, without)).toEqual(change)
  })

  test('a pixel to the right is a change on both sides, and a move', async () => {
    const change = changedComponents(await page([20, 20, 3, 8, BLACK]), await page([21, 20, 3, 8, BLACK]))
    expect(change).toEqual({ count: 2, moved: 2, area: 1 / 200 })
  })

  test('another colour in the same place is a change', async () => {
    const { count } = changedComponents(await page([20, 20, 3, 8, BLACK]), await page([20, 20, 3, 8, [0, 90, 0]]))
    expect(count).toBe(2)
  })

  test('the cells that a box reaches into, also at the edges of the picture', async () => {
    const blank = await page()
    expect(changedComponents(blank, await page([14, 14, 3, 4, BLACK])).area).toBe(4 / 200)
    expect(changedComponents(blank, await page([316, 140, 3, 10, BLACK])).area).toBe(2 / 200)
    expect(changedComponents(blank, await page([1, 0, 3, 160, BLACK])).area).toBe(10 / 200)
  })

  test('of pictures of two sizes the larger one counts', async () => {
    const small = await fingerprintImage(encodePng(paint(64, 64, WHITE, [[20, 20, 3, 8, BLACK]])))
    expect(changedComponents(small, await page())).toEqual({ count: 1, moved: 0, area: 1 / 200 })
  })
})
