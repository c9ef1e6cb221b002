import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toDot } from '../../lib/report/dot.js'
import { bareId, edgeLine, type GraphView, nodeLines } from '../../lib/report/graph-view.js'
import { anyView, edge, HOSTILE, node, SEARCH } from './views.js'

test('a graph with each kind of state', () => {
  expect(toDot(SEARCH)).toMatchInlineSnapshot(`
"digraph {
  node [fontname="Helvetica,Arial,sans-serif", fontsize=12]
  edge [fontname="Helvetica,Arial,sans-serif", fontsize=10]
  n_s0 [label="Start page\\nessential, 3 of 3", shape=box, style=filled, penwidth=2, color="#1f5fa8", fillcolor="#dcebfa"]
  n_s1 [label="Loading\\ntransient, 3 of 3", shape=hexagon, style="filled,dotted", color="#6b7280", fillcolor="#ffffff"]
  n_s2 [label="Tip of the day\\noptional, 1 of 3", shape=ellipse, style="filled,dashed", color="#6b7280", fillcolor="#f3f4f6"]
  n_s3 [label="By menu\\nalternative, 2 of 3", shape=parallelogram, style=filled, color="#a16207", fillcolor="#fdf3d6"]
  n_s4 [label="Search results\\nessential, 3 of 3, end", shape=box, style=filled, penwidth=2, color="#1f5fa8", fillcolor="#dcebfa", peripheries=2]
  n_s0 -> n_s1 [label="click \\"Search\\", 3×", style=dashed]
  n_s1 -> n_s2 [label="wait, 1×", style=dashed]
  n_s1 -> n_s3 [label="key F3, 2×", style=dashed]
  n_s2 -> n_s4 [label="1×", style=dashed]
  n_s3 -> n_s4 [label="key Enter, 2×", style=dashed]
  n_s0 -> n_s4 [label="goto, 1×", style=solid]
}
"
`)
})

test('kinds differ in shape and outline, not only in colour', () => {
  const looks = parse(toDot(SEARCH)).nodes.map(({ attributes }) => [attributes.get('shape'), attributes.get('style')])
  expect(new Set(looks.map(String)).size).toBe(4)
})

test('only edges between essential states are solid', () => {
  const solid = parse(toDot(SEARCH)).edges.filter(({ attributes }) => attributes.get('style') === 'solid')
  expect(solid.map(({ from, to }) => `${from} ${to}`)).toEqual(['n_s0 n_s4'])
})

test('an empty graph', () => {
  expect(parse(toDot({ nodes: [], edges: [] }))).toEqual({ nodes: [], edges: [] })
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
  const { nodes, edges } = parse(toDot(view))
  expect(nodes.map(({ id, attributes }) => [id, attributes.get('label'), attributes.get('peripheries')])).toEqual(
    view.nodes.map((one) => [bareId(one.id), nodeLines(one).join('\n'), one.terminal ? '2' : undefined]),
  )
  expect(edges.map(({ from, to, attributes }) => [from, to, attributes.get('label')])).toEqual(
    view.edges.map((one) => [bareId(one.from), bareId(one.to), edgeLine(one)]),
  )
}

interface Parsed {
  nodes: { id: string; attributes: Map<string, string> }[]
  edges: { from: string; to: string; attributes: Map<string, string> }[]
}

/**
 * A strict reader for the part of DOT that is needed here (https://graphviz.org/doc/info/lang.html): one statement a
 * line, bare words and quoted strings. In a quoted string only `\"` is an escape for the grammar; as a label it is read
 * once more for `\n`, `\\` and HTML entities. Anything unexpected throws.
 */
function parse(dot: string): Parsed {
  const [first, ...rest] = dot.split('\n')
  expect(first).toBe('digraph {')
  expect(rest.splice(-2)).toEqual(['}', ''])
  const parsed: Parsed = { nodes: [], edges: [] }
  for (const line of rest) {
    const statement = /^ {2}(?<from>[A-Za-z_]\w*)(?: -> (?<to>[A-Za-z_]\w*))? \[(?<list>.*)\]$/u.exec(line)?.groups
    if (!statement) throw new Error(`Not a statement: ${line}`)
    const { from, to, list } = statement as { from: string; to?: string; list: string }
    const attributes = parseAttributes(list)
    if (to !== undefined) parsed.edges.push({ from, to, attributes })
    else if (from !== 'node' && from !== 'edge') parsed.nodes.push({ id: from, attributes })
  }
  return parsed
}

function parseAttributes(list: string): Map<string, string> {
  const attributes = new Map<string, string>()
  const attribute = /(?<name>[a-z]+)=(?:(?<word>[a-z]+|\d+)|"(?<quoted>(?:[^"\\]|\\.)*)")(?<end>, |$)/uy
  while (attribute.lastIndex < list.length) {
    const at = attribute.lastIndex
    const groups = attribute.exec(list)?.groups
    if (!groups) throw new Error(`Not an attribute: ${list.slice(at)}`)
    attributes.set(groups.name!, groups.word ?? shown(groups.quoted!))
  }
  return attributes
}

/** A label as Graphviz shows it. */
function shown(quoted: string): string {
  return quoted.replace(/\\(.)|&(\w+);/gu, (whole, escaped: string | undefined, entity: string | undefined) => {
    if (escaped === 'n') return '\n'
    if (escaped === '\\' || escaped === '"') return escaped
    if (entity === 'amp') return '&'
    throw new Error(`An escape that shows something else: ${whole}`)
  })
}
