import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bareId, edgeLine, type GraphView, nodeLines } from '../../lib/report/graph-view.js'
import { toMermaid } from '../../lib/report/mermaid.js'
import { anyView, edge, HOSTILE, node, SEARCH } from './views.js'

test('a graph with each kind of state', () => {
  expect(toMermaid(SEARCH)).toMatchInlineSnapshot(`
"flowchart TD
  n_s0["Start page<br/>essential, 3 of 3"]:::essential
  n_s1{{"Loading<br/>transient, 3 of 3"}}:::transient
  n_s2(["Tip of the day<br/>optional, 1 of 3"]):::optional
  n_s3[/"By menu<br/>alternative, 2 of 3"/]:::alternative
  n_s4["Search results<br/>essential, 3 of 3, end"]:::essential
  n_s0 -.->|"click #34;Search#34;, 3×"| n_s1
  n_s1 -.->|"wait, 1×"| n_s2
  n_s1 -.->|"key F3, 2×"| n_s3
  n_s2 -.->|"1×"| n_s4
  n_s3 -.->|"key Enter, 2×"| n_s4
  n_s0 -->|"goto, 1×"| n_s4
  classDef essential fill:#dcebfa,stroke:#1f5fa8,stroke-width:2px,color:#111827
  classDef optional fill:#f3f4f6,stroke:#6b7280,stroke-dasharray:6 4,color:#111827
  classDef transient fill:#ffffff,stroke:#6b7280,stroke-dasharray:2 3,color:#111827
  classDef alternative fill:#fdf3d6,stroke:#a16207,color:#111827
  classDef terminal stroke-width:4px
  class n_s4 terminal
"
`)
})

test('kinds differ in shape, not only in colour', () => {
  expect(new Set(parse(toMermaid(SEARCH)).nodes.map(({ shape }) => shape)).size).toBe(4)
})

test('only edges between essential states are solid', () => {
  const solid = parse(toMermaid(SEARCH)).edges.filter(({ arrow }) => arrow === '-->')
  expect(solid.map(({ from, to }) => `${from} ${to}`)).toEqual(['n_s0 n_s4'])
})

test('an empty graph', () => {
  expect(parse(toMermaid({ nodes: [], edges: [] }))).toEqual({ nodes: [], edges: [], terminals: [] })
})

describe('what a strict reader finds in it is what was put in', () => {
  test.each(HOSTILE)('%j', (text) => {
    expectRoundTrip({ nodes: [node(text), node(`${text}!`, { label: text })], edges: [edge(text, `${text}!`, text)] })
  })

  test('any graph', () => {
    fc.assert(fc.property(anyView(), expectRoundTrip), { numRuns: 500 })
  })
})

function expectRoundTrip(view: GraphView): void {
  const { nodes, edges, terminals } = parse(toMermaid(view))
  expect(nodes.map(({ id, kind, label }) => [id, kind, visible(label)])).toEqual(
    view.nodes.map((one) => [bareId(one.id), one.kind, visible(nodeLines(one).join('\n'))]),
  )
  expect(edges.map(({ from, to, label }) => [from, to, visible(label)])).toEqual(
    view.edges.map((one) => [bareId(one.from), bareId(one.to), visible(edgeLine(one))]),
  )
  expect(terminals).toEqual(view.nodes.filter(({ terminal }) => terminal).map(({ id }) => bareId(id)))
}

interface Parsed {
  nodes: { id: string; shape: string; kind: string; label: string }[]
  edges: { from: string; to: string; arrow: string; label: string }[]
  terminals: string[]
}

const NODE = /^ {2}(?<id>n_\w*)(?<open>[[({/]+)"(?<label>[^"]*)"(?<close>[\])}/]+):::(?<kind>[a-z]+)$/u
const EDGE = /^ {2}(?<from>n_\w*) (?<arrow>-->|-\.->)\|"(?<label>[^"]*)"\| (?<to>n_\w*)$/u
const CLASS = /^ {2}class (?<id>n_\w*) terminal$/u
const CLASS_DEFINITION = /^ {2}classDef [a-z]+ [\w:#, -]+$/u

/** A strict reader for the part of Mermaid's flowcharts that is needed here; anything unexpected throws. */
function parse(mermaid: string): Parsed {
  const [first, ...rest] = mermaid.split('\n')
  expect(first).toBe('flowchart TD')
  expect(rest.pop()).toBe('')
  const parsed: Parsed = { nodes: [], edges: [], terminals: [] }
  for (const line of rest) {
    if (CLASS_DEFINITION.test(line)) continue
    const [oneNode, oneEdge, oneClass] = [NODE, EDGE, CLASS].map((pattern) => pattern.exec(line)?.groups)
    if (oneNode) {
      const { id, open, close, kind, label } = oneNode as Record<string, string>
      parsed.nodes.push({ id: id!, shape: `${open}${close}`, kind: kind!, label: shown(label!) })
    } else if (oneEdge) {
      const { from, to, arrow, label } = oneEdge as Record<string, string>
      parsed.edges.push({ from: from!, to: to!, arrow: arrow!, label: shown(label!) })
    } else if (oneClass) parsed.terminals.push(oneClass.id!)
    else throw new Error(`Not a statement: ${line}`)
  }
  return parsed
}

/** A label as Mermaid shows it; whatever could mean something to Mermaid, Markdown or HTML must be a reference. */
function shown(label: string): string {
  return label
    .split('<br/>')
    .map((line) => {
      expect(line.replace(/#\d+;/g, '')).toMatch(/^[A-Za-z0-9 ,'?\u{80}-\u{10ffff}]*$/u)
      const text = line.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
      expect(text).not.toMatch(/\\n|\$\$|fa:fa-|ﬂ°|¶ß/) // these mean something to Mermaid even in references
      return text
    })
    .join('\n')
}

/** Without word joiners, which have no width and no look. */
function visible(label: string): string {
  return label.replaceAll('\u2060', '')
}
