import { keepShape } from './keep-shape.js'
import { makeRunLengths, type RunLengths } from './run-lengths.js'

/**
 * The picture made smaller, every pixel the average of the area it covers, parts of pixels by their share: what a screen of
 * fewer pixels shows of flat areas and straight edges. In IEEE 754 arithmetic alone, so every machine gives the same.
 *
 * As in `thumbnail`, the sums are those of the steps from run to run, and what is flat costs nothing but the look.
 */
export function shrinkRuns(code: RunLengths, width: number, height: number): RunLengths {
  const { starts, ends, x, colour } = code
  const columns = code.width / width
  const rows = code.height / height
  const boxOf = Int32Array.from({ length: code.width }, (_, at) => Math.min(width - 1, Math.floor(at / columns)))
  const sums = makeSums(width)
  const outStarts = new Int32Array(height)
  const outEnds = new Int32Array(height)
  let outX = new Int32Array(1 << 16)
  let outColour = new Int32Array(1 << 16)
  let count = 0
  for (let row = 0; row < height; row++) {
    const bottom = Math.min(code.height, (row + 1) * rows)
    for (let top = row * rows; top < bottom; ) {
      let y = Math.floor(top)
      const first = starts[y]!
      while (y + 1 < bottom && starts[y + 1] === first) y++
      const end = Math.min(bottom, y + 1)
      addRow(x, colour, first, ends[y]!, end - top, boxOf, columns, sums)
      top = end
    }
    if (count + width > outX.length) {
      outX = longer(outX, count + width)
      outColour = longer(outColour, count + width)
    }
    const start = count
    count = writeRow(sums, columns, rows, outX, outColour, start)
    const above = row > 0 ? outStarts[row - 1]! : start
    if (row > 0 && sameRuns(outX, outColour, above, outEnds[row - 1]!, start, count)) count = start
    outStarts[row] = count === start ? above : start
    outEnds[row] = count === start ? outEnds[row - 1]! : count
  }
  return makeRunLengths(width, outStarts, outEnds, outX, outColour)
}

/** Red, green and blue one after the other, box by box. */
interface Sums {
  /** Which boxes have a step in them or begin with another colour. */
  readonly touched: Uint8Array
  readonly inside: Float64Array
  readonly after: Float64Array
}

function makeSums(width: number): Sums {
  return {
    touched: new Uint8Array(width + 1),
    inside: new Float64Array(3 * width),
    after: new Float64Array(3 * width + 3),
  }
}

keepShape(makeSums(1))

/** Adds the steps of a row; `weight` is how much of a row's height it counts for. */
function addRow(
  x: Int32Array,
  colour: Int32Array,
  start: number,
  end: number,
  weight: number,
  boxOf: Int32Array,
  columns: number,
  { touched, inside, after }: Sums,
): void {
  let red = 0
  let green = 0
  let blue = 0
  for (let k = start; k < end; k++) {
    const c = colour[k]!
    const at = x[k]!
    const box = boxOf[at]!
    const rest = ((box + 1) * columns - at) * weight
    const dr = (c & 0xff) - red
    const dg = ((c >> 8) & 0xff) - green
    const db = (c >> 16) - blue
    red += dr
    green += dg
    blue += db
    const i = 3 * box
    touched[box] = 1
    touched[box + 1] = 1
    inside[i]! += dr * rest
    inside[i + 1]! += dg * rest
    inside[i + 2]! += db * rest
    after[i + 3]! += dr * weight
    after[i + 4]! += dg * weight
    after[i + 5]! += db * weight
  }
}

/** Writes the runs of the boxes from number `start` on, gives the number after the last, and clears the sums. */
function writeRow(
  { touched, inside, after }: Sums,
  columns: number,
  rows: number,
  x: Int32Array,
  colour: Int32Array,
  start: number,
): number {
  const area = columns * rows
  let count = start
  let red = 0
  let green = 0
  let blue = 0
  let flat = -1
  let last = -1
  for (let box = 0; box < touched.length - 1; box++) {
    let c = flat
    if (touched[box] === 1) {
      touched[box] = 0
      const i = 3 * box
      red += after[i]!
      green += after[i + 1]!
      blue += after[i + 2]!
      flat = pack(red / rows, green / rows, blue / rows)
      c = pack(
        (red * columns + inside[i]!) / area,
        (green * columns + inside[i + 1]!) / area,
        (blue * columns + inside[i + 2]!) / area,
      )
      inside[i] = inside[i + 1] = inside[i + 2] = 0
      after[i] = after[i + 1] = after[i + 2] = 0
    }
    if (c !== last) {
      x[count] = box
      colour[count++] = c
      last = c
    }
  }
  // What begins after the last box is in none.
  touched[touched.length - 1] = 0
  after.fill(0, after.length - 3)
  return count
}

/** Levels rounded half up; a sum of parts may be off by the last bit of a double, which must not tell. */
function pack(red: number, green: number, blue: number): number {
  return (red + HALF) | ((green + HALF) << 8) | ((blue + HALF) << 16)
}

const HALF = 0.5 + 1e-6

function sameRuns(
  x: Int32Array,
  colour: Int32Array,
  start: number,
  end: number,
  other: number,
  otherEnd: number,
): boolean {
  if (end - start !== otherEnd - other) return false
  for (let i = start, j = other; i < end; i++, j++) if (x[i] !== x[j] || colour[i] !== colour[j]) return false
  return true
}

function longer(old: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const array = new Int32Array(Math.max(size, 2 * old.length))
  array.set(old)
  return array
}
