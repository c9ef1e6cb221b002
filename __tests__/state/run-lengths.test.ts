import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { RunLengthEncoder, type RunLengths, rowBytes, runLengths } from '../../lib/state/run-lengths.js'
import { arbitraryPicture } from './arbitrary-picture.js'
import { BLACK, draw, type Picture, WHITE } from './pictures.js'

/** Runs row by row, as [x, colour] with the colour in the usual order. */
function rowsOf({ height, starts, ends, x, colour }: RunLengths): [number, string][][] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: ends[y]! - starts[y]! }, (_, i) => {
      const c = colour[starts[y]! + i]!
      return [x[starts[y]! + i]!, hex(c & 0xff, (c >> 8) & 0xff, c >> 16)] as [number, string]
    }),
  )
}

function hex(...rgb: number[]): string {
  return Buffer.from(rgb).toString('hex')
}

/** The same from the pixels one by one. */
function plainRows({ width, height, channels, data }: Picture): [number, string][][] {
  return Array.from({ length: height }, (_, y) => {
    const runs: [number, string][] = []
    for (let x = 0; x < width; x++) {
      const p = (y * width + x) * channels
      const colour = hex(data[p]!, data[p + 1]!, data[p + 2]!)
      if (runs.length === 0 || runs.at(-1)![1] !== colour) runs.push([x, colour])
    }
    return runs
  })
}

describe('runLengths', () => {
  test('a drawing', () => {
    const { data, width, height } = draw(['..##.', '..##.', '#####'])
    const code = runLengths(data, width, height)
    expect(rowsOf(code)).toEqual([
      [
        [0, hex(...WHITE)],
        [2, hex(...BLACK)],
        [4, hex(...WHITE)],
      ],
      [
        [0, hex(...WHITE)],
        [2, hex(...BLACK)],
        [4, hex(...WHITE)],
      ],
      [[0, hex(...BLACK)]],
    ])
    expect(code.starts[1]).toBe(code.starts[0])
  })

  test('the fast scan gives what the pixels one by one give', () => {
    fc.assert(
      fc.property(arbitraryPicture(3), (picture) => {
        const { data, width, height } = picture
        expect(rowsOf(runLengths(data, width, height))).toEqual(plainRows(picture))
      }),
      { numRuns: 500 },
    )
  })

  test('pixels that begin anywhere in memory', () => {
    fc.assert(
      fc.property(arbitraryPicture(3), fc.nat(7), (picture, offset) => {
        const { data, width, height } = picture
        const shifted = new Uint8Array(data.length + offset).subarray(offset)
        shifted.set(data)
        expect(rowsOf(runLengths(shifted, width, height))).toEqual(plainRows(picture))
      }),
    )
  })

  test('equal rows share their runs, and no others do', () => {
    fc.assert(
      fc.property(arbitraryPicture(3), ({ data, width, height }) => {
        const { starts, ends } = runLengths(data, width, height)
        for (let y = 1; y < height; y++) {
          const [above, row] = [y - 1, y].map((y) => data.subarray(y * width * 3, (y + 1) * width * 3))
          const equal = Buffer.compare(above!, row!) === 0
          expect(starts[y] === starts[y - 1] && ends[y] === ends[y - 1]).toBe(equal)
        }
      }),
    )
  })

  test('a large picture of noise, larger than the arrays that are kept', () => {
    const [width, height] = [1500, 1500]
    const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 2654435761) >>> 13)
    const { starts, ends, x, colour } = runLengths(data, width, height)
    // Noise: every pixel is a run, but for the few that are as their left neighbour.
    let wrong = 0
    for (let y = 0; y < height; y++) {
      for (let run = starts[y]!, column = 0; run < ends[y]!; run++) {
        const end = run + 1 < ends[y]! ? x[run + 1]! : width
        for (; column < end; column++) if (data[3 * (y * width + column)] !== (colour[run]! & 0xff)) wrong++
      }
    }
    expect(wrong).toBe(0)
    expect(ends[height - 1]).toBeGreaterThan(1 << 21)
    const small = draw(['.#.'])
    expect(rowsOf(runLengths(small.data, 3, 1))).toEqual(plainRows(small))
  })

  test('bytes that are not the picture they are said to be', () => {
    expect(() => runLengths(new Uint8Array(11), 2, 2)).toThrow('11 bytes are not 2 x 2 pixels of 3 channels')
    expect(() => runLengths(new Uint8Array(0), 0, 2)).toThrow(RangeError)
  })
})

describe('RunLengthEncoder', () => {
  const encode = ({ data, width, height }: Picture) => {
    const encoder = new RunLengthEncoder(4, width, height)
    const rows = rowBytes(data)
    for (let y = 0; y < height; y++) encoder.add(rows, y * width * 4)
    return encoder.finish()
  }

  test('alpha is passed over where it is opaque everywhere, and refused where it is not', () => {
    fc.assert(
      fc.property(arbitraryPicture(4), fc.nat(), (picture, at) => {
        const opaque = { ...picture, data: picture.data.map((value, i) => (i % 4 === 3 ? 255 : value)) }
        expect(rowsOf(encode(opaque)!)).toEqual(plainRows(opaque))
        opaque.data[(at % (picture.width * picture.height)) * 4 + 3] = 254
        expect(encode(opaque)).toBeNull()
      }),
      { numRuns: 300 },
    )
  })
})
