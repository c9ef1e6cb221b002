import { THUMBNAIL_SIZE, type Thumbnail } from './fingerprint.js'
import type { RunLengths } from './run-lengths.js'

/**
 * The picture in luma (ITU-R Rec. 601), made smaller by the average over boxes of whole pixels until its longest side is
 * `size`; a smaller picture keeps its size. Sums are whole numbers, so every machine gives the same bytes.
 *
 * A row is a step function of x, and a box sum is linear in its steps: a step of d at x adds d for each pixel from x to
 * the end of its box, and d for every pixel of the boxes after. So the cost is that of the runs, not of the pixels.
 */
export function thumbnail(code: RunLengths, size = THUMBNAIL_SIZE): Thumbnail {
  const { starts } = code
  const ratio = Math.min(1, size / Math.max(code.width, code.height))
  const width = Math.max(1, Math.round(code.width * ratio))
  const height = Math.max(1, Math.round(code.height * ratio))
  const luma = new Uint8Array(width * height)
  const edges = Int32Array.from({ length: width + 1 }, (_, box) => edge(box, code.width, width))
  const boxOf = new Int32Array(code.width)
  for (let box = 0; box < width; box++) boxOf.fill(box, edges[box], edges[box + 1])

  const inside = new Float64Array(width)
  const after = new Float64Array(width + 1)
  for (let row = 0, y = 0; row < height; row++) {
    inside.fill(0)
    after.fill(0)
    const top = y
    const bottom = edge(row + 1, code.height, height)
    while (y < bottom) {
      let equal = 1
      while (y + equal < bottom && starts[y + equal] === starts[y]) equal++
      addRow(code, y, equal, boxOf, edges, inside, after)
      y += equal
    }
    writeRow(inside, after, edges, bottom - top, luma, row * width)
  }
  return { width, height, luma }
}

function addRow(
  { starts, ends, x, colour }: RunLengths,
  y: number,
  times: number,
  boxOf: Int32Array,
  edges: Int32Array,
  inside: Float64Array,
  after: Float64Array,
): void {
  let before = 0
  const end = ends[y]!
  for (let k = starts[y]!; k < end; k++) {
    const c = colour[k]!
    const value = 299 * (c & 0xff) + 587 * ((c >> 8) & 0xff) + 114 * (c >> 16)
    const step = (value - before) * times
    before = value
    const at = x[k]!
    const next = boxOf[at]! + 1
    inside[next - 1]! += step * (edges[next]! - at)
    after[next]! += step
  }
}

function writeRow(
  inside: Float64Array,
  after: Float64Array,
  edges: Int32Array,
  rows: number,
  luma: Uint8Array,
  from: number,
): void {
  let level = 0
  let flat = 0
  for (let box = 0; box < inside.length; box++) {
    const step = after[box]!
    if (step !== 0) {
      level += step
      flat = Math.round(level / (1000 * rows))
    }
    const part = inside[box]!
    if (part === 0) luma[from + box] = flat
    else {
      const columns = edges[box + 1]! - edges[box]!
      luma[from + box] = Math.round((part + level * columns) / (1000 * rows * columns))
    }
  }
}

/** First pixel of box `index` of `count` that share `length` pixels as evenly as whole pixels can be. */
function edge(index: number, length: number, count: number): number {
  return Math.floor((index * length) / count)
}
