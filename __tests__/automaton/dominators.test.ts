import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { digraph } from '../../lib/automaton/digraph.js'
import { dominators } from '../../lib/automaton/dominators.js'
import type { Edges } from './graphs.js'
import * as graphs from './graphs.js'

const dominatorsOf = ({ nodeCount, edges }: Edges, start = 0) => dominators(digraph(nodeCount, edges), start)

describe('examples from the literature', () => {
  // Each node after its immediate dominator: `A<B` reads "A is immediately dominated by B".
  test.each([
    [
      'Lengauer & Tarjan 1979, figures 1 and 2',
      `R>A R>B R>C A>D B>A B>D B>E C>F C>G D>L E>H F>I G>I G>J H>E H>K I>K J>I K>I K>R L>H`,
      'A<R B<R C<R D<R E<R F<C G<C H<R I<R J<G K<R L<D',
    ],
    ['Cooper, Harvey & Kennedy 2001, figure 2 (irreducible)', '5>4 5>3 4>1 3>2 1>2 2>1', '1<5 2<5 3<5 4<5'],
    [
      'Cooper, Harvey & Kennedy 2001, figure 4 (irreducible)',
      '6>5 6>4 5>1 4>2 4>3 1>2 2>1 2>3 3>2',
      '1<6 2<6 3<6 4<6 5<6',
    ],
  ])('%s', (_, text, expected) => {
    const graph = graphs.named(text)
    const tree = dominatorsOf(graph)
    const found = graph.names.flatMap((name, node) => {
      const idom = tree.immediateDominator(node)
      return idom === null ? [] : `${name}<${graph.names[idom]}`
    })
    expect(found.sort().join(' ')).toBe(expected)
  })

  // Georgiadis 2005, figures 2.2 and 2.9 (k = 3).
  test.each([
    ['bidirectional', graphs.bidirectional(7), '0(1 2 3 4 5 6 7)'],
    ['itworst', graphs.itworst(3), '0(1 2 3 4(5(6(7(8(9))))) 10 11 12)'],
    ['idfsquad', graphs.idfsquad(3), '0(1(2(3)) 4 5 6 7 8 9)'],
    ['ibfsquad', graphs.ibfsquad(3), '0(1 2 3 4 5(6))'],
    ['sncaworst', graphs.sncaworst(3), '0(1(2(3)) 4 5 6)'],
  ])('%s', (_, graph, expected) => {
    expect(String(dominatorsOf(graph))).toBe(expected)
  })
})

describe('small graphs', () => {
  test('a single node dominates itself and has no immediate dominator', () => {
    const tree = dominatorsOf({ nodeCount: 1, edges: [] })
    expect(tree.immediateDominator(0)).toBeNull()
    expect(tree.dominators(0)).toEqual([0])
    expect(tree.strictDominators(0)).toEqual([])
    expect(tree.dominates(0, 0)).toBe(true)
    expect(tree.depth(0)).toBe(0)
    expect(tree.children(0)).toEqual([])
    expect(String(tree)).toBe('0')
  })

  test('a state that one trace skips is no dominator of what follows', () => {
    const tree = dominatorsOf(graphs.named('start>search search>tip tip>results search>results results>file'))
    expect(String(tree)).toBe('0(1(2 3(4)))')
    expect(tree.dominators(4)).toEqual([0, 1, 3, 4])
    expect(tree.strictDominators(4)).toEqual([0, 1, 3])
    expect(tree.depth(4)).toBe(3)
    expect(tree.dominates(2, 3)).toBe(false)
    expect(tree.children(1)).toEqual([2, 3])
  })

  test('any node may be the start', () => {
    const tree = dominatorsOf({ nodeCount: 3, edges: [...graphs.path(3).edges, [2, 0]] }, 2)
    expect(String(tree)).toBe('2(0(1))')
  })

  test('the unreachable have no dominators, dominate nothing, and stand in nobody’s way', () => {
    const tree = dominatorsOf({
      nodeCount: 4,
      edges: [
        [0, 1],
        [2, 1],
        [2, 3],
        [3, 3],
      ],
    })
    expect(tree.immediateDominator(1)).toBe(0)
    for (const lost of [2, 3]) {
      expect(tree.isReachable(lost)).toBe(false)
      expect(tree.immediateDominator(lost)).toBeNull()
      expect(tree.dominators(lost)).toEqual([])
      expect(tree.strictDominators(lost)).toEqual([])
      expect(tree.dominates(lost, lost)).toBe(false)
      expect(tree.dominates(0, lost)).toBe(false)
      expect(tree.dominates(lost, 1)).toBe(false)
      expect(tree.depth(lost)).toBeNull()
      expect(tree.children(lost)).toEqual([])
    }
  })

  test('a node that is not in the graph is refused', () => {
    const graph = digraph(2, [[0, 1]])
    const tree = dominators(graph, 0)
    const refusal = (node: number) => new RangeError(`Node ${node} is not in the graph of 2 nodes`)
    expect(() => dominators(graph, 2)).toThrow(refusal(2))
    expect(() => dominators(digraph(0, []), 0)).toThrow(new RangeError('Node 0 is not in the graph of 0 nodes'))
    for (const ask of ['immediateDominator', 'dominators', 'isReachable', 'depth', 'children'] as const) {
      expect(() => tree[ask](-1)).toThrow(refusal(-1))
      expect(() => tree[ask](0.5)).toThrow(refusal(0.5))
    }
    expect(() => tree.dominates(0, 7)).toThrow(refusal(7))
  })
})

