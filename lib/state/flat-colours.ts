import type { RunLengths } from './run-lengths.js'

/** Share of the picture from which on a colour is a ground rather than a detail. */
const LEAST_SHARE = 0.02
/** Pixels: shorter runs are text and icons. */
const SHORTEST = 16

/**
 * The colours that cover much of a picture, ascending: what tells a red screen from a green one where there is nothing to read.
 * Each is 0xRRGGBB in units of 8 levels, so that compression noise does not count.
 */
export function flatColours({ width, height, starts, ends, x, colour }: RunLengths): number[] {
  pixels.fill(0)
  for (let y = 0; y < height; ) {
    let equal = 1
    while (y + equal < height && starts[y + equal] === starts[y]) equal++
    const end = ends[y]!
    for (let run = starts[y]!; run < end; run++) {
      const length = (run + 1 < end ? x[run + 1]! : width) - x[run]!
      if (length < SHORTEST && length < width) continue
      const c = colour[run]!
      const red = ((c & 0xff) + 4) >> 3
      const green = (((c >> 8) & 0xff) + 4) >> 3
      const blue = ((c >> 16) + 4) >> 3
      pixels[(red * UNITS + green) * UNITS + blue]! += length * equal
    }
    y += equal
  }
  const least = LEAST_SHARE * width * height
  const found: number[] = []
  for (let i = 0; i < pixels.length; i++) {
    if (pixels[i]! < least) continue
    const red = Math.floor(i / (UNITS * UNITS))
    const green = Math.floor(i / UNITS) % UNITS
    found.push(red * 0x10000 + green * 0x100 + (i % UNITS))
  }
  return found
}

/** Values of a channel in units of 8 levels, rounded. */
const UNITS = 33
/** Pixels of each colour, kept from picture to picture. */
const pixels = new Int32Array(UNITS ** 3)
