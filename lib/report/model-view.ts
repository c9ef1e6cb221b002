import { actionPhrase } from '../match/action-phrase.js'
import type { Model } from '../model/model.js'
import type { GraphView, ViewKind } from './graph-view.js'

/** A model as a picture shows it. States of which every recording passed exactly one are drawn as alternatives. */
export function modelView(model: Model): GraphView {
  const alternatives = new Set(model.alternatives.flat())
  const states = new Map(model.states.map((state) => [state.id, state]))
  const ways = new Map<string, number>()
  for (const { to } of model.edges) ways.set(to, (ways.get(to) ?? 0) + 1)
  return {
    nodes: model.states.map(({ id, label, kind, terminal, support }) => {
      const viewKind: ViewKind = kind !== 'essential' && alternatives.has(id) ? 'alternative' : kind
      return { id, label, kind: viewKind, terminal, support, of: model.traces.length }
    }),
    edges: model.edges.map(({ from, to, support }) => {
      // Actions are known by state, not by edge: where several ways lead in by several actions, none can be named.
      const actions = states.get(to)?.actions ?? []
      const known = actions.length > 0 && (actions.length === 1 || ways.get(to) === 1)
      return { from, to, label: known ? actionPhrase(actions[0]!) : '', support }
    }),
  }
}