describe('against brute force: a dominates b when b cannot be reached without a', () => {
  test('on thousands of random graphs', () => {
    fc.assert(
      fc.property(graphs.anyEdges(), ({ nodeCount, edges }) => {
        expectTheTruth({ nodeCount, edges }, 0)
        expectTheTruth({ nodeCount, edges }, nodeCount - 1)
      }),
      { numRuns: 4000 },
    )
  })

  test('on larger, sparse ones, where chains of dominators are long', () => {
    const sparse = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 5, maxLength: 12 }).chain((extra) =>
      fc.integer({ min: 12, max: 30 }).map((nodeCount) => ({
        nodeCount,
        edges: [
          ...graphs.path(nodeCount).edges,
          ...extra.map(([from, to]): graphs.Edge => [from % nodeCount, to % nodeCount]),
        ],
      })),
    )
    fc.assert(
      fc.property(sparse, (graph) => expectTheTruth(graph, 0)),
      { numRuns: 500 },
    )
  })

  test.each([
    ['ladder', graphs.ladder(24)],
    ['bidirectional', graphs.bidirectional(20)],
    ['itworst', graphs.itworst(6)],
    ['idfsquad', graphs.idfsquad(8)],
    ['ibfsquad', graphs.ibfsquad(20)],
    ['sncaworst', graphs.sncaworst(12)],
  ])('on %s', (_, graph) => expectTheTruth(graph, 0))
})

describe('100,000 nodes, without recursion', () => {
  const N = 100_000

  test('a path', () => {
    const tree = dominatorsOf(graphs.path(N))
    expect(tree.depth(N - 1)).toBe(N - 1)
    expect(tree.dominators(N - 1)).toHaveLength(N)
    expect(tree.dominates(N / 2, N - 1)).toBe(true)
    expect(String(tree).length).toBeGreaterThan(N)
  })

  test('a path back and forth', () => {
    const { edges } = graphs.path(N)
    const tree = dominatorsOf({ nodeCount: N, edges: [...edges, ...edges.map(([a, b]): graphs.Edge => [b, a])] })
    expect(tree.immediateDominator(N - 1)).toBe(N - 2)
  })

  test('a ladder', () => {
    const tree = dominatorsOf(graphs.ladder(N))
    expect(tree.dominators(N - 2)).toHaveLength(N / 2)
    expect(tree.dominators(N - 1)).toEqual([0, N - 1])
  })

  test('a star', () => {
    const edges = Array.from({ length: N - 1 }, (_, i): graphs.Edge => [0, i + 1])
    expect(dominatorsOf({ nodeCount: N, edges }).children(0)).toHaveLength(N - 1)
  })

  test.each([
    ['bidirectional', graphs.bidirectional(N), N],
    ['idfsquad', graphs.idfsquad(33_333), 99_999],
    ['ibfsquad', graphs.ibfsquad(N), N],
    ['sncaworst', graphs.sncaworst(N / 2), N],
    ['itworst', graphs.itworst(500), 1],
  ])('%s', (_, graph, last) => {
    const tree = dominatorsOf(graph)
    expect(tree.isReachable(last)).toBe(true)
    expect(tree.dominates(0, last)).toBe(true)
  })
})

/** Compares all answers of the tree, one line a node, with what removing each node in turn shows. */
function expectTheTruth(graph: Edges, start: number): void {
  const nodes = [...Array(graph.nodeCount).keys()]
  const reachable = reach(graph, start, null)
  const reachableWithout = nodes.map((node) => reach(graph, start, node))
  const dominates = (a: number, b: number) => reachable.has(a) && reachable.has(b) && !reachableWithout[a]!.has(b)
  const dominatorSets = nodes.map((node) => nodes.filter((a) => dominates(a, node)))
  const chains = dominatorSets.map((set) => set.sort((a, b) => dominatorSets[a]!.length - dominatorSets[b]!.length))
  const expected = nodes.map((node) => ({
    node,
    reachable: reachable.has(node),
    chain: chains[node]!,
    strict: chains[node]!.slice(0, -1),
    immediate: chains[node]!.at(-2) ?? null,
    depth: reachable.has(node) ? chains[node]!.length - 1 : null,
    children: nodes.filter((child) => chains[child]!.at(-2) === node),
    dominated: nodes.filter((b) => dominates(node, b)),
  }))

  const tree = dominatorsOf(graph, start)
  const found = nodes.map((node) => ({
    node,
    reachable: tree.isReachable(node),
    chain: tree.dominators(node),
    strict: tree.strictDominators(node),
    immediate: tree.immediateDominator(node),
    depth: tree.depth(node),
    children: tree.children(node),
    dominated: nodes.filter((b) => tree.dominates(node, b)),
  }))
  expect(lines(found)).toBe(lines(expected)) // as text: deep comparison would take most of the time
}

function lines(facts: readonly object[]): string {
  return facts.map((fact) => JSON.stringify(fact)).join('\n')
}

function reach({ edges }: Edges, start: number, removed: number | null): Set<number> {
  const reached = new Set(start === removed ? [] : [start])
  for (let before = -1; before < reached.size; ) {
    before = reached.size
    for (const [from, to] of edges) if (reached.has(from) && to !== removed) reached.add(to)
  }
  return reached
}
