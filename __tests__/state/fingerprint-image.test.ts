import { describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { fingerprintImage, sha256 } from '../../lib/state/fingerprint-image.js'
import { BLACK, encodePng, paint, WHITE } from './pictures.js'

/** A page of made-up words, in pixels of a screen of ratio `ratio`. */
function page(ratio: number): Promise<Buffer> {
  const words = Array.from({ length: 60 }, (_, i) => {
    const [x, y] = [20 + (i % 6) * 100, 20 + Math.floor(i / 6) * 30]
    return `<rect x="${x}" y="${y}" width="${20 + ((i * 13) % 50)}" height="${6 + (i % 7)}" fill="#${((i * 54321) % 4096).toString(16).padStart(3, '0')}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${640 * ratio}" height="${360 * ratio}" viewBox="0 0 640 360"><rect width="640" height="360" fill="#eee"/>${words.join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

describe('fingerprintImage', () => {
  test('the same bytes give the same fingerprint', async () => {
    const bytes = await page(1)
    const one = await fingerprintImage(bytes)
    expect(await fingerprintImage(Buffer.from(bytes))).toEqual(one)
    expect(one).toMatchObject({ sha256: sha256(bytes), width: 640, height: 360, scale: 1 })
    expect(one.components.length).toBeGreaterThan(50)
  })

  test('the same pixels give the same fingerprint, however they are coded', async () => {
    const { sha256: _, ...one } = await fingerprintImage(await page(1))
    const again = sharp(await page(1))
    for (const bytes of [
      await again.clone().ensureAlpha().png().toBuffer(),
      await again.clone().removeAlpha().png({ adaptiveFiltering: true, compressionLevel: 1 }).toBuffer(),
      await again.clone().png({ progressive: true }).toBuffer(),
      await again.clone().webp({ lossless: true }).toBuffer(),
      await again.clone().tiff({ compression: 'lzw' }).toBuffer(),
    ]) {
      expect(await fingerprintImage(bytes)).toMatchObject(one)
    }
  })

  test('pictures that are worked on at once do not get mixed up', async () => {
    const pictures = Array.from({ length: 12 }, (_, i) =>
      encodePng(paint(90 + i, 70, WHITE, [[i, 7, 12, 9, BLACK]]), [i % 5]),
    )
    const alone = []
    for (const bytes of pictures) alone.push(await fingerprintImage(bytes))
    expect(await Promise.all(pictures.map((bytes) => fingerprintImage(bytes)))).toEqual(alone)
  })

  test('a picture of pixel ratio 2 is brought to the scale of the screen', async () => {
    const viewport = { width: 640, height: 360 }
    const one = await fingerprintImage(await page(1), { viewport })
    const two = await fingerprintImage(await page(2), { viewport })
    expect(two).toMatchObject({ width: 1280, height: 720, scale: 2, thumbnail: { width: 256, height: 144 } })
    expect(two.blockhash).toBe(one.blockhash)
    expect(two.components).toEqual(one.components)
    const jpeg = await sharp(await page(2))
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const known = new Set(one.components.map(({ shape }) => shape))
    const again = (await fingerprintImage(jpeg, { viewport })).components.filter(({ shape }) => known.has(shape))
    expect(again.length / one.components.length).toBeGreaterThan(0.8)
  })

  test('a ratio is taken out, a scroll bar is not', async () => {
    const bytes = encodePng(paint(120, 90, WHITE, [[10, 10, 50, 20, BLACK]]))
    const scaleFor = async (width: number) => (await fingerprintImage(bytes, { viewport: { width, height: 90 } })).scale
    for (const width of [115, 120, 500, 0, -1, Number.NaN]) expect(await scaleFor(width)).toBe(1)
    expect([await scaleFor(80), await scaleFor(60), await scaleFor(40)]).toEqual([1.5, 2, 3])
    const tiny = await fingerprintImage(bytes, { viewport: { width: 1e-9, height: 1 } })
    expect(tiny).toMatchObject({ width: 120, height: 90, thumbnail: { width: 1, height: 1 }, components: [] })
  })

  test('more pixels than any screen has', async () => {
    const bytes = await sharp({ create: { width: 9000, height: 5000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const one = await fingerprintImage(bytes)
    expect(one).toMatchObject({ width: 9000, height: 5000, components: [], thumbnail: { width: 256, height: 142 } })
    expect(one.scale).toBeCloseTo(Math.sqrt((9000 * 5000) / (7680 * 4320)), 3)
    expect(await fingerprintImage(bytes, { viewport: { width: 900, height: 500 } })).toMatchObject({ scale: 10 })
  })

  test.each([
    [1, 1],
    [1, 5000],
    [5000, 1],
    [2, 3],
  ])('%i x %i', async (width, height) => {
    const one = await fingerprintImage(encodePng(paint(width, height, WHITE)))
    expect(one).toMatchObject({ width, height, scale: 1, components: [], blockhash: 'f'.repeat(64) })
  })
})
