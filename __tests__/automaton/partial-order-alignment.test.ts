import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { digraph } from '../../lib/automaton/digraph.js'
import { type PartialOrderAlignment, partialOrderAlignment } from '../../lib/automaton/partial-order-alignment.js'
import { PrefixTreeAcceptor } from '../../lib/automaton/prefix-tree-acceptor.js'
import { topologicalOrder } from '../../lib/automaton/topological-order.js'

interface Options {
  readonly gap?: number
  readonly rounds?: number
  readonly join?: boolean
}

/** Aligns words letter by letter: a letter fits a column as well as the share of its members that are the same letter. */
function align(words: readonly string[], { gap = 0.1, rounds = 4, join = false }: Options = {}): PartialOrderAlignment {
  const tree = new PrefixTreeAcceptor()
  return partialOrderAlignment({
    lengths: words.map(({ length }) => length),
    gap,
    rounds,
    ...(join ? { joined: words.map((word) => tree.addSample([...word])) } : {}),
    scorer: (members) => (sequence, item) =>
      members.filter((cell) => words[cell.sequence]![cell.item] === words[sequence]![item]).length / members.length,
  })
}

/** The columns in words: the letters of each, as often as a word has them there. */
function columnsOf(words: readonly string[], options?: Options): string {
  return align(words, options)
    .columns.map((cells) => cells.map(({ sequence, item }) => words[sequence]![item]).join(''))
    .join(' ')
}

describe('partialOrderAlignment', () => {
  test.each([
    ['identical sequences are one chain', ['abc', 'abc', 'abc'], 'aaa bbb ccc'],
    ['one sequence is itself', ['abca'], 'a b c a'],
    ['a branch joins again', ['abcd', 'axcd'], 'aa b x cc dd'],
    ['what is left out is passed by', ['abcd', 'acd', 'abcd'], 'aaa bb ccc ddd'],
    ['a letter that comes again is another column', ['abac', 'abac'], 'aa bb aa cc'],
    ['a loop is unrolled', ['abc', 'ababc'], null],
    ['nothing in common', ['ab', 'cd'], null],
    ['nothing at all', ['', ''], ''],
    ['no sequence', [], ''],
    ['an empty sequence among others', ['', 'ab', ''], 'a b'],
    ['branches of their own are kept apart', ['axb', 'ayb', 'axb', 'ayb'], 'aaaa xx yy bbbb'],
  ])('%s', (_, words, columns) => {
    if (columns !== null) expect(columnsOf(words)).toBe(columns)
    const { columns: cells } = align(words)
    for (const column of cells) expect(new Set(column.map((c) => words[c.sequence]![c.item])).size).toBe(1)
  })

  test('what fits less well than a gap costs is not joined', () => {
    const half = (gap: number) =>
      partialOrderAlignment({ lengths: [1, 1], gap, rounds: 2, scorer: () => () => 0.5 }).columns.length
    expect(half(0.4)).toBe(1)
    expect(half(0.5)).toBe(1)
    expect(half(0.6)).toBe(2)
  })

  const word = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 }).map((letters) => letters.join(''))
  const words = fc.array(word, { maxLength: 6 })
  const options = fc.record({
    gap: fc.constantFrom(0.05, 0.15, 0.5),
    rounds: fc.integer({ min: 1, max: 4 }),
    join: fc.boolean(),
  })

  test('puts every item into exactly one column, and no sequence twice into one', () => {
    fc.assert(
      fc.property(words, options, (given, how) => {
        const { columns, columnOf } = align(given, how)
        expect(columnOf.map(({ length }) => length)).toEqual(given.map(({ length }) => length))
        const cells = columns.flatMap((column, number) => column.map((cell) => ({ ...cell, number })))
        expect(cells).toHaveLength(given.join('').length)
        expect(new Set(cells.map(({ sequence, item }) => `${sequence} ${item}`)).size).toBe(cells.length)
        for (const { sequence, item, number } of cells) expect(columnOf[sequence]![item]).toBe(number)
        for (const column of columns) {
          expect(column.length).toBeGreaterThan(0)
          expect(new Set(column.map(({ sequence }) => sequence)).size).toBe(column.length)
        }
      }),
    )
  })

  test('is acyclic, and its columns are numbered in topological order', () => {
    fc.assert(
      fc.property(words, options, (given, how) => {
        const { columns, columnOf } = align(given, how)
        const edges = columnOf.flatMap((own) => [...own].slice(1).map((column, i) => [own[i]!, column] as const))
        expect(topologicalOrder(digraph(columns.length, edges))).not.toBeNull()
        for (const [from, to] of edges) expect(from).toBeLessThan(to)
      }),
    )
  })

  test('joined prefixes stay joined', () => {
    fc.assert(
      fc.property(words, options, (given, how) => {
        const { columnOf } = align(given, { ...how, join: true })
        given.forEach((own, a) => {
          given.slice(0, a).forEach((other, b) => {
            for (let at = 0; at < own.length && own[at] === other[at]; at++) {
              expect(columnOf[a]![at]).toBe(columnOf[b]![at])
            }
          })
        })
      }),
    )
  })

  test('gives the same columns every time', () => {
    fc.assert(fc.property(words, options, (given, how) => expect(align(given, how)).toEqual(align(given, how))))
  })

  test('folds any number of equal sequences', () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 6 }), options, (own, count, how) => {
        const { columns } = align(Array<string>(count).fill(own), how)
        expect(columns.map(({ length }) => length)).toEqual(Array<number>(own.length).fill(count))
      }),
    )
  })

  test('of two sequences it matches the longest common subsequence', () => {
    // A match outweighs any saving of gaps: 8 letters at 0.05 each.
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, rounds) => {
        const matched = align([a, b], { gap: 0.05, rounds }).columns.filter((cells) => cells.length === 2)
        for (const [left, right] of matched) expect(a[left!.item]).toBe(b[right!.item])
        expect(matched).toHaveLength(longestCommonSubsequence(a, b))
      }),
      { numRuns: 300 },
    )
  })

  test('takes long sequences', () => {
    const long = Array.from({ length: 1000 }, (_, i) => String.fromCharCode(97 + ((i * i) % 26))).join('')
    expect(align([long, long.slice(1), `${long}z`], { rounds: 2 }).columns).toHaveLength(1001)
  })
})

/** By trying: all subsequences of the one, longest first. */
function longestCommonSubsequence(a: string, b: string): number {
  let longest = 0
  for (let set = 0; set < 1 << a.length; set++) {
    const chosen = [...a].filter((_, i) => (set >> i) & 1)
    if (chosen.length <= longest) continue
    let at = 0
    for (const letter of b) if (letter === chosen[at]) at++
    if (at === chosen.length) longest = chosen.length
  }
  return longest
}
