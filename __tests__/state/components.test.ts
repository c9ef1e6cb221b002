import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type ComponentOptions, components } from '../../lib/state/components.js'
import { type Component, compareComponents } from '../../lib/state/fingerprint.js'
import { runLengths } from '../../lib/state/run-lengths.js'
import { arbitraryPicture } from './arbitrary-picture.js'
import { BLACK, draw, type Picture, paint, type Rgb, WHITE } from './pictures.js'

function componentsOf({ data, width, height }: Picture, options?: ComponentOptions): Component[] {
  return components(runLengths(data, width, height), options)
}

function boxes(found: readonly Component[]): string[] {
  return found.map(({ x, y, width, height }) => `${width}x${height} at ${x},${y}`)
}

/** As the definition says it, pixel by pixel: stretches of every row, flooded over all that touch. */
function plainComponents({ data, channels, width, height }: Picture, tolerance = 16, gap = 4) {
  const at = (x: number, y: number) => {
    const p = (y * width + x) * channels
    return [data[p]!, data[p + 1]!, data[p + 2]!]
  }
  const stretches: { y: number; edges: number[]; group: number }[] = []
  for (let y = 0; y < height; y++) {
    let open: { y: number; edges: number[]; group: number } | undefined
    for (let x = 1; x < width; x++) {
      const [here, left] = [at(x, y), at(x - 1, y)]
      if (here.reduce((sum, value, i) => sum + Math.abs(value - left[i]!), 0) < tolerance) continue
      if (open === undefined || x - open.edges.at(-1)! > gap) stretches.push((open = { y, edges: [], group: -1 }))
      open.edges.push(x)
    }
  }
  let groups = 0
  for (const start of stretches) {
    if (start.group !== -1) continue
    const queue = [start]
    start.group = groups++
    for (let a = queue.pop(); a !== undefined; a = queue.pop()) {
      for (const b of stretches) {
        const rows = Math.abs(a.y - b.y)
        if (b.group !== -1 || rows < 1 || rows > 2) continue
        if (a.edges[0]! - 1 > b.edges.at(-1)! || b.edges[0]! - 1 > a.edges.at(-1)!) continue
        b.group = start.group
        queue.push(b)
      }
    }
  }
  return Array.from({ length: groups }, (_, group) => {
    const own = stretches.filter((s) => s.group === group)
    const x = Math.min(...own.map((s) => s.edges[0]!))
    const y = Math.min(...own.map((s) => s.y))
    const pixels = own.flatMap((s) => s.edges.map((e) => [e - x, s.y - y, ...at(e, s.y)])).sort(lexically)
    return {
      x,
      y,
      width: Math.max(...own.map((s) => s.edges.at(-1)!)) - x + 1,
      height: Math.max(...own.map((s) => s.y)) - y + 1,
      shape: JSON.stringify(pixels.map((p) => p.slice(0, 2))),
      look: JSON.stringify(pixels),
      pixels: pixels.length,
    }
  })
}

function lexically(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, i) => value !== b[i])
  return i === -1 ? 0 : a[i]! - b[i]!
}

