import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'
import { keepShape } from './keep-shape.js'
import { type RowBytes, RunLengthEncoder, type RunLengths, rowBytes } from './run-lengths.js'

/** The rows of a PNG as they are in it: each with the number of its filter before it, and filtered. */
export interface FilteredPng {
  readonly width: number
  readonly height: number
  /** Bits of a sample, and samples of a pixel. */
  readonly depth: 1 | 2 | 4 | 8
  readonly samples: 1 | 3 | 4
  /** Red, green and blue of each value where a pixel is one sample: a palette, or greys. */
  readonly palette: Uint8Array | undefined
  readonly rows: Uint8Array
}

/**
 * Screenshots are PNGs of few kinds: not interlaced, 8 bits for each of red, green and blue (and alpha), or one sample for a
 * palette or a grey. For these a short way is worth its code: what a filter predicts without error is a repeated row or a
 * flat area, so that the runs of a picture come from its rows in less time than a decoder for all cases takes to give its
 * pixels.
 *
 * PNG specification, 3rd edition (W3C 2025). Undefined for everything else, and for anything at all that is not in order:
 * the decoder for all cases has to say what it is.
 */
export async function inflatePng(bytes: Uint8Array, maxPixels: number): Promise<FilteredPng | undefined> {
  const png = readChunks(bytes)
  if (png === undefined || png.width * png.height > maxPixels) return undefined
  const length = (rowLength(png) + 1) * png.height
  try {
    // One byte more than there should be, so that the end of the data is seen within one chunk.
    const rows = await inflateAsync(png.data, { chunkSize: Math.max(64, length + 1), maxOutputLength: length + 64 })
    return rows.length === length ? makeFiltered(png, rows) : undefined
  } catch {
    return undefined
  }
}

function makeFiltered(
  { width, height, depth, samples, palette }: Omit<FilteredPng, 'rows'>,
  rows: Uint8Array,
): FilteredPng {
  return { width, height, depth, samples, palette, rows }
}

keepShape(makeFiltered({ width: 1, height: 1, depth: 8, samples: 3, palette: undefined }, new Uint8Array(4)))

function rowLength({ width, samples, depth }: Pick<FilteredPng, 'width' | 'samples' | 'depth'>): number {
  return Math.ceil((width * samples * depth) / 8)
}

const inflateAsync = promisify(inflate) as (data: Uint8Array, options: object) => Promise<Buffer>

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Chunks that do not change what the pixels are, for a decoder that leaves gamma to others. Not iCCP, tRNS or acTL. */
const HARMLESS = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME', 'pHYs', 'sRGB', 'gAMA', 'cHRM', 'sBIT', 'bKGD'])

function readChunks(input: Uint8Array) {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length)
  if (bytes.length < 45 || SIGNATURE.compare(bytes, 0, 8) !== 0 || bytes.readUInt32BE(8) !== 13) return undefined
  const data: Buffer[] = []
  let colours: Uint8Array | undefined
  let at = 8
  for (;;) {
    if (at + 12 > bytes.length) return undefined
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 8 + length
    if (end + 4 > bytes.length || bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) return undefined
    if ((type === 'IHDR') !== (at === 8)) return undefined
    if (type === 'IEND') break
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, end))
    else if (type === 'PLTE') colours = bytes.subarray(at + 8, end)
    else if (type !== 'IHDR' && !HARMLESS.has(type)) return undefined
    at = end + 4
  }
  const width = bytes.readUInt32BE(16)
  const height = bytes.readUInt32BE(20)
  const format = pixelFormat(bytes[24]!, bytes[25]!, colours)
  if (format === undefined || width === 0 || height === 0) return undefined
  // Compression, filter and interlace methods of the usual kind.
  if (bytes[26] !== 0 || bytes[27] !== 0 || bytes[28] !== 0) return undefined
  return { width, height, ...format, data: data.length === 1 ? data[0]! : Buffer.concat(data) }
}

function pixelFormat(
  depth: number,
  type: number,
  colours: Uint8Array | undefined,
): Pick<FilteredPng, 'depth' | 'samples' | 'palette'> | undefined {
  if (depth === 8 && type === TRUECOLOUR) return { depth, samples: 3, palette: undefined }
  if (depth === 8 && type === TRUECOLOUR_ALPHA) return { depth, samples: 4, palette: undefined }
  if (depth !== 1 && depth !== 2 && depth !== 4 && depth !== 8) return undefined
  if (type === PALETTE) return colours && { depth, samples: 1, palette: colours }
  if (type !== GREYSCALE) return undefined
  const white = (1 << depth) - 1
  const palette = Uint8Array.from({ length: 3 * (white + 1) }, (_, i) => (Math.floor(i / 3) * 255) / white)
  return { depth, samples: 1, palette }
}

