import type { Component } from './fingerprint.js'
import type { RunLengths } from './run-lengths.js'

export interface ComponentOptions {
  /** Sum of the absolute differences of red, green and blue (0 to 765) from which on a pixel is an edge to its left neighbour. */
  readonly tolerance?: number
  /** Pixels: edge pixels of a row that are at most this far apart belong together. Bridges strokes, not words. */
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
  const { stretches, count } = joinedStretches(code, tolerance, gap)
  return largest(measure(stretches, count), limit)
}

/**
 * Stretches of edge pixels in order of rows and columns, one number a column: structs of a language without structs.
 * Rows that are equal throughout are kept once, with how many there are.
 */
interface Stretches {
  y: Int32Array
  rows: Int32Array
  /** First and last pixel, both included. */
  left: Int32Array
  right: Int32Array
  pixels: Int32Array
  /** Hash of where its edge pixels are, relative to the first; and of their colours. */
  shape: Int32Array
  look: Int32Array
  /** The forest that joins stretches to components: a root is its own parent and comes before all others. */
  parent: Int32Array
}

function joinedStretches(code: RunLengths, tolerance: number, gap: number): { stretches: Stretches; count: number } {
  const { width, height, starts } = code
  const perRow = Math.ceil(width / (gap + 1))
  let stretches = takeScratch(perRow)
  let count = 0
  // First stretch of this row, of the one above, of the one above that; equal rows in between make `above2` out of reach.
  let row = 0
  let above = 0
  let above2 = 0
  for (let y = 0; y < height; ) {
    let rows = 1
    while (y + rows < height && starts[y + rows] === starts[y]) rows++
    if (count + perRow > stretches.y.length) stretches = longer(stretches)
    row = count
    count = scanRow(code, y, rows, tolerance, gap, stretches, row)
    if (count > row) {
      if (row > above) joinRows(stretches, above, row, row, count)
      if (above > above2) joinRows(stretches, above2, above, row, count)
    }
    above2 = rows > 1 ? row : above
    above = row
    y += rows
  }
  scratch = stretches.y.length > KEPT_STRETCHES ? undefined : stretches
  return { stretches, count }
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

function longer(old: Stretches): Stretches {
  const stretches = noStretches(2 * old.y.length)
  for (const column of Object.keys(old) as (keyof Stretches)[]) stretches[column].set(old[column])
  return stretches
}

/** Writes the stretches of row `y`, which `rows` rows share, from number `first` on; gives the number after the last. */
function scanRow(
  { starts, ends, x, colour }: RunLengths,
  y: number,
  rows: number,
  tolerance: number,
  gap: number,
  stretches: Stretches,
  first: number,
): number {
  const { left, right, pixels, shape, look } = stretches
  const end = ends[y]!
  let k = starts[y]!
  let before = colour[k++]!
  let count = first
  // Of the stretch that is open.
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
      if (edges > 0) {
        left[count] = from
        right[count] = last
        pixels[count] = edges
        shape[count] = s
        look[count] = l
        count++
      }
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
  if (edges > 0) {
    left[count] = from
    right[count] = last
    pixels[count] = edges
    shape[count] = s
    look[count] = l
    count++
  }
  for (let i = first; i < count; i++) {
    stretches.y[i] = y
    stretches.rows[i] = rows
    stretches.parent[i] = i
  }
  return count
}

/** Joins the overlapping stretches of two rows, `from..to` and `rowFrom..rowTo`: one pass, as both are in order. */
function joinRows({ left, right, parent }: Stretches, from: number, to: number, rowFrom: number, rowTo: number): void {
  let j = from
  for (let i = rowFrom; i < rowTo; i++) {
    const min = left[i]! - 1
    const max = right[i]! + 1
    while (j < to && right[j]! < min) j++
    for (let k = j; k < to && left[k]! <= max; k++) {
      const a = root(parent, i)
      const b = root(parent, k)
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

interface Found extends Component {
  readonly pixels: number
}

/**
 * Bounding box, count and hashes of each component. Its hashes are sums over its rows' stretches, each mixed with its place:
 * sums, as they do not ask for an order, and a row that comes again costs no second look at its pixels.
 */
function measure({ y: ys, rows, left, right, pixels, shape, look, parent }: Stretches, count: number): Found[] {
  // Stretch -> its component; components are numbered in the order of their first stretch.
  const component = new Int32Array(count)
  let components = 0
  for (let i = 0; i < count; i++) component[i] = parent[i] === i ? components++ : component[root(parent, i)]!

  const top = new Int32Array(components)
  const bottom = new Int32Array(components)
  const minX = new Int32Array(components).fill(0x7fffffff)
  const maxX = new Int32Array(components)
  const edges = new Float64Array(components)
  for (let i = 0; i < count; i++) {
    const c = component[i]!
    if (parent[i] === i) top[c] = ys[i]!
    bottom[c] = ys[i]! + rows[i]! - 1
    if (left[i]! < minX[c]!) minX[c] = left[i]!
    if (right[i]! > maxX[c]!) maxX[c] = right[i]!
    edges[c]! += pixels[i]! * rows[i]!
  }

  const shapes = new Int32Array(components)
  const shapes2 = new Int32Array(components)
  const looks = new Int32Array(components)
  for (let i = 0; i < count; i++) {
    const c = component[i]!
    const dx = left[i]! - minX[c]!
    const first = ys[i]! - top[c]!
    let sum = 0
    let sum2 = 0
    let lookSum = 0
    for (let dy = first; dy < first + rows[i]!; dy++) {
      const place = mix(Math.imul(dy, 0x9e3779b1) ^ dx)
      const s = mix(place ^ shape[i]!)
      sum = (sum + s) | 0
      sum2 = (sum2 + Math.imul(s ^ place, 0xc2b2ae35)) | 0
      lookSum = (lookSum + mix(s ^ look[i]!)) | 0
    }
    shapes[c] = (shapes[c]! + sum) | 0
    shapes2[c] = (shapes2[c]! + sum2) | 0
    looks[c] = (looks[c]! + lookSum) | 0
  }

  const found: Found[] = new Array(components)
  for (let c = 0; c < components; c++) {
    found[c] = {
      shape: (shapes[c]! >>> 0) * 0x100000 + (mix(shapes2[c]!) >>> 12),
      look: looks[c]! >>> 0,
      x: minX[c]!,
      y: top[c]!,
      width: maxX[c]! - minX[c]! + 1,
      height: bottom[c]! - top[c]! + 1,
      pixels: edges[c]!,
    }
  }
  return found
}

const SEED = 0x811c9dc5 | 0

/** Last step of MurmurHash3 (Appleby 2011): every bit of the answer depends on every bit of the number. */
function mix(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** In canonical order the `limit` components with the most edge pixels; of equal ones those that come first. */
function largest(found: Found[], limit: number): Component[] {
  const kept = found.length > limit ? found.sort((a, b) => b.pixels - a.pixels || inOrder(a, b)).slice(0, limit) : found
  return kept.sort(inOrder).map(({ pixels: _, ...component }) => component)
}

function inOrder(a: Component, b: Component): number {
  return a.y - b.y || a.x - b.x || a.height - b.height || a.width - b.width || a.shape - b.shape || a.look - b.look
}
