import { bareId, edgeLine, type GraphView, isMainLine, nodeLines, type ViewKind } from './graph-view.js'

/**
 * The graph as a Mermaid flowchart, which GitHub and GitLab draw in Markdown. The same view gives the same bytes.
 *
 * What a state is shows in words, shape, outline and colour, so that no reader depends on one of them; a thick outline
 * marks a state in which a passing trace ended. Mermaid refuses more than 500 edges or 50,000 characters by default:
 * draw larger graphs with `toDot`.
 */
export function toMermaid(view: GraphView): string {
  const mainLine = isMainLine(view)
  const nodes = view.nodes.map((node) => {
    const [open, close] = SHAPES[node.kind]
    const label = nodeLines(node).map(escapeLabel).join('<br/>')
    return `  ${bareId(node.id)}${open}"${label}"${close}:::${node.kind}`
  })
  const edges = view.edges.map((edge) => {
    const arrow = mainLine(edge) ? '-->' : '-.->'
    return `  ${bareId(edge.from)} ${arrow}|"${escapeLabel(edgeLine(edge))}"| ${bareId(edge.to)}`
  })
  const terminals = view.nodes.filter(({ terminal }) => terminal).map(({ id }) => `  class ${bareId(id)} terminal`)
  return ['flowchart TD', ...nodes, ...edges, ...CLASSES, ...terminals, ''].join('\n')
}

const SHAPES: Record<ViewKind, readonly [open: string, close: string]> = {
  essential: ['[', ']'],
  optional: ['([', '])'],
  transient: ['{{', '}}'],
  alternative: ['[/', '/]'],
}

const CLASSES = [
  '  classDef essential fill:#dcebfa,stroke:#1f5fa8,stroke-width:2px,color:#111827',
  '  classDef optional fill:#f3f4f6,stroke:#6b7280,stroke-dasharray:6 4,color:#111827',
  '  classDef transient fill:#ffffff,stroke:#6b7280,stroke-dasharray:2 3,color:#111827',
  '  classDef alternative fill:#fdf3d6,stroke:#a16207,color:#111827',
  '  classDef terminal stroke-width:4px',
]

/**
 * Text for a quoted label. Mermaid has no escape character but its own form of character references, `#34;`. Between
 * the quotes it still reads HTML, Markdown ("1. " and "1) " begin lists) and, over the whole line, words like `style`
 * before a colon: so of ASCII only letters, digits and harmless marks stay as they are.
 */
function escapeLabel(text: string): string {
  return text
    .replace(READ_ONCE_MORE, '$&\u2060')
    .replace(/(?![A-Za-z0-9 ,'?])[ -~]/g, (character) => `#${character.charCodeAt(0)};`)
}

/**
 * What Mermaid still acts on after it has resolved references: `\n`, formulas (`$$`), icons (`fa:fa-car`) and its own
 * placeholders for references (`ﬂ°34¶ß`). An invisible word joiner (U+2060) after the first character keeps them text.
 */
const READ_ONCE_MORE = /\\(?=n)|\$(?=\$)|:(?=fa-)|ﬂ(?=°)|¶(?=ß)/g
