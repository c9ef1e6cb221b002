import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { PrefixTreeAcceptor } from '../../lib/automaton/prefix-tree-acceptor.js'

const treeOf = (...samples: readonly (readonly string[])[]) => {
  const tree = new PrefixTreeAcceptor()
  const paths = samples.map((sample) => tree.addSample(sample))
  return { tree, paths }
}

describe('PrefixTreeAcceptor', () => {
  test('joins equal prefixes, and marks ends', () => {
    const { tree, paths } = treeOf(['open', 'save'], ['open', 'print'], ['open'], ['open', 'save'])
    expect(paths).toEqual([[1, 2], [1, 3], [1], [1, 2]])
    expect(tree.toString()).toBe(['(root) 4', '  open 4*', '    save 2*', '    print 1*'].join('\n'))
  })

  test('accepts nothing before it has seen something', () => {
    const { tree } = treeOf()
    expect(tree.accepts([])).toBe(false)
    expect(tree.nodeCount).toBe(1)
    expect(tree.toString()).toBe('(root) 0')
  })

  test('an empty sample ends at the root', () => {
    const { tree } = treeOf([])
    expect(tree.accepts([])).toBe(true)
    expect(tree.toString()).toBe('(root) 1*')
  })

  test('symbols are text, whatever they say', () => {
    const { tree } = treeOf(['constructor', '__proto__'], ['', ' '], ['🗂️'])
    expect(tree.accepts(['constructor', '__proto__'])).toBe(true)
    expect(tree.accepts(['toString'])).toBe(false)
    expect(tree.accepts(['__proto__'])).toBe(false)
    expect(tree.accepts(['', ' '])).toBe(true)
    expect(tree.accepts([' ', ''])).toBe(false)
    expect(tree.accepts(['🗂️'])).toBe(true)
  })

  test('takes long samples', () => {
    const long = Array.from({ length: 100_000 }, (_, i) => `${i}`)
    const { tree } = treeOf(long)
    expect(tree.accepts(long)).toBe(true)
    expect(tree.accepts(long.slice(0, -1))).toBe(false)
    expect(treeOf(long.slice(0, 12_000)).tree.toString().split('\n', 3)).toEqual(['(root) 1', '  0 1', '    1 1'])
  })

  const symbol = fc.constantFrom('a', 'b', 'c', '__proto__', '')
  const samples = fc.array(fc.array(symbol, { maxLength: 5 }), { maxLength: 12 })

  test('accepts exactly its samples', () => {
    fc.assert(
      fc.property(samples, samples, (given, others) => {
        const { tree } = treeOf(...given)
        const known = new Set(given.map((sample) => JSON.stringify(sample)))
        for (const sample of [
          ...given,
          ...others,
          ...given.map((s) => s.slice(1)),
          ...given.map((s) => s.slice(0, -1)),
        ]) {
          expect(tree.accepts(sample)).toBe(known.has(JSON.stringify(sample)))
        }
      }),
    )
  })

  test('has one node for each prefix, with the number of samples that pass it and that end there', () => {
    fc.assert(
      fc.property(samples, (given) => {
        const { tree, paths } = treeOf(...given)
        const prefixes = new Map<string, number>()
        const prefix = (sample: readonly string[], length: number) => JSON.stringify(sample.slice(0, length))
        given.forEach((sample, i) => {
          expect(paths[i]).toHaveLength(sample.length)
          paths[i]!.forEach((node, at) => {
            const known = prefixes.get(prefix(sample, at + 1))
            expect(known ?? node).toBe(node)
            prefixes.set(prefix(sample, at + 1), node)
          })
        })
        expect(new Set(prefixes.values()).size).toBe(prefixes.size)
        expect(tree.nodeCount).toBe(prefixes.size + 1)
        prefixes.set('[]', 0)
        for (const [text, node] of prefixes) {
          const { length } = JSON.parse(text) as string[]
          const through = given.filter((sample) => sample.length >= length && prefix(sample, length) === text)
          expect(tree.support(node)).toBe(through.length)
          expect(tree.endsAt(node)).toBe(through.filter((sample) => sample.length === length).length)
        }
        expect(tree.toString().split('\n')).toHaveLength(tree.nodeCount)
      }),
    )
  })
})
