import fc from 'fast-check'

export type Edge = readonly [from: number, to: number]

export interface Edges {
  readonly nodeCount: number
  readonly edges: readonly Edge[]
}

/** Any small graph: cycles, self loops, parallel edges and unreachable nodes come by themselves; dense and sparse. */
export function anyEdges(maxNodes = 9): fc.Arbitrary<Edges> {
  return fc.integer({ min: 1, max: maxNodes }).chain((nodeCount) => {
    const node = fc.nat(nodeCount - 1)
    return fc.record({
      nodeCount: fc.constant(nodeCount),
      edges: fc.array(fc.tuple(node, node), { maxLength: 3 * nodeCount }),
    })
  })
}

/** The items in an order that the numbers decide (Fisher & Yates). */
export function shuffled<T>(items: readonly T[], numbers: Iterator<number>): T[] {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i--) {
    const j = numbers.next().value % (i + 1)
    ;[result[i], result[j]] = [result[j]!, result[i]!]
  }
  return result
}

/** `A>B A>C` as numbered edges; names are numbered in the order in which they appear. */
export function named(text: string): Edges & { readonly names: readonly string[] } {
  const names = new Map<string, number>()
  const number = (name: string) => names.get(name) ?? names.set(name, names.size).size - 1
  const edges = text
    .trim()
    .split(/\s+/)
    .map((edge): Edge => {
      const [from, to] = edge.split('>')
      return [number(from!), number(to!)]
    })
  return { nodeCount: names.size, edges, names: [...names.keys()] }
}

/** 0 -> 1 -> 2 … */
export function path(nodeCount: number): Edges {
  return { nodeCount, edges: Array.from({ length: nodeCount - 1 }, (_, node): Edge => [node, node + 1]) }
}

/** Two paths, 0 2 4 … and 1 3 5 …, with an edge from each node of the first to its partner in the second. */
export function ladder(nodeCount: number): Edges {
  const edges: Edge[] = []
  for (let left = 0; left < nodeCount; left += 2) {
    edges.push([left, left + 1])
    if (left + 3 < nodeCount) edges.push([left, left + 2], [left + 1, left + 3])
  }
  return { nodeCount, edges }
}

/*
 * Graphs made to slow down one algorithm or another: Georgiadis, "Linear-Time Algorithms for Dominators and Related
 * Problems", dissertation, Princeton 2005 (TR-737-05), figures 2.2 and 2.9. The start is 0 throughout.
 */

/** Figure 2.2: one long path with edges both ways, entered at both ends. */
export function bidirectional(length: number): Edges {
  const edges: Edge[] = [
    [0, 1],
    [0, length],
  ]
  for (let node = 1; node < length; node++) edges.push([node, node + 1], [node + 1, node])
  return { nodeCount: length + 1, edges }
}

/** Quadratic for the iterative algorithm, with a complete bipartite part. */
export function itworst(k: number): Edges {
  const [w, x, y, z] = [0, 1, 2, 3].map((row) => (i: number) => row * k + i) as Rows
  const edges: Edge[] = [
    [0, w(1)],
    [0, x(1)],
    [0, z(k)],
    [x(k), y(1)],
    [y(k), z(1)],
  ]
  for (let i = 1; i <= k; i++) {
    for (let j = 1; j <= k; j++) edges.push([y(i), w(j)])
    if (i === k) continue
    for (const row of [w, x, y, z]) edges.push([row(i), row(i + 1)])
    edges.push([z(i + 1), z(i)])
  }
  return { nodeCount: 4 * k + 1, edges }
}

/** As many passes as there are nodes for the iterative algorithm in depth-first order. */
export function idfsquad(k: number): Edges {
  const [x, y, z] = [0, 1, 2].map((row) => (i: number) => row * k + i) as Rows
  const edges: Edge[] = [
    [0, x(1)],
    [0, z(1)],
  ]
  for (let i = 1; i <= k; i++) {
    edges.push([x(i), y(i)], [y(i), z(i)], [z(i), y(i)])
    if (i < k) edges.push([x(i), x(i + 1)], [y(i), z(i + 1)])
  }
  return { nodeCount: 3 * k + 1, edges }
}

/** The same in breadth-first order. */
export function ibfsquad(k: number): Edges {
  const [w, y, z] = [k + 1, k + 2, k + 3]
  const edges: Edge[] = [
    [0, w],
    [0, y],
    [y, z],
    [z, k],
  ]
  for (let i = 1; i <= k; i++) {
    edges.push([w, i])
    if (i > 1) edges.push([i, i - 1])
  }
  return { nodeCount: k + 4, edges }
}

/** Quadratic for semi-NCA: a path, from whose end a fan spreads that the start reaches directly too. */
export function sncaworst(k: number): Edges {
  const edges: Edge[] = []
  for (let i = 1; i <= k; i++) edges.push([i - 1, i], [0, k + i], [k, k + i])
  return { nodeCount: 2 * k + 1, edges }
}

type Row = (i: number) => number
type Rows = [Row, Row, Row, Row]
