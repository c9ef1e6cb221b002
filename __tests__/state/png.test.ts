import { deflateSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import sharp from 'sharp'
import { inflatePng, pngRunLengths } from '../../lib/state/png.js'
import { type RunLengths, runLengths } from '../../lib/state/run-lengths.js'
import { arbitraryPicture } from './arbitrary-picture.js'
import { chunk, draw, encodePng, header, type Picture, PNG_SIGNATURE } from './pictures.js'

/** Runs as plain data that outlives the next picture. */
function plain({ starts, ends, x, colour, ...size }: RunLengths) {
  const rows = Array.from(starts, (start, y) => [
    Array.from(x.slice(start, ends[y])),
    Array.from(colour.slice(start, ends[y])),
  ])
  return { ...size, shared: Array.from(starts, (start, y) => y > 0 && start === starts[y - 1]), rows }
}

async function runsOf(bytes: Uint8Array): Promise<ReturnType<typeof plain> | undefined> {
  const png = await inflatePng(bytes, 1e6)
  const code = png && pngRunLengths(png)
  return code && plain(code)
}

function opaque(picture: Picture): Picture {
  return { ...picture, data: picture.data.map((value, i) => (i % 4 === 3 ? 255 : value)) }
}

function withoutAlpha({ data, ...picture }: Picture): Picture {
  return { ...picture, channels: 3, data: data.filter((_, i) => i % 4 !== 3) }
}

const filters = fc.array(fc.nat(4), { minLength: 1, maxLength: 12 })

describe('the short way for screenshots', () => {
  test('RGB with any filters gives the runs of its pixels', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryPicture(3), filters, async (picture, filters) => {
        const { data, width, height } = picture
        expect(await runsOf(encodePng(picture, filters))).toEqual(plain(runLengths(data, width, height)))
      }),
      { numRuns: 600 },
    )
  })

  test('opaque RGBA gives those of RGB', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryPicture(4), filters, async (picture, filters) => {
        const { data, width, height } = withoutAlpha(picture)
        expect(await runsOf(encodePng(opaque(picture), filters))).toEqual(plain(runLengths(data, width, height)))
      }),
      { numRuns: 300 },
    )
  })

  test('the decoder for all cases gives the same pixels', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryPicture(3), filters, async (picture, filters) => {
        const bytes = encodePng(picture, filters)
        const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
        expect(await runsOf(bytes)).toEqual(plain(runLengths(data, info.width, info.height)))
      }),
      { numRuns: 100 },
    )
  })

  const picture = draw(['.##.', '.#..', '####'])

  test('chunks beside the picture are passed over when they do not change it', async () => {
    const bytes = encodePng(picture)
    const text = chunk('tEXt', Buffer.from('Software\0a recorder'))
    const withText = Buffer.concat([bytes.subarray(0, 33), text, bytes.subarray(33)])
    expect(await runsOf(withText)).toEqual(await runsOf(bytes))
    const transparent = Buffer.concat([bytes.subarray(0, 33), chunk('tRNS', Buffer.alloc(6)), bytes.subarray(33)])
    expect(await runsOf(transparent)).toBeUndefined()
  })

  test('data in several chunks', async () => {
    const bytes = encodePng(picture)
    const data = bytes.subarray(41, bytes.length - 16)
    const parts = [
      PNG_SIGNATURE,
      bytes.subarray(8, 33),
      chunk('IDAT', data.subarray(0, 5)),
      chunk('IDAT', data.subarray(5)),
    ]
    expect(await runsOf(Buffer.concat([...parts, chunk('IEND')]))).toEqual(await runsOf(bytes))
  })

  const { data, width, height } = draw(Array(9).fill('.##.#.#.#'))
  const image = () => sharp(data, { raw: { width, height, channels: 3 } })
  const translucent = { width, height, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } as const
  test.each([
    ['16 bits', () => image().toColourspace('rgb16').png()],
    ['interlaced', () => image().png({ progressive: true })],
    ['a colour profile', () => image().withIccProfile('p3').png()],
    ['translucent', () => sharp({ create: translucent }).png()],
    ['JPEG', () => image().jpeg()],
  ])('left to the decoder for all cases: %s', async (_, make) => {
    expect(await runsOf(await make().toBuffer())).toBeUndefined()
  })

  test('palettes and greys of any depth give the pixels that the decoder for all cases gives', async () => {
    const bits = fc.constantFrom(1, 2, 4, 8)
    const cases = fc.record({
      depth: bits,
      grey: fc.boolean(),
      width: fc.integer({ min: 1, max: 40 }),
      colours: fc.uint8Array({ minLength: 1, maxLength: 60 }),
      values: fc.uint8Array({ minLength: 40, maxLength: 160 }),
      filter: fc.nat(3),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ depth, grey, width, colours, values, filter }) => {
        const stride = Math.ceil((width * depth) / 8)
        const height = Math.floor(values.length / stride)
        const rows = Buffer.alloc((stride + 1) * height)
        for (let y = 0; y < height; y++) {
          rows[y * (stride + 1)] = y === 0 ? 0 : filter
          rows.set(
            values.subarray(y * stride, (y + 1) * stride).map((value) => (y > 0 && y % 3 === 0 ? 0 : value)),
            y * (stride + 1) + 1,
          )
        }
        const palette = Uint8Array.from({ length: 3 << depth }, (_, i) => colours[i % colours.length]! ^ (i >> 4))
        const bytes = Buffer.concat([
          PNG_SIGNATURE,
          chunk('IHDR', header(width, height, depth, grey ? 0 : 3)),
          ...(grey ? [] : [chunk('PLTE', palette)]),
          chunk('IDAT', deflateSync(rows)),
          chunk('IEND'),
        ])
        const { data } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
        expect(await runsOf(bytes)).toEqual(plain(runLengths(data, width, height)))
      }),
      { numRuns: 300 },
    )
  })

  test('a value beyond the end of its palette is left to the decoder for all cases', async () => {
    const withColours = (count: number) =>
      Buffer.concat([
        PNG_SIGNATURE,
        chunk('IHDR', header(4, 1, 2, 3)),
        chunk('PLTE', Buffer.alloc(3 * count, 7)),
        chunk('IDAT', deflateSync(Buffer.of(0, 0b00_01_10_00))),
        chunk('IEND'),
      ])
    expect(await runsOf(withColours(3))).toMatchObject({ width: 4, height: 1 })
    expect(await runsOf(withColours(2))).toBeUndefined()
  })

  test('anything damaged or cut off is left to it, too', async () => {
    const bytes = encodePng(picture, [1, 2, 4])
    for (let i = 0; i < bytes.length; i++) {
      expect(await runsOf(bytes.subarray(0, i))).toBeUndefined()
      const damaged = Buffer.from(bytes)
      damaged[i]! ^= 0x10
      expect(await runsOf(damaged)).toBeUndefined()
    }
  })

  test('a size that the data does not have, and a filter that does not exist', async () => {
    const forged = (width: number, height: number, rows: Uint8Array) => {
      const parts = [chunk('IHDR', header(width, height, 8, 2)), chunk('IDAT', deflateSync(rows)), chunk('IEND')]
      return Buffer.concat([PNG_SIGNATURE, ...parts])
    }
    expect(await runsOf(forged(2, 2, Buffer.alloc(14)))).toBeDefined()
    for (const length of [0, 13, 15, 100_000]) expect(await runsOf(forged(2, 2, Buffer.alloc(length)))).toBeUndefined()
    expect(await runsOf(forged(2, 0, Buffer.alloc(0)))).toBeUndefined()
    expect(await runsOf(forged(0xffffffff, 0xffffffff, Buffer.alloc(14)))).toBeUndefined()
    expect(await runsOf(forged(2, 1, Buffer.from([5, 0, 0, 0, 0, 0, 0])))).toBeUndefined()
  })
})
