import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { partialOrder } from '../../lib/automaton/precedes.js'
import { shuffled } from './graphs.js'

type Sequences = readonly (readonly number[])[]

/** Sequences written as words: 'abc acb' are two sequences over 1, 2, 3. */
const sequencesOf = (words: string): Sequences =>
  words.split(' ').map((word) => [...word].map((letter) => letter.charCodeAt(0) - 96))

const coversOf = (words: string): string =>
  partialOrder(sequencesOf(words))
    .covers.map((pair) => pair.map((id) => String.fromCharCode(id + 96)).join('<'))
    .join(' ')

describe('partialOrder', () => {
  test.each([
    ['one sequence is a chain', 'abcd', 'a<b b<c c<d'],
    ['two states in both orders are unordered between themselves', 'abcd acbd', 'a<b a<c b<d c<d'],
    ['a reversal orders nothing', 'abc cba', ''],
    ['the first occurrence counts', 'abab', 'a<b'],
    ['optional states keep their place', 'abc ac', 'a<b b<c'],
    ['what never occurs together is linked by what it has in common', 'ab bc', 'a<b b<c'],
    ['alternatives between the same neighbours', 'axd ayd', 'a<x a<y x<d y<d'],
    ['a circle orders nothing', 'ab bc ca', ''],
    ['a circle leaves alone what does not depend on it', 'ab bc ca sabcz', 'a<z b<z c<z s<a s<b s<c'],
    ['a chain that a sequence contradicts is given up', 'ab bc acd cad', 'a<d c<d'],
    ['nothing at all', '', ''],
  ])('%s', (_, words, covers) => {
    expect(coversOf(words)).toBe(covers)
  })

  test('answers for pairs that are linked only through others', () => {
    const order = partialOrder(sequencesOf('ab bc'))
    expect(order.before(1, 3)).toBe(true)
    expect(order.before(3, 1)).toBe(false)
    expect(order.before(1, 1)).toBe(false)
  })

  test('says no for ids it has not seen', () => {
    const order = partialOrder([[5, -7, 1_000_000]])
    expect(order.before(5, 6)).toBe(false)
    expect(order.before(6, 5)).toBe(false)
    expect(order.before(-7, 1_000_000)).toBe(true)
  })

  test('of no sequences orders nothing', () => {
    expect(partialOrder([]).covers).toEqual([])
    expect(partialOrder([[], []]).covers).toEqual([])
  })

  test('is the intersection of the sequences where all hold the same ids', () => {
    const permutations = fc.integer({ min: 1, max: 40 }).chain((size) => {
      const ids = [...Array(size).keys()]
      const permutation = fc.shuffledSubarray(ids, { minLength: size })
      // Nearly sorted ones too, so that the order that is left is not always empty.
      const swapped = fc.nat(Math.max(0, size - 2)).map((at) => {
        const sequence = [...ids]
        if (size > 1) [sequence[at], sequence[at + 1]] = [at + 1, at]
        return sequence
      })
      return fc.array(fc.oneof(permutation, swapped, swapped), { minLength: 1, maxLength: 4 })
    })
    fc.assert(
      fc.property(permutations, (sequences) => {
        const order = partialOrder(sequences)
        const ids = sequences[0]!
        const all = (a: number, b: number) => sequences.every((one) => one.indexOf(a) < one.indexOf(b))
        for (const a of ids) for (const b of ids) if (order.before(a, b) !== all(a, b)) throw new Error(`${a} ${b}`)
      }),
    )
  })

  const anySequences = fc.array(fc.array(fc.nat(6), { maxLength: 7 }), { maxLength: 6 })
  const orderly = fc.array(fc.subarray([0, 1, 2, 3, 4, 5, 6]), { maxLength: 6 })
  const mixed = fc.tuple(anySequences, orderly).map(([any, sorted]) => [...any.slice(0, 1), ...sorted])

  test.each([
    ['any', anySequences],
    ['orderly', orderly],
    ['mixed', mixed],
  ])('agrees with brute force on %s sequences', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (sequences) => {
        const order = partialOrder(sequences)
        expect(pairs(order.before)).toBe(pairs(bruteForce(sequences)))
      }),
      { numRuns: 1000 },
    )
  })

  test('is a strict partial order that no sequence contradicts, and covers are its least generators', () => {
    fc.assert(
      fc.property(fc.oneof(anySequences, mixed), (sequences) => {
        const order = partialOrder(sequences)
        for (const a of IDS) {
          for (const b of IDS) {
            if (!order.before(a, b)) continue
            expect(order.before(b, a)).toBe(false)
            for (const c of IDS) if (order.before(b, c)) expect(order.before(a, c)).toBe(true)
            expect(sequences.some((one) => shows(one, b, a))).toBe(false)
            const between = IDS.some((c) => order.before(a, c) && order.before(c, b))
            expect(order.covers.some(([from, to]) => from === a && to === b)).toBe(!between)
          }
        }
        expect(order.covers.every(([a, b]) => order.before(a, b))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('does not depend on the order of the sequences', () => {
    fc.assert(
      fc.property(mixed, fc.infiniteStream(fc.nat()), (sequences, numbers) => {
        expect(partialOrder(shuffled(sequences, numbers)).covers).toEqual(partialOrder(sequences).covers)
      }),
    )
  })

  test('takes long sequences', () => {
    const ids = [...Array(2000).keys()]
    expect(partialOrder([ids, ids.filter((id) => id !== 7)]).covers).toHaveLength(1999)
  })
})

const IDS = [0, 1, 2, 3, 4, 5, 6]

function pairs(precedes: (a: number, b: number) => boolean): string {
  return IDS.flatMap((a) => IDS.filter((b) => precedes(a, b)).map((b) => `${a}<${b}`)).join(' ')
}

function shows(sequence: readonly number[], a: number, b: number): boolean {
  return sequence.includes(a) && sequence.includes(b) && sequence.indexOf(a) < sequence.indexOf(b)
}

/** The definition, word for word, with sets of pairs that are closed by repeating until nothing changes. */
function bruteForce(sequences: Sequences): (a: number, b: number) => boolean {
  const seen = (a: number, b: number) => sequences.some((sequence) => shows(sequence, a, b))
  const agreed = IDS.flatMap((a) => IDS.filter((b) => seen(a, b) && !seen(b, a)).map((b) => [a, b] as const))
  const leadsTo = closed(agreed)
  const orSame = (a: number, b: number) => a === b || leadsTo(a, b)
  const contradicted = (a: number, c: number) => a === c || seen(c, a)
  const credible = agreed.filter(
    ([u, v]) => !IDS.some((a) => IDS.some((c) => orSame(a, u) && orSame(v, c) && contradicted(a, c))),
  )
  return closed(credible)
}

function closed(relation: readonly (readonly [number, number])[]): (a: number, b: number) => boolean {
  const found = new Set(relation.map(([a, b]) => `${a}<${b}`))
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const a of IDS) {
      for (const [b, c] of relation) if (found.has(`${a}<${b}`)) found.add(`${a}<${c}`)
    }
  }
  return (a, b) => found.has(`${a}<${b}`)
}