const GREYSCALE = 0
const TRUECOLOUR = 2
const PALETTE = 3
const TRUECOLOUR_ALPHA = 6

/**
 * The runs of a PNG. Only a few rows of pixels exist at a time. Undefined for what the decoder for all cases has to say or
 * do: a filter or a colour that does not exist, pixels that are not opaque, and the odd palette with Paeth's filter.
 */
export function pngRunLengths(png: FilteredPng): RunLengths | undefined {
  const { width, height, samples, palette, rows } = png
  const length = rowLength(png)
  const encoder = new RunLengthEncoder(samples === 4 ? 4 : 3, width, height)
  const filtered = rowBytes(rows)
  const zeros = Buffer.alloc(length)
  // Two of each, as the encoder looks at the last row again.
  let spare = emptyRow(length)
  let other = emptyRow(length)
  let colours = palette ? emptyRow(3 * width) : spare
  let otherColours = palette ? emptyRow(3 * width) : other
  let above = emptyRow(length)
  let aboveFrom = 0
  for (let y = 0, from = 1; y < height; y++, from += length + 1) {
    const filter = filtered.bytes[from - 1]!
    const predicted = (filter === UP || filter === PAETH) && zeros.compare(filtered.bytes, from, from + length) === 0
    // Without a remainder both give the row above: where left and upper left are equal, Paeth's predictor takes the byte above.
    if (predicted && y > 0) {
      encoder.repeat()
      continue
    }
    let row = filtered
    let rowFrom = from
    // A row without a filter is read where it is, but for alpha, which has to begin on a word.
    if (filter !== NONE || samples === 4) {
      if (!unfilter(filter, filtered, from, above, aboveFrom, spare.bytes, length, samples)) return undefined
      row = spare
      rowFrom = 0
      const free = other
      other = spare
      spare = free
    }
    const repeated =
      palette !== undefined &&
      y > 0 &&
      row.bytes.compare(above.bytes, aboveFrom, aboveFrom + length, rowFrom, rowFrom + length) === 0
    above = row
    aboveFrom = rowFrom
    if (repeated) {
      encoder.repeat()
      continue
    }
    if (palette !== undefined) {
      if (!look(row.bytes, rowFrom, png.depth, palette, colours.bytes, width)) return undefined
      row = colours
      rowFrom = 0
      const free = otherColours
      otherColours = colours
      colours = free
    }
    encoder.add(row, rowFrom)
  }
  return encoder.finish() ?? undefined
}

/** In whole words. */
function emptyRow(length: number): RowBytes {
  return rowBytes(new Uint8Array((length + 3) & ~3))
}

/** Looks the colours of a row's values up; false when one has none. */
function look(
  values: Uint8Array,
  from: number,
  depth: number,
  palette: Uint8Array,
  out: Uint8Array,
  width: number,
): boolean {
  const last = palette.length / 3 - 1
  const mask = (1 << depth) - 1
  for (let x = 0; x < width; x++) {
    const bit = x * depth
    // The first pixel is in the highest bits.
    const value = (values[from + (bit >> 3)]! >> (8 - depth - (bit & 7))) & mask
    if (value > last) return false
    out[3 * x] = palette[3 * value]!
    out[3 * x + 1] = palette[3 * value + 1]!
    out[3 * x + 2] = palette[3 * value + 2]!
  }
  return true
}

const NONE = 0
const SUB = 1
const UP = 2
const AVERAGE = 3
const PAETH = 4

/** Writes the row without its filter; false when that is none that is done here. */
function unfilter(
  filter: number,
  { bytes, words }: RowBytes,
  from: number,
  above: RowBytes,
  aboveFrom: number,
  out: Buffer,
  length: number,
  samples: number,
): boolean {
  switch (filter) {
    case NONE:
      bytes.copy(out, 0, from, from + length)
      return true
    case SUB:
      addLeft(bytes, from, out, length, samples)
      return true
    case UP:
      above.bytes.copy(out, 0, aboveFrom, aboveFrom + length)
      addUp(bytes, words, from, out, length)
      return true
    case AVERAGE:
      addAverage(bytes, from, above.bytes, aboveFrom, out, length, samples)
      return true
    case PAETH:
      if (samples === 1) return false
      above.bytes.copy(out, 0, aboveFrom, aboveFrom + length)
      addPaeth(bytes, words, from, above.bytes, aboveFrom, out, length, samples)
      return true
    default:
      return false
  }
}

