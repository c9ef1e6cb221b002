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
  const pixels = new Map<number, number>()
  // Runs of the ground follow one another, with only shorter ones between them: they are added up before they are put down.
  let ground = -1
  let sum = 0
  const putDown = () => {
    const red = ((ground & 0xff) + 4) >> 3
    const green = (((ground >> 8) & 0xff) + 4) >> 3
    const blue = ((ground >> 16) + 4) >> 3
    const coarse = red * 0x10000 + green * 0x100 + blue
    pixels.set(coarse, (pixels.get(coarse) ?? 0) + sum)
  }
  for (let y = 0; y < height; ) {
    let equal = 1
    while (y + equal < height && starts[y + equal] === starts[y]) equal++
    const end = ends[y]!
    for (let run = starts[y]!; run < end; run++) {
      const length = (run + 1 < end ? x[run + 1]! : width) - x[run]!
      if (length < SHORTEST && length < width) continue
      if (colour[run] !== ground) {
        if (sum > 0) putDown()
        ground = colour[run]!
        sum = 0
      }
      sum += length * equal
    }
    y += equal
  }
  putDown()
  const least = LEAST_SHARE * width * height
  return [...pixels.keys()].filter((c) => pixels.get(c)! >= least).sort((a, b) => a - b)
}
