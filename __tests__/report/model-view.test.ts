import { expect, test } from '@jest/globals'
import { NO_COLORS } from '../../lib/report/colors.js'
import { modelText } from '../../lib/report/model-text.js'
import { modelView } from '../../lib/report/model-view.js'
import { aModel } from '../helpers/a-model.js'

const MODEL = aModel({
  traces: 3,
  chain: ['start', 'results', 'done'],
  optional: { menu: ['start', 'results'], shortcut: ['start', 'results'], toast: ['results', 'done'] },
  transient: { loading: ['results', 'done'] },
  alternatives: [['menu', 'shortcut']],
})

test('the view has the kinds of the model, and alternatives as such', () => {
  const { nodes } = modelView(MODEL)
  expect(Object.fromEntries(nodes.map(({ label, kind }) => [label, kind]))).toEqual({
    start: 'essential',
    menu: 'alternative',
    shortcut: 'alternative',
    results: 'essential',
    toast: 'optional',
    loading: 'transient',
    done: 'essential',
  })
  expect(nodes.filter(({ terminal }) => terminal).map(({ label }) => label)).toEqual(['done'])
  expect(nodes.every(({ of }) => of === 3)).toBe(true)
})

test('the view has the edges, named by their action where it is known', () => {
  const { edges } = modelView(MODEL)
  expect(edges).toHaveLength(MODEL.edges.length)
  expect(edges[0]!.label).toMatch(/^click on "/)
})

test('text for people has alternatives, order and notes', () => {
  const model = { ...MODEL, notes: ['Few recordings'], chains: MODEL.chains.map((chain) => ({ ...chain, order: [] })) }
  const text = modelText(model, { colors: NO_COLORS, folder: 'oracle/m' })
  expect(text).toMatch(/^Alternatives .*\n {2}s\d or s\d$/m)
  expect(text).toMatch(/^ {2}to end in s7 "done": s1, s\d, s7\n {4}in any order$/m)
  expect(text).toMatch(/^Notes\n {2}- Few recordings$/m)
})
