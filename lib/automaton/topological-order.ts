import type { Digraph } from './digraph.js'

/**
 * The nodes in an order in which every edge leads forward; null when the graph has a cycle (a self loop is one).
 * Of the nodes that may come next the smallest is taken, so the order is the lexicographically smallest there is and
 * does not depend on how the edges were listed.
 *
 * Kahn, "Topological sorting of large networks", CACM 5(11), 1962, with a binary heap for the nodes that are ready:
 * O(E + V log V), no recursion.
 */
export function topologicalOrder(graph: Digraph): Int32Array | null {
  const { nodeCount, offsets, targets } = graph
  const open = new Int32Array(nodeCount) // node -> edges into it from nodes that are not placed yet
  for (const target of targets) open[target]!++

  const heap = new Int32Array(nodeCount)
  let heapSize = 0
  for (let node = 0; node < nodeCount; node++) if (open[node] === 0) heap[heapSize++] = node // ascending: a heap already

  const order = new Int32Array(nodeCount)
  let placed = 0
  while (heapSize > 0) {
    const node = heap[0]!
    siftDown(heap, --heapSize, heap[heapSize]!)
    order[placed++] = node
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      const target = targets[edge]!
      if (--open[target]! === 0) siftUp(heap, heapSize++, target)
    }
  }
  return placed === nodeCount ? order : null
}

/** Puts `value` into the free place at `index`, or above it where it belongs. */
function siftUp(heap: Int32Array, index: number, value: number): void {
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (heap[parent]! <= value) break
    heap[index] = heap[parent]!
    index = parent
  }
  heap[index] = value
}

/** Puts `value` into the free root of a heap of `size` entries, or below it where it belongs. */
function siftDown(heap: Int32Array, size: number, value: number): void {
  let index = 0
  for (let child = 1; child < size; child = 2 * index + 1) {
    if (child + 1 < size && heap[child + 1]! < heap[child]!) child++
    if (value <= heap[child]!) break
    heap[index] = heap[child]!
    index = child
  }
  heap[index] = value
}
