import type { Graph, Label } from '@dagrejs/graphlib'
import { nodeId } from '../automaton/to-graphlib.js'

/** A learned graph as a picture shows it: what the renderers for DOT and Mermaid take. They keep the order given. */
export interface GraphView {
  readonly nodes: readonly ViewNode[]
  readonly edges: readonly ViewEdge[]
}

export type ViewKind = 'essential' | 'optional' | 'transient' | 'alternative'

export interface ViewNode {
  readonly id: string
  /** Free text; it may come from a screen, so a renderer treats it as hostile. */
  readonly label: string
  readonly kind: ViewKind
  /** Does a passing trace end here? */
  readonly terminal: boolean
  /** Training traces that pass through the state, out of `of`. */
  readonly support: number
  readonly of: number
}

export interface ViewEdge {
  readonly from: string
  readonly to: string
  /** The action that leads from one to the other; may be empty. */
  readonly label: string
  /** Training traces that take this edge. */
  readonly support: number
}

/** The view of a graph that `toGraphlib` built from nodes and edges labelled with the fields of a view. */
export function graphView(graph: Graph<Label, Omit<ViewNode, 'id'>, Omit<ViewEdge, 'from' | 'to'>>): GraphView {
  return {
    nodes: graph.nodes().map((name) => {
      const { label, kind, terminal, support, of } = graph.node(name)
      return { id: nodeId(name), label, kind, terminal, support, of }
    }),
    edges: graph.edges().map((edge) => {
      const { label, support } = graph.edge(edge)
      return { from: nodeId(edge.v), to: nodeId(edge.w), label, support }
    }),
  }
}

/**
 * An id made of letters, digits and underscores, safe as a bare word in DOT and in Mermaid, where `node`, `end` or
 * `graph` would be keywords. Distinct ids stay distinct, and a plain id stays readable: `s2` becomes `n_s2`.
 */
export function bareId(id: string): string {
  return `n_${id.replace(/[^A-Za-z0-9]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`)}`
}

/**
 * Free text as one line for a picture: white space (line breaks too) and control characters become one space, marks
 * that turn the reading direction round are left out, and what is longer than `limit` is cut between two characters as
 * a reader sees them, never within an emoji or a letter with its accents.
 */
export function oneLine(text: string, limit = 60): string {
  const line = text
    .slice(0, MAX_UNITS)
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line.length <= limit && text.length <= MAX_UNITS) return line // no more characters than code units; and quick
  const characters: string[] = []
  for (const { segment } of GRAPHEMES.segment(line)) {
    characters.push(segment)
    if (characters.length > limit) break
  }
  if (characters.length <= limit && text.length <= MAX_UNITS) return line
  const kept = characters.slice(0, Math.min(limit, characters.length) - 1)
  return `${kept.join('').trimEnd()}…`
}

/** The two lines of text in a node: what it is called, and what is known of it. */
export function nodeLines({ id, label, kind, terminal, support, of }: ViewNode): [title: string, caption: string] {
  return [oneLine(label) || oneLine(id) || '(no name)', `${kind}, ${support} of ${of}${terminal ? ', end' : ''}`]
}

/** The text on an edge: the action and how many training traces took it. */
export function edgeLine({ label, support }: ViewEdge): string {
  return [oneLine(label), `${support}×`].filter(Boolean).join(', ')
}

/** Edges between two essential states are the main line; all others are drawn dashed. */
export function isMainLine({ nodes }: GraphView): (edge: ViewEdge) => boolean {
  const essential = new Set(nodes.filter(({ kind }) => kind === 'essential').map(({ id }) => id))
  return ({ from, to }) => essential.has(from) && essential.has(to)
}

/** No label of 60 characters needs more code units than this, but for text made to overflow. */
const MAX_UNITS = 1000

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
