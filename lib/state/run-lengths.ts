/**
 * A picture as runs of one colour, row by row: what a screen mostly consists of. It is a tenth to a hundredth of the
 * pixels, and everything that is computed from a picture is computed from it.
 */
export interface RunLengths {
  readonly width: number
  readonly height: number
  /** Row y owns the runs `starts[y]` up to `ends[y]`, not included; equal rows share theirs. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** First pixel of each run; the first run of a row starts at 0, and neighbouring runs differ in colour. */
  readonly x: Int32Array
  /** Red, green and blue as 0xRRGGBB in the byte order of the pixels: red in the lowest byte. */
  readonly colour: Int32Array
}

/** Samples per pixel: luma, or red, green, blue (and a fourth that is passed over). */
export type Channels = 1 | 3 | 4

/**
 * The run-length code of 8-bit pixels. The arrays of the answer belong to this module and are valid until its next call:
 * fresh megabytes for every picture would cost as much as the scan.
 */
export function runLengths(pixels: Uint8Array, channels: Channels, width: number, height: number): RunLengths {
  if (!(width >= 1 && height >= 1) || pixels.length !== width * height * channels) {
    throw new RangeError(`${pixels.length} bytes are not ${width} x ${height} pixels of ${channels} channels`)
  }
  const rows = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length)
  const stride = width * channels
  const words = channels !== 4 && LITTLE_ENDIAN && pixels.byteOffset % 4 === 0 ? wordsOf(pixels) : null
  const starts = new Int32Array(height)
  const ends = new Int32Array(height)
  let count = 0
  for (let y = 0; y < height; y++) {
    const from = y * stride
    if (y > 0 && rows.compare(rows, from - stride, from, from, from + stride) === 0) {
      starts[y] = starts[y - 1]!
      ends[y] = ends[y - 1]!
      continue
    }
    if (count + width > xs.length) grow(count, width)
    starts[y] = count
    if (words === null) count = scanBytes(pixels, channels, from, width, count)
    else if (channels === 3) count = scanRgb(pixels, words, from, width, count)
    else count = scanGrey(pixels, words, from, width, count)
    ends[y] = count
  }
  const code = { width, height, starts, ends, x: xs, colour: colours }
  if (xs.length > KEPT_RUNS) {
    xs = new Int32Array(0)
    colours = new Int32Array(0)
  }
  return code
}

let xs = new Int32Array(0)
let colours = new Int32Array(0)
/** Longest scratch arrays that are kept for the next picture: 8 MB each. */
const KEPT_RUNS = 1 << 21

function grow(count: number, width: number): void {
  const size = Math.max(1 << 17, count + width, 2 * xs.length)
  const [oldXs, oldColours] = [xs, colours]
  xs = new Int32Array(size)
  colours = new Int32Array(size)
  xs.set(oldXs.subarray(0, count))
  colours.set(oldColours.subarray(0, count))
}

/** The plain scan: the reference of the fast ones, and the way of the rare machine that they do not fit. */
function scanBytes(pixels: Uint8Array, channels: Channels, from: number, width: number, first: number): number {
  let count = first
  let colour = -1
  for (let x = 0, p = from; x < width; x++, p += channels) {
    const c = channels === 1 ? pixels[p]! * 0x010101 : pixels[p]! | (pixels[p + 1]! << 8) | (pixels[p + 2]! << 16)
    if (c === colour) continue
    colour = c
    xs[count] = x
    colours[count++] = c
  }
  return count
}

const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** The whole words of the pixels; up to three bytes at the end belong to none. */
function wordsOf(pixels: Uint8Array): Int32Array {
  return new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2)
}

/**
 * Four RGB pixels are three words: RGBR GBRG BRGB. While the colour stays, so do the three words, and flat areas pass at
 * three comparisons for four pixels.
 */
function scanRgb(pixels: Uint8Array, words: Int32Array, from: number, width: number, first: number): number {
  const xOut = xs
  const colourOut = colours
  let count = first
  let colour = -1
  let x = 0
  // Row starts are whole words only every fourth pixel.
  const head = Math.min(width, (4 - ((from / 3) & 3)) & 3)
  for (let p = from; x < head; x++, p += 3) {
    const c = pixels[p]! | (pixels[p + 1]! << 8) | (pixels[p + 2]! << 16)
    if (c === colour) continue
    colour = c
    xOut[count] = x
    colourOut[count++] = c
  }
  const groupEnd = x + ((width - x) & ~3)
  let w = ((from + 3 * x) / 4) | 0
  while (x < groupEnd) {
    if (colour !== -1) {
      const a = colour | (colour << 24)
      const b = (colour >>> 8) | (colour << 16)
      const c = (colour >>> 16) | (colour << 8)
      while (x < groupEnd && words[w] === a && words[w + 1] === b && words[w + 2] === c) {
        x += 4
        w += 3
      }
      if (x >= groupEnd) break
    }
    const a = words[w]!
    const b = words[w + 1]!
    const c = words[w + 2]!
    const p0 = a & 0xffffff
    const p1 = (a >>> 24) | ((b & 0xffff) << 8)
    const p2 = (b >>> 16) | ((c & 0xff) << 16)
    const p3 = c >>> 8
    if (p0 !== colour) {
      xOut[count] = x
      colourOut[count++] = p0
    }
    if (p1 !== p0) {
      xOut[count] = x + 1
      colourOut[count++] = p1
    }
    if (p2 !== p1) {
      xOut[count] = x + 2
      colourOut[count++] = p2
    }
    if (p3 !== p2) {
      xOut[count] = x + 3
      colourOut[count++] = p3
    }
    colour = p3
    x += 4
    w += 3
  }
  for (let p = from + 3 * x; x < width; x++, p += 3) {
    const c = pixels[p]! | (pixels[p + 1]! << 8) | (pixels[p + 2]! << 16)
    if (c === colour) continue
    colour = c
    xOut[count] = x
    colourOut[count++] = c
  }
  return count
}

/** One word is four grey pixels. */
function scanGrey(pixels: Uint8Array, words: Int32Array, from: number, width: number, first: number): number {
  let count = first
  let luma = -1
  let x = 0
  while (x < width) {
    const p = from + x
    if ((p & 3) === 0 && luma >= 0) {
      const same = Math.imul(luma, 0x01010101)
      let w = p >> 2
      const wordEnd = (from + width) >> 2
      while (w < wordEnd && words[w] === same) w++
      x = Math.max(x, 4 * w - from)
      if (x >= width) break
    }
    const g = pixels[from + x]!
    if (g !== luma) {
      luma = g
      xs[count] = x
      colours[count++] = g * 0x010101
    }
    x++
  }
  return count
}
