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
  const { stretches, count } = edgeStretches(code, tolerance, gap)
  const found = measure(code, stretches, count, tolerance)
  return canonical(largest(found, limit))
}

interface Found extends Component {
  readonly pixels: number
}

/** Stretches of edge pixels, in order of rows and columns, and the forest that joins them: `parent[root] === root`. */
interface Stretches {
  y: Int32Array
  /** First and last pixel, both included. */
  left: Int32Array
  right: Int32Array
  /** Number of its first edge pixel's run in the run-length code. */
  firstRun: Int32Array
  parent: Int32Array
}

function edgeStretches(code: RunLengths, tolerance: number, gap: number): { stretches: Stretches; count: number } {
  const { width, height, starts } = code
  const perRow = Math.ceil(width / (gap + 1))
  let stretches = noStretches(Math.max(1 << 13, perRow))
  let count = 0
  // First stretch of the row, of the row above, and of the one above that.
  let row = 0
  let above = 0
  let above2 = 0
  for (let y = 0; y < height; y++) {
    above2 = above
    above = row
    row = count
    if (count + perRow > stretches.y.length) stretches = longer(stretches)
    if (y > 0 && starts[y] === starts[y - 1]) {
      // A row equal to the one above has the same stretches. What they touch two rows up is joined to those above already.
      count = repeatRow(stretches, above, row, y)
    } else {
      count = scanRow(code, y, tolerance, gap, stretches, row)
      joinRows(stretches, above, row, row, count)
      joinRows(stretches, above2, above, row, count)
    }
  }
  return { stretches, count }
}

function noStretches(size: number): Stretches {
  const column = () => new Int32Array(size)
  return { y: column(), left: column(), right: column(), firstRun: column(), parent: column() }
}

function longer(old: Stretches): Stretches {
  const stretches = noStretches(2 * old.y.length)
  for (const column of Object.keys(old) as (keyof Stretches)[]) stretches[column].set(old[column])
  return stretches
}

function repeatRow({ y: ys, left, right, firstRun, parent }: Stretches, from: number, to: number, y: number): number {
  const length = to - from
  left.copyWithin(to, from, to)
  right.copyWithin(to, from, to)
  firstRun.copyWithin(to, from, to)
  ys.fill(y, to, to + length)
  for (let i = from; i < to; i++) parent[i + length] = root(parent, i)
  return to + length
}

function scanRow(
  { starts, ends, x, colour }: RunLengths,
  y: number,
  tolerance: number,
  gap: number,
  { y: ys, left, right, firstRun, parent }: Stretches,
  first: number,
): number {
  let count = first
  let last = -1 - gap
  const end = ends[y]!
  for (let k = starts[y]! + 1; k < end; k++) {
    if (!isEdge(colour[k - 1]!, colour[k]!, tolerance)) continue
    const at = x[k]!
    if (at - last > gap) {
      ys[count] = y
      left[count] = at
      firstRun[count] = k
      parent[count] = count
      count++
    }
    right[count - 1] = at
    last = at
  }
  return count
}

function isEdge(a: number, b: number, tolerance: number): boolean {
  const red = (a & 0xff) - (b & 0xff)
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff)
  const blue = (a >> 16) - (b >> 16)
  return Math.abs(red) + Math.abs(green) + Math.abs(blue) >= tolerance
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

/** Bounding box, count and hashes of each component. The hashes take the edge pixels in order of rows and columns. */
function measure(
  { x, colour }: RunLengths,
  { y: ys, left, right, firstRun, parent }: Stretches,
  count: number,
  tolerance: number,
): Found[] {
  // Stretch -> its component; components are numbered in the order of their first stretch.
  const component = new Int32Array(count)
  let components = 0
  for (let i = 0; i < count; i++) component[i] = parent[i] === i ? components++ : component[root(parent, i)]!

  const top = new Int32Array(components)
  const bottom = new Int32Array(components)
  const minX = new Int32Array(components).fill(0x7fffffff)
  const maxX = new Int32Array(components)
  for (let i = 0; i < count; i++) {
    const c = component[i]!
    if (parent[i] === i) top[c] = ys[i]!
    bottom[c] = ys[i]!
    if (left[i]! < minX[c]!) minX[c] = left[i]!
    if (right[i]! > maxX[c]!) maxX[c] = right[i]!
  }

  const shape = new Int32Array(components).fill(SEED)
  const shape2 = new Int32Array(components).fill(SEED)
  const look = new Int32Array(components).fill(SEED)
  const pixels = new Int32Array(components)
  for (let i = 0; i < count; i++) {
    const c = component[i]!
    const x0 = minX[c]!
    const dy = (ys[i]! - top[c]!) << 16
    const last = right[i]!
    let s = shape[c]!
    let s2 = shape2[c]!
    let l = look[c]!
    let n = 0
    for (let k = firstRun[i]!; ; k++) {
      const at = x[k]!
      if (!isEdge(colour[k - 1]!, colour[k]!, tolerance)) continue
      const place = dy ^ (at - x0)
      s = Math.imul(s ^ place, 0x01000193)
      s ^= s >>> 13
      s2 = Math.imul(s2 + place, 0x85ebca6b)
      s2 ^= s2 >>> 15
      l = Math.imul(l ^ place ^ colour[k]!, 0x01000193)
      l ^= l >>> 15
      n++
      if (at === last) break
    }
    shape[c] = s
    shape2[c] = s2
    look[c] = l
    pixels[c]! += n
  }

  const found: Found[] = new Array(components)
  for (let c = 0; c < components; c++) {
    found[c] = {
      shape: (mix(shape[c]!) >>> 0) * 0x100000 + (mix(shape2[c]!) >>> 12),
      look: mix(look[c]!) >>> 0,
      x: minX[c]!,
      y: top[c]!,
      width: maxX[c]! - minX[c]! + 1,
      height: bottom[c]! - top[c]! + 1,
      pixels: pixels[c]!,
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

/** The `limit` components with the most edge pixels; of equal ones those that come first in canonical order. */
function largest(found: Found[], limit: number): Found[] {
  if (found.length <= limit) return found
  return found.sort((a, b) => b.pixels - a.pixels || byPlace(a, b)).slice(0, limit)
}

function canonical(found: Found[]): Component[] {
  return found.sort(byPlace).map(({ shape, look, x, y, width, height }) => ({ shape, look, x, y, width, height }))
}

function byPlace(a: Component, b: Component): number {
  return a.y - b.y || a.x - b.x || a.height - b.height || a.width - b.width || a.shape - b.shape || a.look - b.look
}
