import { bareId, edgeLine, type GraphView, isMainLine, nodeLines, type ViewKind } from './graph-view.js'

/**
 * The graph in Graphviz's DOT language (`dot -Tsvg`). The same view gives the same bytes.
 *
 * What a state is shows in words, shape, outline and colour, so that no reader depends on one of them; a double outline
 * marks a state in which a passing trace ended.
 */
export function toDot(view: GraphView): string {
  const mainLine = isMainLine(view)
  const nodes = view.nodes.map((node) => {
    const label = nodeLines(node).map(escapeLabel).join('\\n')
    return `  ${bareId(node.id)} [label="${label}", ${STYLES[node.kind]}${node.terminal ? ', peripheries=2' : ''}]`
  })
  const edges = view.edges.map((edge) => {
    const style = mainLine(edge) ? 'solid' : 'dashed'
    return `  ${bareId(edge.from)} -> ${bareId(edge.to)} [label="${escapeLabel(edgeLine(edge))}", style=${style}]`
  })
  return [
    'digraph {',
    '  node [fontname="Helvetica,Arial,sans-serif", fontsize=12]',
    '  edge [fontname="Helvetica,Arial,sans-serif", fontsize=10]',
    ...nodes,
    ...edges,
    '}',
    '',
  ].join('\n')
}

const STYLES: Record<ViewKind, string> = {
  essential: 'shape=box, style=filled, penwidth=2, color="#1f5fa8", fillcolor="#dcebfa"',
  optional: 'shape=ellipse, style="filled,dashed", color="#6b7280", fillcolor="#f3f4f6"',
  transient: 'shape=hexagon, style="filled,dotted", color="#6b7280", fillcolor="#ffffff"',
  alternative: 'shape=parallelogram, style=filled, color="#a16207", fillcolor="#fdf3d6"',
}

/**
 * Text for a quoted label. Besides the quote, a backslash begins an escape such as `\N`, the name of the node, and
 * Graphviz reads HTML entities even in plain labels.
 */
function escapeLabel(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/&/g, '&amp;')
}
