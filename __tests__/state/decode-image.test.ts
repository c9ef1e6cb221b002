import { describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { decodeImage } from '../../lib/state/decode-image.js'
import { inputError } from '../helpers/input-errors.js'
import { chunk, draw, encodePng, header, type Picture, PNG_SIGNATURE, paint, WHITE } from './pictures.js'

const place = { file: 'run-07/trace.jsonl', line: 12, step: 11 }
const picture = paint(120, 90, WHITE, [
  [10, 10, 50, 20, [200, 30, 40]],
  [31, 5, 3, 70, [0, 90, 0]],
])

function image({ data, width, height, channels }: Picture = picture) {
  return sharp(data, { raw: { width, height, channels } })
}

/** A PNG that says it is that large; its data is of a few bytes. */
function forgedPng(width: number, height: number): Buffer {
  const parts = [chunk('IHDR', header(width, height, 8, 2)), chunk('IDAT', Buffer.alloc(20)), chunk('IEND')]
  return Buffer.concat([PNG_SIGNATURE, ...parts])
}

describe('decodeImage', () => {
  test.each(['png', 'webp', 'tiff', 'gif', 'avif'] as const)('%s', async (format) => {
    const bytes = await image().toFormat(format, { lossless: true }).toBuffer()
    const { pixels, ...size } = await decodeImage(bytes)
    expect(size).toEqual({ width: 120, height: 90 })
    expect(pixels).toMatchObject({ width: 120, height: 90, data: { length: picture.data.length } })
    if (format !== 'avif' && format !== 'tiff') expect(Buffer.compare(pixels.data, picture.data)).toBe(0)
  })

  test('on white, in colour where all is grey, and without what is beyond 8 bits', async () => {
    const translucent = await sharp({
      create: { width: 2, height: 1, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    expect([...(await decodeImage(translucent)).pixels.data]).toEqual([255, 255, 255, 255, 255, 255])
    const grey = await image().toColourspace('b-w').png().toBuffer()
    expect((await decodeImage(grey)).pixels.data).toHaveLength(picture.data.length)
    const deep = await image().toColourspace('rgb16').png().toBuffer()
    expect(Buffer.compare((await decodeImage(deep)).pixels.data, picture.data)).toBe(0)
  })

  test('of an animation the first frame', async () => {
    const frames = Buffer.concat([picture.data, paint(120, 90, [1, 2, 3]).data])
    const gif = await sharp(frames, { raw: { width: 120, height: 180, channels: 3, pageHeight: 90 } })
      .gif()
      .toBuffer()
    expect((await sharp(gif).metadata()).pages).toBe(2)
    const { pixels } = await decodeImage(gif)
    expect(pixels.height).toBe(90)
    expect(Buffer.compare(pixels.data, picture.data)).toBe(0)
  })

  test('more pixels than any screen has are brought down', async () => {
    const bytes = await sharp({ create: { width: 9000, height: 5000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const { pixels, ...size } = await decodeImage(bytes)
    expect(size).toEqual({ width: 9000, height: 5000 })
    expect(pixels.width * pixels.height).toBeLessThanOrEqual(7680 * 4320)
  })

  test.each([
    [1, 1],
    [1, 5000],
    [5000, 1],
  ])('%i x %i', async (width, height) => {
    expect(await decodeImage(encodePng(paint(width, height, WHITE)))).toMatchObject({ width, height })
  })

  describe('what cannot be used is refused, with what, where and what to do', () => {
    test('an empty file', async () => {
      const error = await inputError(decodeImage(Buffer.alloc(0), place))
      expect(error.code).toBe('image-empty')
      expect(error.message).toMatch(
        /^run-07\/trace\.jsonl:12, step 11: the picture is empty \(0 bytes\)\. .*record again/,
      )
    })

    test.each([
      ['a text', 'Traceback (most recent call last):'],
      ['a web page', '<!doctype html><title>502</title>'],
      ['JSON', '{"error":"no display"}'],
      ['control characters', '\u001b[2J\u009b31m\u0000'],
      ['one byte', 'x'],
    ])('%s is not an image', async (_, text) => {
      const error = await inputError(decodeImage(Buffer.from(text, 'latin1'), place))
      expect(error.code).toBe('image-not-an-image')
      expect(error.message).toMatch(/it begins with ".*PNG, JPEG or WebP/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
      expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    })

    test.each(['png', 'jpeg', 'webp', 'gif'] as const)('a %s that was cut off, anywhere', async (format) => {
      const bytes = await image().toFormat(format, { lossless: true }).toBuffer()
      for (const share of [0.2, 0.5, 0.9]) {
        const error = await inputError(decodeImage(bytes.subarray(0, Math.max(40, bytes.length * share)), place))
        expect(error.code).toBe('image-truncated')
        expect(error.message).toMatch(/ends too early, after \d+ bytes\. .*record again/)
      }
    })

    test('a PNG that lacks no more than its last byte', async () => {
      expect((await inputError(decodeImage(encodePng(picture).subarray(0, -1), place))).code).toBe('image-truncated')
    })

    test('a damaged PNG', async () => {
      const bytes = encodePng(picture)
      bytes[60]! ^= 0xff
      const error = await inputError(decodeImage(bytes, place))
      expect(error.code).toBe('image-unreadable')
      expect(error.message).toMatch(/damaged and cannot be decoded/)
    })

    test('more than 100 million pixels, before anything is decoded', async () => {
      const png = await inputError(decodeImage(forgedPng(20_000, 20_000), place))
      expect(png.code).toBe('image-too-large')
      expect(png.message).toMatch(/20000 x 20000.*100 million pixels/)
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>')
      expect((await inputError(decodeImage(svg, place))).code).toBe('image-too-large')
    })
  })

  test('what is drawn counts, not what the file is called', async () => {
    const jpeg = await image(draw(Array(40).fill('#'.repeat(20) + '.'.repeat(20))))
      .jpeg()
      .toBuffer()
    expect(await decodeImage(jpeg, { file: 'screenshots/0001.png' })).toMatchObject({
      width: 40,
      height: 40,
    })
  })
})
