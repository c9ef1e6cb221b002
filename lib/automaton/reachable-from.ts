import { type Digraph, requireNode } from './digraph.js'

/**
 * Which nodes can be reached from `start` by following edges, `start` among them: node -> 1 or 0.
 * Graph search with an explicit stack, O(V + E). For the nodes that can reach `start`, pass `reverse(graph)`.
 */
export function reachableFrom(graph: Digraph, start: number): Uint8Array {
  requireNode(graph, start)
  const { nodeCount, offsets, targets } = graph
  const reached = new Uint8Array(nodeCount)
  const stack = new Int32Array(nodeCount) // a node is pushed once, when it is reached
  let height = 0
  stack[height++] = start
  reached[start] = 1
  while (height > 0) {
    const node = stack[--height]!
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const target = targets[edge]!
      if (reached[target] === 1) continue
      reached[target] = 1
      stack[height++] = target
    }
  }
  return reached
}
