import { THUMBNAIL_SIZE, type Thumbnail } from './fingerprint.js'
import { keepShape } from './keep-shape.js'
import { type RunLengths, runLengths } from './run-lengths.js'

/**
 * The picture in luma (ITU-R Rec. 601), made smaller by the average over boxes of whole pixels until its longest side is
 * `size`; a smaller picture keeps its size. The arithmetic is exact or IEEE 754's, so every machine gives the same bytes.
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
  const inverses = Float64Array.from({ length: width }, (_, box) => 1 / (edges[box + 1]! - edges[box]!))
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
    writeRow(inside, after, inverses, bottom - top, luma, row * width)
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
  inverses: Float64Array,
  rows: number,
  luma: Uint8Array,
  from: number,
): void {
  const inverse = 1 / (1000 * rows)
  let level = 0
  for (let box = 0; box < inside.length; box++) {
    level += after[box]!
    luma[from + box] = (inside[box]! * inverses[box]! + level) * inverse + 0.5
  }
}

/** First pixel of box `index` of `count` that share `length` pixels as evenly as whole pixels can be. */
function edge(index: number, length: number, count: number): number {
  return Math.floor((index * length) / count)
}

keepShape(thumbnail(runLengths(new Uint8Array(3), 1, 1)))
