import { type Digraph, requireNode, reverse } from './digraph.js'

/**
 * Which nodes does every path from `start` pass through?
 *
 * - a *dominates* b when every path from the start to b contains a; every node dominates itself.
 * - a *strictly dominates* b when it dominates b and is not b.
 * - The *immediate dominator* of b is the strict dominator of b that all other strict dominators of b dominate. Each
 *   reachable node but the start has exactly one, so they form a tree, rooted at the start.
 *
 * Cycles, self loops, parallel edges and nodes that cannot be reached are all allowed.
 *
 * Lengauer & Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", TOPLAS 1(1), 1979: the simple version,
 * with path compression but without balancing. O(E log V) time, O(V + E) space, no recursion.
 *
 * Why not something shorter: Cooper, Harvey & Kennedy (2001) climb the tree once for each edge into a join, which is
 * quadratic on a ladder, two long branches side by side, and that is what traces that differ in one early step look
 * like: 5.7 s at 100,000 nodes against 0.04 s here. Semi-NCA (Georgiadis 2005) is quick on that one but climbs likewise
 * on others (5.9 s on the family `sncaworst`). This bound holds for all graphs.
 */
export function dominators(graph: Digraph, start: number): DominatorTree {
  requireNode(graph, start)
  const { vertex, number, parent, reached } = depthFirst(graph, start)
  const { offsets: firstIn, targets: sources } = reverse(graph)

  // From here to the end of the loops, nodes are their depth-first numbers: the start is 0, the rest follow.
  const semi = identity(reached) // node -> its semidominator
  const idom = new Int32Array(reached)
  const bucket = new Int32Array(reached).fill(NONE) // node -> first of the nodes it is the semidominator of
  const nextInBucket = new Int32Array(reached).fill(NONE)
  const forest = new LinkEvalForest(semi)

  for (let node = reached - 1; node > 0; node--) {
    const original = vertex[node]!
    for (let edge = firstIn[original]!; edge < firstIn[original + 1]!; edge++) {
      const source = number[sources[edge]!]!
      if (source === NONE) continue
      const candidate = semi[forest.evaluate(source)]!
      if (candidate < semi[node]!) semi[node] = candidate
    }
    nextInBucket[node] = bucket[semi[node]!]!
    bucket[semi[node]!] = node

    const above = parent[node]!
    forest.link(above, node)
    for (let waiting = bucket[above]!; waiting !== NONE; waiting = nextInBucket[waiting]!) {
      const lowest = forest.evaluate(waiting)
      idom[waiting] = semi[lowest]! < above ? lowest : above
    }
    bucket[above] = NONE
  }
  for (let node = 1; node < reached; node++) if (idom[node] !== semi[node]) idom[node] = idom[idom[node]!]!

  return new DominatorTree(graph.nodeCount, vertex.subarray(0, reached), idom)
}

/** The answer of `dominators`. Nodes that the start does not reach have no dominators and dominate nothing. */
export class DominatorTree {
  readonly #start: number
  /** node -> its immediate dominator; NONE for the start and for what it does not reach */
  readonly #idom: Int32Array
  /** node -> distance from the root of the tree; NONE when unreachable */
  readonly #depth: Int32Array
  /** node -> its place in a preorder of the tree, and the last place taken by its subtree */
  readonly #first: Int32Array
  readonly #last: Int32Array
  /** the children of a node are children[childOffsets[node]] … children[childOffsets[node + 1] - 1], ascending */
  readonly #childOffsets: Int32Array
  readonly #children: Int32Array

