import { crc32, deflateSync } from 'node:zlib'

/** 8-bit pixels, row by row. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
  readonly data: Uint8Array
}

export type Rgb = readonly [red: number, green: number, blue: number]

export const WHITE: Rgb = [255, 255, 255]
export const BLACK: Rgb = [0, 0, 0]

/** An RGB picture of one colour, with rectangles painted on it in order: [x, y, width, height, colour]. */
export function paint(
  width: number,
  height: number,
  ground: Rgb,
  rectangles: readonly (readonly [x: number, y: number, width: number, height: number, colour: Rgb])[] = [],
): Picture {
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) data.set(ground, 3 * i)
  for (const [x0, y0, w, h, colour] of rectangles) {
    for (let y = Math.max(0, y0); y < Math.min(height, y0 + h); y++) {
      for (let x = Math.max(0, x0); x < Math.min(width, x0 + w); x++) data.set(colour, 3 * (y * width + x))
    }
  }
  return { width, height, channels: 3, data }
}

/** A drawing in letters, one colour a letter; a dot is the ground. */
export function draw(rows: readonly string[], colours: { readonly [letter: string]: Rgb } = {}): Picture {
  const palette: { readonly [letter: string]: Rgb } = { '.': WHITE, '#': BLACK, ...colours }
  const width = rows[0]!.length
  const data = Uint8Array.from(rows.flatMap((row) => [...row].flatMap((letter) => palette[letter]!)))
  return { width, height: rows.length, channels: 3, data }
}

/** A PNG with the filters (0 to 4) asked for, row by row, the last one repeated; 8-bit RGB or RGBA. */
export function encodePng({ width, height, channels, data }: Picture, filters: readonly number[] = [0]): Buffer {
  const stride = width * channels
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) {
    const filter = filters[Math.min(y, filters.length - 1)]!
    rows[y * (stride + 1)] = filter
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : data[y * stride + i - channels]!
      const above = y === 0 ? 0 : data[(y - 1) * stride + i]!
      const upperLeft = y === 0 || i < channels ? 0 : data[(y - 1) * stride + i - channels]!
      const predicted = [0, left, above, (left + above) >> 1, paeth(left, above, upperLeft)][filter]!
      rows[y * (stride + 1) + 1 + i] = data[y * stride + i]! - predicted
    }
  }
  const head = chunk('IHDR', header(width, height, 8, channels === 4 ? 6 : 2))
  return Buffer.concat([PNG_SIGNATURE, head, chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

export function header(width: number, height: number, depth: number, type: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth, type], 8)
  return data
}

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** As the specification says it, with branches. */
function paeth(a: number, b: number, c: number): number {
  const p = a + b - c
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
  if (pa <= pb && pa <= pc) return a
  return pb <= pc ? b : c
}
