import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { nodeId, nodeName, toGraphlib } from '../../lib/automaton/to-graphlib.js'

const HOSTILE = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '',
  '%',
  '%01',
  '\u0000',
  '\u0001',
  'a\u0001b',
]
const node = (id: string) => ({ id, label: { title: id } })
const edge = (from: string, to: string, label = `${from} to ${to}`) => ({ from, to, label })

test('keeps nodes, edges and labels, whatever the ids', () => {
  const graph = toGraphlib(
    HOSTILE.map(node),
    HOSTILE.flatMap((from) => HOSTILE.map((to) => edge(from, to))),
  )
  expect(graph.nodes().map(nodeId)).toEqual(HOSTILE)
  expect(graph.nodes().map((name) => graph.node(name).title)).toEqual(HOSTILE)
  expect(graph.edgeCount()).toBe(HOSTILE.length ** 2)
  for (const from of HOSTILE) {
    for (const to of HOSTILE) expect(graph.edge(nodeName(from), nodeName(to))).toBe(`${from} to ${to}`)
  }
})

test('does not mix up edges whose ids, put together, read the same', () => {
  const graph = toGraphlib(['a', 'b\u0001n:c', 'a\u0001n:b', 'c'].map(node), [
    edge('a', 'b\u0001n:c'),
    edge('a\u0001n:b', 'c'),
  ])
  expect(graph.edgeCount()).toBe(2)
})

test('keeps parallel edges, the first without a name', () => {
  const graph = toGraphlib(
    ['a', 'b'].map(node),
    ['click', 'key', 'goto'].map((label) => edge('a', 'b', label)),
  )
  const [a, b] = [nodeName('a'), nodeName('b')]
  expect(graph.edge(a, b)).toBe('click')
  expect(graph.edge(a, b, '1')).toBe('key')
  expect(graph.edge(a, b, '2')).toBe('goto')
  expect(graph.outEdges(a)).toHaveLength(3)
})

test('names can be told apart and turned back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (id) => {
      expect(nodeId(nodeName(id))).toBe(id)
      expect(nodeName(id)).not.toMatch(/\p{Cc}/u)
    }),
  )
})

test('refuses an id given twice', () => {
  expect(() => toGraphlib([node('a'), node('a')], [])).toThrow(new RangeError('Node "a" is there twice'))
})

test.each([
  ['a', 'b'],
  ['b', 'a'],
])('refuses an edge %p -> %p to or from nowhere', (from, to) => {
  expect(() => toGraphlib([node('a')], [edge(from, to)])).toThrow(
    new RangeError('Edge to or from node "b", which is not there'),
  )
})
