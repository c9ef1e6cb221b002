import { type Component, compareComponents } from './fingerprint.js'
import { keepShape } from './keep-shape.js'
import type { RunLengths } from './run-lengths.js'

export interface ComponentOptions {
  /** Sum of the absolute differences of red, green and blue (0 to 765) from which on a pixel is an edge to its left neighbour. */
  readonly tolerance?: number
  /** Pixels, at least 1: edge pixels of a row that are at most this far apart belong together. Bridges strokes, not words. */
  readonly gap?: number
  /** Components kept at most: those with the most edge pixels. A screen has hundreds, a photograph tens of thousands. */
  readonly limit?: number
}

/**
 * Connected components of the picture's left edges (union-find over runs: Rosenfeld & Pfaltz 1966, "Sequential operations
 * in digital picture processing"): words, icons, frames. A pixel is an edge when it differs from its left neighbour.
 * Edge pixels of a row with small gaps are a stretch; stretches of adjacent rows, or with one row between them (the dot of
 * an i), that overlap when widened by a pixel are one component.
 *
 * Only differences count, so a component looks the same wherever it stands on a flat ground, and its hashes are taken
 * relative to its bounding box. In order of y, x, height, width, shape, look. Time: linear in the runs, nearly.
 */
export function components(code: RunLengths, options: ComponentOptions = {}): Component[] {
  const { tolerance = 16, gap = 4, limit = 4096 } = options
  if (!(gap >= 1)) throw new RangeError(`a gap of ${gap} pixels would leave no stretch of two pixels`)
  return measure(joinedStretches(code, tolerance, gap), limit)
}

/**
 * Stretches of edge pixels, one number a column: structs of a language without structs. One that stands right below its like
 * is not written again but counted: windows and tables are full of those.
 */
interface Stretches {
  count: number
  /** First row, and number of rows. */
  y: Int32Array
  rows: Int32Array
  /** First and last pixel, both included. */
  left: Int32Array
  right: Int32Array
  /** Edge pixels in a row. */
  pixels: Int32Array
  /** Hash of where its edge pixels are, relative to the first; and of their colours. */
  shape: Int32Array
  look: Int32Array
  /** The forest that joins stretches to components: a root is its own parent and comes before all others. */
  parent: Int32Array
}

function joinedStretches(code: RunLengths, tolerance: number, gap: number): Stretches {
  const { width, height, starts } = code
  const perRow = Math.ceil(width / (gap + 1))
  let stretches = takeScratch(perRow)
  let count = 0
  // The stretches of this row, of the one above, and of the one above that, from left to right.
  let row = new RowOfStretches(perRow)
  let above = new RowOfStretches(perRow)
  let above2 = new RowOfStretches(perRow)
  for (let y = 0; y < height; ) {
    let rows = 1
    while (y + rows < height && starts[y + rows] === starts[y]) rows++
    if (count + perRow > stretches.y.length) stretches = longer(stretches)
    const first = count
    count = scanRow(code, y, tolerance, gap, stretches, first)
    count = settleRow(stretches, first, count, y, rows, above, row)
    if (count > first) {
      joinRows(stretches, row, first, above)
      joinRows(stretches, row, first, above2)
    }
    const free = above2
    above2 = above
    above = row
    row = free
    // Of equal rows the last but one is as the last, and what is above them is out of reach.
    if (rows > 1) above2.count = 0
    y += rows
  }
  scratch = stretches.y.length > KEPT_STRETCHES ? undefined : stretches
  stretches.count = count
  return stretches
}

/** Numbers of the stretches of one row, from left to right. */
class RowOfStretches {
  readonly numbers: Int32Array
  count = 0

  constructor(size: number) {
    this.numbers = new Int32Array(size)
  }
}

/** Kept from picture to picture: fresh memory for each would take longer than to fill it. */
let scratch: Stretches | undefined
const KEPT_STRETCHES = 1 << 17

function takeScratch(perRow: number): Stretches {
  return scratch !== undefined && scratch.y.length >= perRow ? scratch : noStretches(Math.max(1 << 14, perRow))
}

