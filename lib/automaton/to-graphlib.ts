import { Graph, type Label } from '@dagrejs/graphlib'

export interface LabelledNode<T> {
  readonly id: string
  readonly label: T
}

export interface LabelledEdge<T> {
  readonly from: string
  readonly to: string
  readonly label: T
}

/**
 * The graph as a graphlib `Graph`, the container that layout libraries such as dagre take.
 *
 * graphlib keeps its nodes in plain objects and glues edge names together with control characters, so that ids like
 * `constructor` or `a\u0001b` are lost or confused. Here every id is turned into a safe name by `nodeName`; `nodeId`
 * gives the id back. Labels are passed on as they are.
 *
 * It is a directed multigraph: the first edge between two nodes has no name, so `graph.edge(v, w)` finds it, and
 * parallel ones are named '1', '2', … in the order given. graphlib's own `alg` functions recurse: do not use them on
 * long graphs.
 *
 * Throws RangeError on an id given twice, or an edge between nodes that are not there. O(V + E).
 */
export function toGraphlib<NodeLabel, EdgeLabel>(
  nodes: Iterable<LabelledNode<NodeLabel>>,
  edges: Iterable<LabelledEdge<EdgeLabel>>,
): Graph<Label, NodeLabel, EdgeLabel> {
  const graph = new Graph<Label, NodeLabel, EdgeLabel>({ directed: true, multigraph: true })
  for (const { id, label } of nodes) {
    const name = nodeName(id)
    if (graph.hasNode(name)) throw new RangeError(`Node ${JSON.stringify(id)} is there twice`)
    graph.setNode(name, label)
  }
  const parallel = new Map<string, number>() // the two names -> number of edges so far
  for (const { from, to, label } of edges) {
    const missing = [from, to].find((id) => !graph.hasNode(nodeName(id)))
    if (missing !== undefined) {
      throw new RangeError(`Edge to or from node ${JSON.stringify(missing)}, which is not there`)
    }
    const v = nodeName(from)
    const w = nodeName(to)
    const pair = `${v}\u0001${w}` // unambiguous: no name contains the separator
    const count = parallel.get(pair) ?? 0
    parallel.set(pair, count + 1)
    if (count === 0) graph.setEdge(v, w, label)
    else graph.setEdge(v, w, label, String(count))
  }
  return graph
}

/** The name under which a node with this id is kept in the graphlib graph. Distinct ids have distinct names. */
export function nodeName(id: string): string {
  return `n:${id.replace(/[\p{Cc}%]/gu, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}`
}

/** The id behind a name that `nodeName` gave. */
export function nodeId(name: string): string {
  return name.slice('n:'.length).replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
