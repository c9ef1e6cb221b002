import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { digraph, reverse, successors } from '../../lib/automaton/digraph.js'
import { reachableFrom } from '../../lib/automaton/reachable-from.js'
import { topologicalOrder } from '../../lib/automaton/topological-order.js'
import { anyEdges, type Edge, shuffled } from './graphs.js'

describe('digraph', () => {
  test('keeps self loops and parallel edges, in ascending order', () => {
    const graph = digraph(3, [
      [0, 2],
      [0, 1],
      [0, 2],
      [1, 1],
    ])
    expect(graph.edgeCount).toBe(4)
    expect([0, 1, 2].map((node) => [...successors(graph, node)])).toEqual([[1, 2, 2], [1], []])
  })

  test('may be empty', () => {
    expect(digraph(0, [])).toMatchObject({ nodeCount: 0, edgeCount: 0 })
  })

  test('does not depend on the order of the edges', () => {
    fc.assert(
      fc.property(anyEdges(), fc.infiniteStream(fc.nat()), ({ nodeCount, edges }, numbers) => {
        expect(digraph(nodeCount, shuffled(edges, numbers))).toEqual(digraph(nodeCount, edges))
      }),
    )
  })

  test('reversed has every edge turned round, and reversed twice is the same', () => {
    fc.assert(
      fc.property(anyEdges(), ({ nodeCount, edges }) => {
        const graph = digraph(nodeCount, edges)
        const turned = edges.map(([from, to]): Edge => [to, from])
        expect(reverse(graph)).toEqual(digraph(nodeCount, turned))
        expect(reverse(reverse(graph))).toEqual(graph)
      }),
    )
  })

  test.each([
    [2, [[0, 2]], 'Edge 0 -> 2 needs nodes from 0 to 1'],
    [2, [[-1, 0]], 'Edge -1 -> 0 needs nodes from 0 to 1'],
    [2, [[0, 0.5]], 'Edge 0 -> 0.5 needs nodes from 0 to 1'],
    [-1, [], 'The number of nodes must be a whole number from 0 up, not -1'],
    [Number.NaN, [], 'The number of nodes must be a whole number from 0 up, not NaN'],
  ] as [number, Edge[], string][])('refuses %p nodes with edges %j', (nodeCount, edges, message) => {
    expect(() => digraph(nodeCount, edges)).toThrow(new RangeError(message))
  })

  test('refuses to look up a node that is not there', () => {
    expect(() => successors(digraph(1, []), 1)).toThrow(new RangeError('Node 1 is not in the graph of 1 nodes'))
    expect(() => reachableFrom(digraph(1, []), -1)).toThrow(new RangeError('Node -1 is not in the graph of 1 nodes'))
  })
})

describe('reachableFrom', () => {
  test('is the reflexive, transitive closure of the edges', () => {
    fc.assert(
      fc.property(anyEdges(), ({ nodeCount, edges }) => {
        const expected = new Set([0])
        for (let before = 0; before < expected.size; ) {
          before = expected.size
          for (const [from, to] of edges) if (expected.has(from)) expected.add(to)
        }
        const reached = reachableFrom(digraph(nodeCount, edges), 0)
        expect(new Set([...reached.keys()].filter((node) => reached[node] === 1))).toEqual(expected)
      }),
    )
  })
})

describe('topologicalOrder', () => {
  test('takes the smallest node that is free', () => {
    const graph = digraph(6, [
      [5, 0],
      [4, 0],
      [5, 2],
      [2, 3],
      [3, 1],
      [4, 1],
    ])
    expect([...topologicalOrder(graph)!]).toEqual([4, 5, 0, 2, 3, 1])
  })

  test('of a graph without edges is 0, 1, 2 …', () => {
    expect([...topologicalOrder(digraph(4, []))!]).toEqual([0, 1, 2, 3])
    expect([...topologicalOrder(digraph(0, []))!]).toEqual([])
  })

  test('is null for a cycle and for a self loop', () => {
    expect(topologicalOrder(digraph(1, [[0, 0]]))).toBeNull()
    expect(
      topologicalOrder(
        digraph(4, [
          [0, 1],
          [1, 2],
          [2, 1],
          [2, 3],
        ]),
      ),
    ).toBeNull()
  })

  test('is the lexicographically smallest order, and null only where there is none', () => {
    fc.assert(
      fc.property(anyEdges(), ({ nodeCount, edges }) => {
        const order = topologicalOrder(digraph(nodeCount, edges))
        expect(order && [...order]).toEqual(smallestOrder(nodeCount, edges))
      }),
      { numRuns: 1000 },
    )
  })
})

/** Again and again the smallest node without an edge from the rest. */
function smallestOrder(nodeCount: number, edges: readonly Edge[]): number[] | null {
  const rest = new Set(Array(nodeCount).keys())
  const order: number[] = []
  while (rest.size > 0) {
    const free = [...rest].find((node) => !edges.some(([from, to]) => to === node && rest.has(from)))
    if (free === undefined) return null
    rest.delete(free)
    order.push(free)
  }
  return order
}
