import { keepShape } from './keep-shape.js'

/**
 * A picture as runs of one colour, row by row: what a screen mostly consists of. It is a tenth to a hundredth of the
 * pixels, and everything that is computed from a picture is computed from it.
 */
export interface RunLengths {
  readonly width: number
  readonly height: number
  /** Row y owns the runs `starts[y]` up to `ends[y]`, not included; equal rows one after the other share theirs. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** First pixel of each run; the first run of a row starts at 0, and neighbouring runs differ in colour. */
  readonly x: Int32Array
  /** 0xBBGGRR: red in the lowest byte, as in the bytes of a picture. */
  readonly colour: Int32Array
}

export function makeRunLengths(
  width: number,
  starts: Int32Array,
  ends: Int32Array,
  x: Int32Array,
  colour: Int32Array,
): RunLengths {
  return { width, height: starts.length, starts, ends, x, colour }
}

/** Samples per pixel, 8 bits each: red, green, blue, or these and alpha. */
export type Channels = 3 | 4

/** The run-length code of an RGB picture that is whole in memory; see RunLengthEncoder for how long it is valid. */
export function runLengths(rgb: Uint8Array, width: number, height: number): RunLengths {
  if (!(width >= 1 && height >= 1) || rgb.length !== width * height * 3) {
    throw new RangeError(`${rgb.length} bytes are not ${width} x ${height} pixels of 3 channels`)
  }
  const encoder = new RunLengthEncoder(3, width, height)
  const rows = rowBytes(rgb)
  for (let y = 0; y < height; y++) encoder.add(rows, y * width * 3)
  return encoder.finish()!
}

/** Bytes that rows are read from, and the same memory in whole words; up to three bytes at the end are in none. */
export interface RowBytes {
  readonly bytes: Buffer
  readonly words: Int32Array
}

export function rowBytes(pixels: Uint8Array): RowBytes {
  // Words have to begin at a multiple of four.
  const { buffer, byteOffset, length } = pixels.byteOffset % 4 === 0 ? pixels : Uint8Array.from(pixels)
  return { bytes: Buffer.from(buffer, byteOffset, length), words: new Int32Array(buffer, byteOffset, length >> 2) }
}

/**
 * Takes a picture row by row. One at a time: the arrays of the answer are shared by all encoders and valid until the next
 * is made, as fresh megabytes for every picture would cost as much as the scan.
 */
export class RunLengthEncoder {
  readonly #channels: Channels
  readonly #width: number
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  #y = 0
  #above: RowBytes | null = null
  #aboveFrom = 0

  constructor(channels: Channels, width: number, height: number) {
    this.#channels = channels
    this.#width = width
    this.#starts = new Int32Array(height)
    this.#ends = new Int32Array(height)
    count = 0
    opaque = true
  }