function noStretches(size: number): Stretches {
  const column = () => new Int32Array(size)
  return {
    count: 0,
    y: column(),
    rows: column(),
    left: column(),
    right: column(),
    pixels: column(),
    shape: column(),
    look: column(),
    parent: column(),
  }
}

const COLUMNS = ['y', 'rows', 'left', 'right', 'pixels', 'shape', 'look', 'parent'] as const

function longer(old: Stretches): Stretches {
  const stretches = noStretches(2 * old.y.length)
  for (const column of COLUMNS) stretches[column].set(old[column])
  return stretches
}

/** Writes the stretches of row `y` from number `first` on; gives the number after the last. */
function scanRow(
  { starts, ends, x, colour }: RunLengths,
  y: number,
  tolerance: number,
  gap: number,
  { left, right, pixels, shape, look }: Stretches,
  first: number,
): number {
  const end = ends[y]!
  let k = starts[y]!
  let before = colour[k++]!
  // Number of the stretch that is open, and what is known of it.
  let open = first - 1
  let from = 0
  let last = -1 - gap
  let edges = 0
  let s = 0
  let l = 0
  for (; k < end; k++) {
    const c = colour[k]!
    const red = (c & 0xff) - (before & 0xff)
    const green = ((c >> 8) & 0xff) - ((before >> 8) & 0xff)
    const blue = (c >> 16) - (before >> 16)
    before = c
    if (Math.abs(red) + Math.abs(green) + Math.abs(blue) < tolerance) continue
    const at = x[k]!
    if (at - last > gap) {
      if (open >= first) {
        right[open] = last
        pixels[open] = edges
        shape[open] = s
        look[open] = l
      }
      left[++open] = at
      from = at
      edges = 0
      s = SEED
      l = SEED
    }
    s = Math.imul(s ^ (at - from), 0x01000193)
    s ^= s >>> 15
    l = Math.imul(l ^ c, 0x85ebca6b)
    l ^= l >>> 13
    edges++
    last = at
  }
  if (open >= first) {
    right[open] = last
    pixels[open] = edges
    shape[open] = s
    look[open] = l
  }
  return open + 1
}

/**
 * Counts each of the new stretches `first..count` that stands below its like, keeps the others, and lists all in `row`.
 * Gives the number after the last one kept. A stretch that is counted needs no joining: all others above it are farther
 * than the gap, and what it reaches two rows above has been joined from the row between.
 */
function settleRow(
  { y: ys, rows, left, right, pixels, shape, look, parent }: Stretches,
  first: number,
  count: number,
  y: number,
  times: number,
  above: RowOfStretches,
  row: RowOfStretches,
): number {
  const up = above.numbers
  const upCount = above.count
  const list = row.numbers
  let kept = first
  for (let i = first, j = 0; i < count; i++) {
    const from = left[i]!
    while (j < upCount && left[up[j]!]! < from) j++
    if (j < upCount) {
      const k = up[j]!
      if (left[k] === from && right[k] === right[i] && shape[k] === shape[i] && look[k] === look[i]) {
        rows[k]! += times
        list[i - first] = k
        continue
      }
    }
    if (kept < i) {
      left[kept] = from
      right[kept] = right[i]!
      pixels[kept] = pixels[i]!
      shape[kept] = shape[i]!
      look[kept] = look[i]!
    }
    ys[kept] = y
    rows[kept] = times
    parent[kept] = kept
    list[i - first] = kept++
  }
  row.count = count - first
  return kept
}

/** Joins the stretches of a row from number `first` on with those of another row that they overlap. */
function joinRows({ left, right, parent }: Stretches, row: RowOfStretches, first: number, above: RowOfStretches): void {
  const up = above.numbers
  const upCount = above.count
  for (let n = 0, j = 0; n < row.count && j < upCount; n++) {
    const i = row.numbers[n]!
    if (i < first) continue
    const min = left[i]! - 1
    const max = right[i]! + 1
    while (j < upCount && right[up[j]!]! < min) j++
    for (let k = j; k < upCount && left[up[k]!]! <= max; k++) {
      const a = root(parent, i)
      const b = root(parent, up[k]!)
      if (a < b) parent[b] = a
      else parent[a] = b
    }
  }
}

