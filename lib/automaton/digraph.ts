/**
 * An immutable directed graph over the nodes 0 … nodeCount - 1, in compressed sparse rows: the successors of `node` are
 * `targets[offsets[node]]` up to, not including, `targets[offsets[node + 1]]`. Self loops and parallel edges are kept.
 *
 * Successors stand in ascending order, so equal sets of edges give equal graphs whatever order they were listed in.
 * The arrays are shared, not copied: read them, never write to them.
 */
export interface Digraph {
  readonly nodeCount: number
  readonly edgeCount: number
  /** node -> index of its first edge; one entry more than there are nodes */
  readonly offsets: Int32Array
  /** edge -> the node it leads to */
  readonly targets: Int32Array
}

/** Builds a digraph from its edges. O(V + E). Throws RangeError on a node outside 0 … nodeCount - 1. */
export function digraph(nodeCount: number, edges: Iterable<readonly [from: number, to: number]>): Digraph {
  if (!Number.isInteger(nodeCount) || nodeCount < 0) {
    throw new RangeError(`The number of nodes must be a whole number from 0 up, not ${nodeCount}`)
  }
  const from: number[] = []
  const to: number[] = []
  for (const [source, target] of edges) {
    if (!isNode(source, nodeCount) || !isNode(target, nodeCount)) {
      throw new RangeError(`Edge ${source} -> ${target} needs nodes from 0 to ${nodeCount - 1}`)
    }
    from.push(source)
    to.push(target)
  }
  // Grouping by target and then, keeping that order, by source leaves each row sorted: that is a radix sort.
  return reverse(compress(nodeCount, to, from))
}

/** The graph with every edge turned round: its successors are the predecessors of `graph`. O(V + E). */
export function reverse(graph: Digraph): Digraph {
  const { nodeCount, offsets, targets } = graph
  const sources = new Int32Array(targets.length)
  for (let node = 0; node < nodeCount; node++) sources.fill(node, offsets[node]!, offsets[node + 1]!)
  return compress(nodeCount, targets, sources)
}

/** The successors of a node in ascending order, one entry an edge. */
export function successors(graph: Digraph, node: number): Int32Array {
  requireNode(graph, node)
  return graph.targets.subarray(graph.offsets[node]!, graph.offsets[node + 1]!)
}

/** The guard at the door of every algorithm that starts from a node the caller names. */
export function requireNode(graph: Digraph, node: number): void {
  if (!isNode(node, graph.nodeCount)) {
    throw new RangeError(`Node ${node} is not in the graph of ${graph.nodeCount} nodes`)
  }
}

function isNode(node: number, nodeCount: number): boolean {
  return Number.isInteger(node) && node >= 0 && node < nodeCount
}

/** Counting sort of the edges by source; edges of one source keep their order. */
function compress(nodeCount: number, from: ArrayLike<number>, to: ArrayLike<number>): Digraph {
  const edgeCount = from.length
  const offsets = new Int32Array(nodeCount + 1)
  for (let edge = 0; edge < edgeCount; edge++) offsets[from[edge]! + 1]!++
  for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!
  const next = offsets.slice()
  const targets = new Int32Array(edgeCount)
  for (let edge = 0; edge < edgeCount; edge++) targets[next[from[edge]!]!++] = to[edge]!
  return { nodeCount, edgeCount, offsets, targets }
}
