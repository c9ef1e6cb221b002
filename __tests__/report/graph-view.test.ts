import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toGraphlib } from '../../lib/automaton/to-graphlib.js'
import { bareId, edgeLine, graphView, nodeLines, oneLine } from '../../lib/report/graph-view.js'
import { anyView, edge, node, SEARCH } from './views.js'

describe('graphView', () => {
  test('gives back what was put into a graphlib graph', () => {
    fc.assert(
      fc.property(anyView(), (view) => {
        const graph = toGraphlib(
          view.nodes.map(({ id, ...label }) => ({ id, label })),
          view.edges.map(({ from, to, ...label }) => ({ from, to, label })),
        )
        expect(graphView(graph)).toEqual(view)
      }),
    )
  })
})

describe('bareId', () => {
  test('leaves plain ids readable', () => {
    expect(bareId('s2')).toBe('n_s2')
  })

  test('keeps any two ids apart, in letters, digits and underscores', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
        expect(bareId(a)).toMatch(/^n_\w*$/)
        expect(bareId(a) === bareId(b)).toBe(a === b)
      }),
    )
    expect(bareId('a_b')).not.toBe(bareId('a_5f_b'))
  })
})

describe('oneLine', () => {
  test.each([
    ['white space becomes one space', ' a\n\tb\r\n  c\u2028d ', 'a b c d'],
    ['so do control characters', 'a\u0000b\u001b[31mc', 'a b [31mc'],
    ['marks of direction are left out', 'ab\u202ecd\u2066ef', 'abcdef'],
    ['lone surrogates are replaced', 'a\ud800b', 'a\ufffdb'],
    ['60 characters fit', 'x'.repeat(60), 'x'.repeat(60)],
    ['61 do not', 'x'.repeat(61), `${'x'.repeat(59)}…`],
    ['an emoji is one character', '👩‍👩‍👧‍👦'.repeat(60), '👩‍👩‍👧‍👦'.repeat(60)],
    ['and is not cut in two', '👩‍👩‍👧‍👦'.repeat(61), `${'👩‍👩‍👧‍👦'.repeat(59)}…`],
    ['nor is a letter from its accent', 'e\u0301'.repeat(61), `${'e\u0301'.repeat(59)}…`],
    ['no space before the dots', `${'x'.repeat(58)} ${'y'.repeat(9)}`, `${'x'.repeat(58)}…`],
    ['endless accents', `a${'\u0301'.repeat(5000)}`, '…'],
    ['a very long text', 'word '.repeat(1_000_000), `${'word '.repeat(12).slice(0, 59)}…`],
    ['nothing', '', ''],
  ])('%s', (_, text, expected) => {
    expect(oneLine(text)).toBe(expected)
  })
})

test('the lines of a node say what it is and how sure that is', () => {
  expect(nodeLines(SEARCH.nodes[4]!)).toEqual(['Search results', 'essential, 3 of 3, end'])
  expect(nodeLines(SEARCH.nodes[2]!)).toEqual(['Tip of the day', 'optional, 1 of 3'])
})

test('a node without a label shows its id, and one without either says so', () => {
  expect(nodeLines(node('s1', { label: ' ' }))[0]).toBe('s1')
  expect(nodeLines(node('', { label: '' }))[0]).toBe('(no name)')
})

test('the line of an edge is the action and its support', () => {
  expect(edgeLine(edge('a', 'b', 'click Search', 8))).toBe('click Search, 8×')
  expect(edgeLine(edge('a', 'b', '', 8))).toBe('8×')
})