  /**
   * `vertex` lists the reachable nodes, the start first, each after its immediate dominator; `idom` holds, at the same
   * places, the place of the immediate dominator in that list.
   */
  constructor(nodeCount: number, vertex: Int32Array, idom: Int32Array) {
    const reached = vertex.length
    this.#start = vertex[0]!
    this.#idom = new Int32Array(nodeCount).fill(NONE)
    this.#depth = new Int32Array(nodeCount).fill(NONE)
    this.#first = new Int32Array(nodeCount).fill(NONE)
    this.#last = new Int32Array(nodeCount).fill(NONE)
    this.#childOffsets = new Int32Array(nodeCount + 1)
    this.#children = new Int32Array(reached - 1)

    // Each node stands after its parent, so one sweep backwards gives the sizes and one forwards all the rest.
    const size = new Int32Array(reached).fill(1)
    for (let i = reached - 1; i > 0; i--) size[idom[i]!]! += size[i]!
    const free = new Int32Array(reached) // the next preorder place free below a node
    for (let i = 0; i < reached; i++) {
      const node = vertex[i]!
      const place = i === 0 ? 0 : free[idom[i]!]!
      if (i > 0) {
        const above = vertex[idom[i]!]!
        free[idom[i]!]! += size[i]!
        this.#idom[node] = above
        this.#childOffsets[above + 1]!++
      }
      this.#depth[node] = i === 0 ? 0 : this.#depth[this.#idom[node]!]! + 1
      this.#first[node] = place
      this.#last[node] = place + size[i]! - 1
      free[i] = place + 1
    }

    for (let node = 0; node < nodeCount; node++) this.#childOffsets[node + 1]! += this.#childOffsets[node]!
    const next = this.#childOffsets.slice()
    for (let node = 0; node < nodeCount; node++) {
      if (this.#idom[node] !== NONE) this.#children[next[this.#idom[node]!]!++] = node
    }
  }

  isReachable(node: number): boolean {
    return this.#first[this.#known(node)] !== NONE
  }

  /** The closest strict dominator; null for the start and for what it does not reach. O(1). */
  immediateDominator(node: number): number | null {
    const idom = this.#idom[this.#known(node)]!
    return idom === NONE ? null : idom
  }

  /** All dominators from the start to the node itself; empty when the node is unreachable. O(length of the answer). */
  dominators(node: number): number[] {
    if (!this.isReachable(node)) return []
    const chain: number[] = []
    for (let above = node; above !== NONE; above = this.#idom[above]!) chain.push(above)
    return chain.reverse()
  }

  /** All dominators but the node itself, from the start down. */
  strictDominators(node: number): number[] {
    return this.dominators(node).slice(0, -1)
  }

  /** Is `a` on every path from the start to `b`? False when either is unreachable. O(1), by preorder intervals. */
  dominates(a: number, b: number): boolean {
    if (!this.isReachable(a) || !this.isReachable(b)) return false
    const place = this.#first[b]!
    return this.#first[a]! <= place && place <= this.#last[a]!
  }

  /** The nodes whose immediate dominator this is, in ascending order. */
  children(node: number): number[] {
    this.#known(node)
    return Array.from(this.#children.subarray(this.#childOffsets[node]!, this.#childOffsets[node + 1]!))
  }

  /** Number of strict dominators: 0 for the start; null when the node is unreachable. O(1). */
  depth(node: number): number | null {
    const depth = this.#depth[this.#known(node)]!
    return depth === NONE ? null : depth
  }

  /** The whole tree, children in brackets after their parent: `0(1(2 3) 4)`. */
  toString(): string {
    let text = ''
    const stack: (number | string)[] = [this.#start]
    while (stack.length > 0) {
      const next = stack.pop()!
      text += next
      if (typeof next === 'string') continue
      const children = this.children(next)
      if (children.length === 0) continue
      stack.push(')')
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!, i === 0 ? '(' : ' ')
    }
    return text
  }

  #known(node: number): number {
    if (this.#first[node] === undefined) {
      throw new RangeError(`Node ${node} is not in the graph of ${this.#first.length} nodes`)
    }
    return node
  }
}

const NONE = -1

function identity(length: number): Int32Array {
  return new Int32Array(length).map((_, index) => index)
}

/** Numbers the reachable nodes in the order in which a depth-first search first meets them. */
function depthFirst(graph: Digraph, start: number) {
  const { nodeCount, offsets, targets } = graph
  const vertex = new Int32Array(nodeCount) // number -> node
  const number = new Int32Array(nodeCount).fill(NONE) // node -> number; NONE when unreachable
  const parent = new Int32Array(nodeCount).fill(NONE) // number -> number of the parent in the search tree
  const next = offsets.slice(0, nodeCount) // node -> the next of its edges to follow
  const stack = new Int32Array(nodeCount)
  let reached = 0
  let height = 0
  vertex[reached] = start
  number[start] = reached++
  stack[height++] = start
  while (height > 0) {
    const node = stack[height - 1]!
    if (next[node] === offsets[node + 1]) {
      height--
      continue
    }
    const target = targets[next[node]!++]!
    if (number[target] !== NONE) continue
    vertex[reached] = target
    parent[reached] = number[node]!
    number[target] = reached++
    stack[height++] = target
  }
  return { vertex, number, parent, reached }
}

/**
 * The forest of the nodes that have been dealt with, for the question that the algorithm asks all the time: of the
 * nodes between `node` and the root of its tree (the root left out), which has the smallest semidominator? Paths are
 * compressed on the way, with a stack of their own, since they can be as long as the graph.
 */
class LinkEvalForest {
  readonly #semi: Int32Array
  readonly #ancestor: Int32Array
  /** node -> the node of smallest semidominator on the compressed path above it, itself included */
  readonly #label: Int32Array
  readonly #path: Int32Array

  constructor(semi: Int32Array) {
    this.#semi = semi
    this.#ancestor = new Int32Array(semi.length).fill(NONE)
    this.#label = identity(semi.length)
    this.#path = new Int32Array(semi.length)
  }

  link(parent: number, node: number): void {
    this.#ancestor[node] = parent
  }

  evaluate(node: number): number {
    const semi = this.#semi
    const ancestor = this.#ancestor
    const label = this.#label
    const path = this.#path
    if (ancestor[node] === NONE) return node

    let length = 0
    for (let step = node; ancestor[ancestor[step]!] !== NONE; step = ancestor[step]!) path[length++] = step
    while (length > 0) {
      const step = path[--length]!
      const above = ancestor[step]!
      if (semi[label[above]!]! < semi[label[step]!]!) label[step] = label[above]!
      ancestor[step] = ancestor[above]!
    }
    return label[node]!
  }
}
