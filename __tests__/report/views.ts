import fc from 'fast-check'
import type { GraphView, ViewEdge, ViewNode } from '../../lib/report/graph-view.js'

export const node = (id: string, fields: Partial<ViewNode> = {}): ViewNode => ({
  id,
  label: id,
  kind: 'essential',
  terminal: false,
  support: 3,
  of: 3,
  ...fields,
})

export const edge = (from: string, to: string, label = '', support = 3): ViewEdge => ({ from, to, label, support })

/** One state of each kind. */
export const SEARCH: GraphView = {
  nodes: [
    node('s0', { label: 'Start page' }),
    node('s1', { label: 'Loading', kind: 'transient' }),
    node('s2', { label: 'Tip of the day', kind: 'optional', support: 1 }),
    node('s3', { label: 'By menu', kind: 'alternative', support: 2 }),
    node('s4', { label: 'Search results', terminal: true }),
  ],
  edges: [
    edge('s0', 's1', 'click "Search"'),
    edge('s1', 's2', 'wait', 1),
    edge('s1', 's3', 'key F3', 2),
    edge('s2', 's4', '', 1),
    edge('s3', 's4', 'key Enter', 2),
    edge('s0', 's4', 'goto', 1),
  ],
}

/** Text that has broken renderers: quotes, brackets, markup, escapes, keywords, emoji, marks of direction. */
export const HOSTILE = [
  'say "hi"',
  "it's",
  'back\\slash',
  'ends in a backslash\\',
  '\\N \\G \\L \\n',
  '"]; evil [label="',
  '"]:::x --> y["',
  '<script>alert(1)</script>',
  '<b>bold</b> &lt;i&gt; &amp; &#34; #34; #quot; #',
  'a | b || c',
  '[x] (y) {z} [[w]] ((v)) {{u}} >t]',
  '-- > --> -.-> ==> ---',
  '1. list',
  '1) list',
  '- list',
  '`code` **bold** _under_ # heading',
  '`',
  'style a:#fff;',
  'classDef x fill:#fff;',
  'end',
  'graph subgraph click class default',
  '%% comment',
  '%%{init: {}}%%',
  '// comment /* comment */',
  '$$x^2$$',
  'fa:fa-car',
  'ﬂ°°60¶ß',
  'line one\nline two\r\nline three\u2028four\ttab',
  'nul\u0000 bell\u0007 escape\u001b[31m',
  'right \u202eto left\u202c and \u2066isolated\u2069',
  'lone \ud800 surrogates \udc00',
  '👩‍👩‍👧‍👦 🏳️‍🌈 é ạ̊ 日本語 עברית',
  '__proto__',
  '',
  '   ',
]

/** Any view: the text is random, or made of pieces of the hostile texts. */
export function anyView(): fc.Arbitrary<GraphView> {
  const piece = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' }), fc.string())
  const text = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))
  return fc.uniqueArray(text, { minLength: 1, maxLength: 6 }).chain((ids) => {
    const id = fc.constantFrom(...ids)
    return fc.record({
      nodes: fc.tuple(
        ...ids.map((one) =>
          fc.record({
            id: fc.constant(one),
            label: text,
            kind: fc.constantFrom('essential', 'optional', 'transient', 'alternative'),
            terminal: fc.boolean(),
            support: fc.nat(9),
            of: fc.nat(9),
          }),
        ),
      ),
      edges: fc.array(fc.record({ from: id, to: id, label: text, support: fc.nat(9) }), { maxLength: 6 }),
    })
  })
}