function root(parent: Int32Array, start: number): number {
  let i = start
  let up = parent[i]!
  while (up !== i) {
    const next = parent[up]!
    parent[i] = next
    i = next
    up = parent[i]!
  }
  return i
}

/**
 * Bounding box, count and hashes of each component. Its hashes are sums over its rows' stretches, each mixed with its place:
 * sums, as they do not ask for an order, and a row that comes again costs no second look at its pixels.
 */
function measure(stretches: Stretches, limit: number): Component[] {
  const { count, y: ys, rows, left, right, pixels, shape, look, parent } = stretches
  // Stretch -> its component; components are numbered in the order of their first stretch, which is their root.
  const component = new Int32Array(count)
  let components = 0
  for (let i = 0; i < count; i++) if (parent[i] === i) components++
  const top = new Int32Array(components)
  const bottom = new Int32Array(components)
  const minX = new Int32Array(components)
  const maxX = new Int32Array(components)
  const edges = new Float64Array(components)
  components = 0
  for (let i = 0; i < count; i++) {
    const l = left[i]!
    const r = right[i]!
    let c: number
    if (parent[i] === i) {
      c = components++
      top[c] = ys[i]!
      minX[c] = l
      maxX[c] = r
    } else {
      c = component[root(parent, i)]!
      if (l < minX[c]!) minX[c] = l
      if (r > maxX[c]!) maxX[c] = r
    }
    component[i] = c
    bottom[c] = Math.max(bottom[c]!, ys[i]! + rows[i]! - 1)
    edges[c]! += pixels[i]! * rows[i]!
  }

  const shapes = new Int32Array(components)
  const shapes2 = new Int32Array(components)
  const looks = new Int32Array(components)
  for (let i = 0; i < count; i++) {
    const c = component[i]!
    const own = shape[i]! ^ Math.imul(left[i]! - minX[c]!, 0x9e3779b1)
    const dy = ys[i]! - top[c]!
    const end = dy + rows[i]!
    for (let y = dy; y < end; y++) {
      const s = mix(own + Math.imul(y, 0x7feb352d))
      shapes[c] = (shapes[c]! + s) | 0
      shapes2[c] = (shapes2[c]! + Math.imul(s ^ (s >>> 15), s | 1)) | 0
      looks[c] = (looks[c]! + mix(s ^ look[i]!)) | 0
    }
  }

  const found: Component[] = new Array(components)
  for (let c = 0; c < components; c++) {
    const shape = (shapes[c]! >>> 0) * 0x100000 + (mix(shapes2[c]!) >>> 12)
    found[c] = makeComponent(
      shape,
      looks[c]! >>> 0,
      minX[c]!,
      top[c]!,
      maxX[c]! - minX[c]! + 1,
      bottom[c]! - top[c]! + 1,
    )
  }
  return largest(found, edges, limit).sort(compareComponents)
}

function makeComponent(shape: number, look: number, x: number, y: number, width: number, height: number): Component {
  return { shape, look, x, y, width, height }
}

const SEED = 0x811c9dc5 | 0

/** Last step of MurmurHash3 (Appleby 2011): every bit of the answer depends on every bit of the number. */
function mix(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** The `limit` components with the most edge pixels; of equal ones those that come first in canonical order. */
function largest(found: Component[], edges: Float64Array, limit: number): Component[] {
  if (found.length <= limit) return found
  const order = found.map((_, c) => c)
  order.sort((a, b) => edges[b]! - edges[a]! || compareComponents(found[a]!, found[b]!))
  return order.slice(0, limit).map((c) => found[c]!)
}

keepShape(new RowOfStretches(0))
keepShape(noStretches(0))
keepShape(makeComponent(2 ** 51, 2 ** 31, 1, 1, 1, 1))