describe('components', () => {
  test('nothing on a flat ground, of any size', () => {
    for (const [width, height] of [
      [1, 1],
      [1, 5000],
      [5000, 1],
      [64, 48],
    ] as const) {
      expect(componentsOf(paint(width, height, [12, 34, 56]))).toEqual([])
    }
  })

  test('a box has a left edge, and one where the ground begins again', () => {
    const far = paint(40, 20, WHITE, [[5, 5, 20, 6, BLACK]])
    expect(boxes(componentsOf(far))).toEqual(['1x6 at 5,5', '1x6 at 25,5'])
    const near = paint(40, 20, WHITE, [[5, 5, 4, 6, BLACK]])
    expect(boxes(componentsOf(near))).toEqual(['5x6 at 5,5'])
  })

  test('gaps up to four pixels are bridged in a row, and one row between two', () => {
    const strokes = (dx: number, dy: number) =>
      paint(60, 20, WHITE, [
        [5, 5, 1, 1, BLACK],
        [6 + dx, 5 + dy, 1, 1, BLACK],
      ])
    expect(componentsOf(strokes(4, 0))).toHaveLength(1)
    expect(componentsOf(strokes(5, 0))).toHaveLength(2)
    expect(componentsOf(strokes(0, 2))).toHaveLength(1)
    expect(componentsOf(strokes(0, 3))).toHaveLength(2)
    expect(boxes(componentsOf(draw(['........', '...#....', '........', '...#....', '...#....'])))).toEqual([
      '2x4 at 3,1',
    ])
  })

  test('differences below the tolerance are no edges', () => {
    const faint = (colour: Rgb) => paint(20, 5, [100, 100, 100], [[5, 1, 3, 3, colour]])
    expect(componentsOf(faint([105, 105, 105]))).toEqual([])
    expect(componentsOf(faint([105, 105, 106]))).toHaveLength(1)
    expect(componentsOf(faint([95, 105, 106]))).toHaveLength(1)
    expect(componentsOf(faint([105, 105, 106]), { tolerance: 17 })).toEqual([])
  })

  test('the same word in another colour has the same shape and another look', () => {
    const word = ['.......', '.##.#..', '.#..##.', '.......']
    const [black] = componentsOf(draw(word))
    const [red] = componentsOf(draw(word, { '#': [200, 0, 0] }))
    expect(red!.shape).toBe(black!.shape)
    expect(red!.look).not.toBe(black!.look)
    expect(Number.isSafeInteger(black!.shape) && black!.shape < 2 ** 52 && black!.look < 2 ** 32).toBe(true)
  })

  test('a pixel more, less or elsewhere is another shape', () => {
    const word = ['..........', '.#.#.##.#.', '.#.#.#....', '.#.###.##.', '..........']
    const shapes = new Set([componentsOf(draw(word))[0]!.shape])
    let count = 1
    for (let y = 1; y < 4; y++) {
      for (let x = 2; x < 8; x++) {
        const other = word.map((row, i) =>
          i === y ? row.slice(0, x) + (row[x] === '#' ? '.' : '#') + row.slice(x + 1) : row,
        )
        shapes.add(componentsOf(draw(other))[0]!.shape)
        count++
      }
    }
    expect(shapes.size).toBe(count)
  })

  test('what the definition says, pixel by pixel', () => {
    const shapes = new Map<string, number>()
    const looks = new Map<string, number>()
    fc.assert(
      fc.property(arbitraryPicture(3), (picture) => {
        const found = componentsOf(picture)
        const plain = plainComponents(picture)
        expect(boxes(found).sort()).toEqual(boxes(plain as never).sort())
        for (const one of plain) {
          // Equal hashes for equal pixels and other ones for others, over all pictures that were tried.
          const like = found.filter(
            (c) => c.x === one.x && c.y === one.y && c.width === one.width && c.height === one.height,
          )
          const shape = shapes.get(one.shape) ?? like[0]!.shape
          const look = looks.get(one.look) ?? like[0]!.look
          if (like.length > 1) continue
          expect(like[0]).toMatchObject({ shape, look })
          shapes.set(one.shape, shape)
          looks.set(one.look, look)
        }
      }),
      { numRuns: 1000 },
    )
    expect(new Set(shapes.values()).size).toBe(shapes.size)
    expect(new Set(looks.values()).size).toBe(looks.size)
  })

  test('other tolerances and gaps', () => {
    fc.assert(
      fc.property(
        arbitraryPicture(3),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 9 }),
        (picture, tolerance, gap) => {
          const plain = plainComponents(picture, tolerance, gap)
          expect(boxes(componentsOf(picture, { tolerance, gap })).sort()).toEqual(boxes(plain as never).sort())
        },
      ),
      { numRuns: 300 },
    )
    expect(() => componentsOf(draw(['.#.']), { gap: 0 })).toThrow(RangeError)
  })

  test('moving a drawing over a flat ground changes where its components are, and nothing else', () => {
    const ground = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)) as fc.Arbitrary<Rgb>
    fc.assert(
      fc.property(arbitraryPicture(3), ground, fc.nat(30), fc.nat(20), (picture, ground, dx, dy) => {
        const place = (x: number, y: number) => {
          const canvas = paint(picture.width + 32, picture.height + 22, ground)
          for (let row = 0; row < picture.height; row++) {
            const line = picture.data.subarray(row * picture.width * 3, (row + 1) * picture.width * 3)
            canvas.data.set(line, ((y + row) * canvas.width + x) * 3)
          }
          return componentsOf(canvas)
        }
        const still = place(1, 1)
        const moved = place(1 + dx, 1 + dy)
        expect(moved).toEqual(still.map((c) => ({ ...c, x: c.x + dx, y: c.y + dy })))
      }),
      { numRuns: 500 },
    )
  })

  test('in canonical order, and the same every time', () => {
    fc.assert(
      fc.property(arbitraryPicture(3), (picture) => {
        const found = componentsOf(picture)
        expect([...found].sort(compareComponents)).toEqual(found)
        expect(componentsOf(picture)).toEqual(found)
      }),
    )
  })

  test('of too many the largest are kept, of equal ones the first', () => {
    const specks = Array.from({ length: 100 }, (_, i) => [4 + 8 * i, 3, 2, i % 10 === 0 ? 4 : 2, BLACK] as const)
    const picture = paint(820, 10, WHITE, specks)
    const all = componentsOf(picture)
    expect(all).toHaveLength(100)
    const kept = componentsOf(picture, { limit: 12 })
    const tall = all.filter((c) => c.height === 4)
    const flat = all.filter((c) => c.height === 2)
    expect(kept).toEqual([...tall, ...flat.slice(0, 2)].sort(compareComponents))
  })

  test('a photograph: thousands of components at most, in its own time', () => {
    const [width, height] = [1280, 720]
    let seed = 1
    const noise = () => (seed = Math.imul(seed, 1664525) + 1013904223) >>> 24
    const picture: Picture = {
      width,
      height,
      channels: 3,
      data: Uint8Array.from({ length: width * height * 3 }, noise),
    }
    expect(componentsOf(picture).length).toBeLessThanOrEqual(4096)
    const sparse = paint(
      width,
      height,
      WHITE,
      Array.from({ length: 20_000 }, () => [noise() * 5, noise() * 3, 1, 1, BLACK] as const),
    )
    expect(componentsOf(sparse, { limit: 500 })).toHaveLength(500)
  })

  test('a spiral is one component, however deep it winds', () => {
    const size = 201
    const spiral: (readonly [number, number, number, number, Rgb])[] = []
    for (let i = 0; i < 20; i++) {
      spiral.push(
        [5 + 5 * i, 5 + 5 * i, size - 10 - 10 * i, 1, BLACK],
        [size - 6 - 5 * i, 5 + 5 * i, 1, size - 10 - 10 * i, BLACK],
      )
    }
    const picture = paint(size, size, WHITE, spiral)
    expect(boxes(componentsOf(picture)).sort()).toEqual(boxes(plainComponents(picture) as never).sort())
  })
})