  /**
   * The next row begins at byte `from`, with alpha at a multiple of four. The one before it must still be where it was, for
   * comparison.
   */
  add(rows: RowBytes, from: number): void {
    const length = this.#width * this.#channels
    const above = this.#above
    const aboveFrom = this.#aboveFrom
    this.#above = rows
    this.#aboveFrom = from
    if (above !== null && rows.bytes.compare(above.bytes, aboveFrom, aboveFrom + length, from, from + length) === 0) {
      this.repeat()
      return
    }
    if (count + this.#width > xs.length) grow(this.#width)
    this.#starts[this.#y] = count
    SCANS[this.#channels](rows, from, this.#width)
    this.#ends[this.#y++] = count
  }

  /** The next row is equal to the last. */
  repeat(): void {
    this.#starts[this.#y] = this.#starts[this.#y - 1]!
    this.#ends[this.#y] = this.#ends[this.#y - 1]!
    this.#y++
  }

  /** The code; null when a pixel was not opaque: what it looks like depends on what is behind it. */
  finish(): RunLengths | null {
    const code = makeRunLengths(this.#width, this.#starts, this.#ends, xs, colours)
    if (xs.length > KEPT_RUNS) {
      xs = new Int32Array(0)
      colours = new Int32Array(0)
    }
    return opaque ? code : null
  }
}

let xs = new Int32Array(0)
let colours = new Int32Array(0)
let count = 0
let opaque = true
/** Longest arrays that are kept for the next picture: 8 MB each. */
const KEPT_RUNS = 1 << 21

function grow(width: number): void {
  const size = Math.max(1 << 17, count + width, 2 * xs.length)
  const [oldXs, oldColours] = [xs, colours]
  xs = new Int32Array(size)
  colours = new Int32Array(size)
  xs.set(oldXs.subarray(0, count))
  colours.set(oldColours.subarray(0, count))
}

/** The plain scan: the reference of the fast ones, and the way of the rare machine that they do not fit. */
function scanPixels(bytes: Uint8Array, channels: Channels, from: number, x: number, end: number, before: number): void {
  let n = count
  let colour = before
  for (let p = from + x * channels; x < end; x++, p += channels) {
    const c = bytes[p]! | (bytes[p + 1]! << 8) | (bytes[p + 2]! << 16)
    if (channels === 4 && bytes[p + 3] !== 255) opaque = false
    if (c === colour) continue
    colour = c
    xs[n] = x
    colours[n++] = c
  }
  count = n
}

type Scan = (rows: RowBytes, from: number, width: number) => void

/** No colour; also what words of a colour cannot be made from. */
const NONE = -1

const plain =
  (channels: Channels): Scan =>
  (rows, from, width) =>
    scanPixels(rows.bytes, channels, from, 0, width, NONE)

const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
const SCANS: Record<Channels, Scan> = LITTLE_ENDIAN ? { 3: scanRgb, 4: scanRgba } : { 3: plain(3), 4: plain(4) }

/**
 * Four RGB pixels are three words: RGBR GBRG BRGB. While the colour stays, so do the three words, and flat areas pass at
 * three comparisons for four pixels.
 */
function scanRgb({ bytes, words }: RowBytes, from: number, width: number): void {
  // A row may begin anywhere; of any four pixels in a row one begins on a word.
  const head = Math.min(width, from & 3)
  scanPixels(bytes, 3, from, 0, head, NONE)
  const xOut = xs
  const colourOut = colours
  let n = count
  let x = head
  const end = x + ((width - x) & ~3)
  let colour = x > 0 ? colourOut[n - 1]! : NONE
  let w = (from + 3 * x) >> 2
  while (x < end) {
    const a = words[w]!
    const b = words[w + 1]!
    const c = words[w + 2]!
    w += 3
    const p0 = a & 0xffffff
    const p1 = (a >>> 24) | ((b & 0xffff) << 8)
    const p2 = (b >>> 16) | ((c & 0xff) << 16)
    const p3 = c >>> 8
    if (p0 !== colour) {
      xOut[n] = x
      colourOut[n++] = p0
    }
    if (p1 !== p0) {
      xOut[n] = x + 1
      colourOut[n++] = p1
    }
    if (p2 !== p1) {
      xOut[n] = x + 2
      colourOut[n++] = p2
    }
    if (p3 !== p2) {
      xOut[n] = x + 3
      colourOut[n++] = p3
    }
    colour = p3
    x += 4
    if (p0 === p3 && p1 === p2 && p0 === p1) {
      while (x < end && words[w] === a && words[w + 1] === b && words[w + 2] === c) {
        x += 4
        w += 3
      }
    }
  }
  count = n
  if (x < width) scanPixels(bytes, 3, from, x, width, colour)
}

/** A word is a pixel, with alpha in the highest byte. */
function scanRgba({ words }: RowBytes, from: number, width: number): void {
  const w = from >> 2
  let n = count
  let pixel = ~words[w]!
  for (let x = 0; x < width; x++) {
    const p = words[w + x]!
    if (p === pixel) continue
    pixel = p
    if (p >>> 24 !== 255) opaque = false
    xs[n] = x
    colours[n++] = p & 0xffffff
  }
  count = n
}

keepShape(rowBytes(new Uint8Array(4)))
keepShape(runLengths(new Uint8Array(3), 1, 1))
keepShape(new RunLengthEncoder(3, 1, 1))