/** Each channel for itself, so that the byte to the left is at hand and not behind a store. */
function addLeft(filtered: Uint8Array, from: number, out: Uint8Array, length: number, channels: number): void {
  for (let k = 0; k < channels; k++) {
    let left = 0
    for (let i = k; i < length; i += channels) {
      left = (left + filtered[from + i]!) & 0xff
      out[i] = left
    }
  }
}

/** `out` holds the row above already. Most remainders are zero, and zeros are passed over a word at a time. */
function addUp(filtered: Uint8Array, words: Int32Array, from: number, out: Uint8Array, length: number): void {
  let i = 0
  while (i < length) {
    if (((from + i) & 3) === 0) {
      let w = (from + i) >> 2
      const end = (from + length) >> 2
      while (w < end && words[w] === 0) w++
      i = 4 * w - from
      // Up to three bytes in the word are zero, but the one at hand need not be.
    }
    const stop = Math.min(length, i + 4 - ((from + i) & 3))
    for (; i < stop; i++) out[i]! += filtered[from + i]!
  }
}

function addAverage(
  filtered: Uint8Array,
  from: number,
  above: Uint8Array,
  aboveFrom: number,
  out: Uint8Array,
  length: number,
  channels: number,
): void {
  for (let k = 0; k < channels; k++) {
    let left = 0
    for (let i = k; i < length; i += channels) {
      left = (filtered[from + i]! + ((left + above[aboveFrom + i]!) >> 1)) & 0xff
      out[i] = left
    }
  }
}

/**
 * `out` holds the row above already. Where the pixel to the left is as the one above it, the predictor is the byte above:
 * as long as there is no remainder, nothing has to be done.
 */
function addPaeth(
  filtered: Uint8Array,
  words: Int32Array,
  from: number,
  above: Uint8Array,
  aboveFrom: number,
  out: Uint8Array,
  length: number,
  channels: number,
): void {
  for (let i = 0; i < length; ) {
    // Left and upper left are equal here, or both outside.
    i = passZeros(filtered, words, from, i, length)
    if (i === length) return
    i -= i % channels
    let a0 = 0
    let a1 = 0
    let a2 = 0
    let a3 = 0
    if (i > 0) {
      a0 = out[i - channels]!
      a1 = out[i - channels + 1]!
      a2 = out[i - channels + 2]!
      if (channels === 4) a3 = out[i - 1]!
    }
    let c0 = a0
    let c1 = a1
    let c2 = a2
    let c3 = a3
    do {
      const b0 = above[aboveFrom + i]!
      const b1 = above[aboveFrom + i + 1]!
      const b2 = above[aboveFrom + i + 2]!
      a0 = (filtered[from + i]! + paeth(a0, b0, c0)) & 0xff
      a1 = (filtered[from + i + 1]! + paeth(a1, b1, c1)) & 0xff
      a2 = (filtered[from + i + 2]! + paeth(a2, b2, c2)) & 0xff
      out[i] = a0
      out[i + 1] = a1
      out[i + 2] = a2
      c0 = b0
      c1 = b1
      c2 = b2
      if (channels === 4) {
        const b3 = above[aboveFrom + i + 3]!
        a3 = (filtered[from + i + 3]! + paeth(a3, b3, c3)) & 0xff
        out[i + 3] = a3
        c3 = b3
      }
      i += channels
    } while (i < length && (a0 !== c0 || a1 !== c1 || a2 !== c2 || a3 !== c3))
  }
}

/** First byte from `i` on that is not zero, or `length`. */
function passZeros(filtered: Uint8Array, words: Int32Array, from: number, start: number, length: number): number {
  let i = start
  while (i < length && ((from + i) & 3) !== 0) {
    if (filtered[from + i] !== 0) return i
    i++
  }
  let w = (from + i) >> 2
  const end = (from + length) >> 2
  while (w < end && words[w] === 0) w++
  i = Math.max(i, 4 * w - from)
  while (i < length && filtered[from + i] === 0) i++
  return i
}

/**
 * Paeth 1991: whichever of left, above and upper left is nearest to left + above - upper left, the first of equals. With
 * masks (-1 for true, 0 for false), as in text no processor foresees which branch comes next.
 */
function paeth(left: number, above: number, upperLeft: number): number {
  const toAbove = left - upperLeft
  const toLeft = above - upperLeft
  const a = Math.abs(toLeft)
  const b = Math.abs(toAbove)
  const c = Math.abs(toLeft + toAbove)
  const notLeft = ((b - a) | (c - a)) >> 31
  const notAbove = (c - b) >> 31
  return left + (notLeft & (above - left + (notAbove & (upperLeft - above))))
}
