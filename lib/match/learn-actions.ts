import type { Model, Premise } from '../model/model.js'
import type { State } from '../state/state.js'
import { tokenUnit } from '../state/tokens.js'
import { actionsBetween } from './doubts.js'
import { effectiveWords } from './effective-words.js'
import { alignRows, certain } from './fit-chain.js'
import { judgeChain, sightsOf } from './judge-chain.js'
import { ModelIndex } from './model-index.js'

/** Share of the times an action was taken at which a token must have stood there to belong to its premise. */
const NEARLY_ALWAYS = 0.9
/** Weight of a token, in shares of its unit, from which on it tells something of where the run is. */
const TELLING = 0.3
/** Share of a premise's weight that a screen must show to be one of it. */
const MOSTLY = 0.3
/** Weight in all, in components, from which on a premise says enough to be missed. */
const LEAST_PREMISE = 2

/**
 * The model with what recordings say of actions: by which of them they came to show each essential state (as the model itself
 * judges it), and what stood on the screen before those that all recordings took (preconditions as in STRIPS, Fikes & Nilsson
 * 1971, learned from examples). With it a run is noticed that shows the right screens but left out what leads from one to the
 * other. `traces` are those the model was learned from.
 */
export function learnActions(model: Model, traces: readonly (readonly State[])[]): Model {
  const index = new ModelIndex(model)
  const entering = new Map<string, Map<string, readonly string[]>>()
  for (const chain of model.chains) {
    for (const id of chain.states) if (!entering.has(id)) entering.set(id, new Map())
    for (const states of traces) {
      const rows = judgeChain(index, chain, sightsOf(index, states))
      chain.states.forEach((id, requirement) => {
        rows[requirement]!.forEach(({ answer }, at) => {
          if (answer === 'distinct' || (at > 0 && rows[requirement]![at - 1]!.answer !== 'distinct')) return
          const words = effectiveWords(states, at)
          entering.get(id)!.set(words.join(' '), words)
        })
      })
    }
  }
  const chains = model.chains.map((chain) => {
    const taken = traces.map((states) => {
      const rows = judgeChain(index, chain, sightsOf(index, states))
      return actionsBetween(chain, alignRows(chain, rows, certain), rows, states)
    })
    const leastActions = chain.leastActions.map((least, pair) => Math.min(least, ...taken.map((of) => of[pair]!)))
    return { ...chain, leastActions }
  })
  return {
    ...model,
    chains,
    states: model.states.map((state) => {
      const found = entering.get(state.id)
      return found === undefined ? state : { ...state, entering: sorted(found) }
    }),
    premises: learnPremises(index, traces),
  }
}

function learnPremises(index: ModelIndex, traces: readonly (readonly State[])[]): Premise[] {
  const taken = new Map<string, { words: readonly string[]; traces: Set<number>; before: State[] }>()
  traces.forEach((states, trace) => {
    for (let at = 1; at < states.length; at++) {
      if (states[at]!.action === null || states[at]!.action!.type === 'wait') continue
      const words = effectiveWords(states, at)
      const name = words.join(' ')
      if (!taken.has(name)) taken.set(name, { words, traces: new Set(), before: [] })
      taken.get(name)!.traces.add(trace)
      taken.get(name)!.before.push(states[at - 1]!)
    }
  })
  return [...taken]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([, { traces: by }]) => by.size === traces.length)
    .flatMap(([, { words, before }]) => premisesOf(index, words, before))
}

/**
 * What nearly all of the screens share; those that do not show it share something else (another window size, say), and so on. None
 * at all where some screen shares nothing telling: the action can be taken anywhere.
 */
function premisesOf(index: ModelIndex, action: readonly string[], screens: readonly State[]): Premise[] {
  const weightOf = (token: string) => index.weights[index.vocabulary.find(token)] ?? 0
  const premises: Premise[] = []
  let left = screens
  while (left.length > 0) {
    const counts = new Map<string, number>()
    for (const { tokens } of left) for (const token of tokens.keys()) counts.set(token, (counts.get(token) ?? 0) + 1)
    const often = NEARLY_ALWAYS * left.length - 1e-9
    const tokens = [...counts.keys()]
      .filter((token) => weightOf(token) >= TELLING * tokenUnit(token) && counts.get(token)! >= often)
      .sort()
    const weight = tokens.reduce((sum, token) => sum + weightOf(token), 0)
    if (weight < LEAST_PREMISE) return []
    const shown = (state: State) =>
      tokens.reduce((sum, token) => sum + (state.tokens.has(token) ? weightOf(token) : 0), 0)
    const others = left.filter((state) => shown(state) < MOSTLY * weight)
    if (others.length === left.length) return []
    premises.push({ action, of: left.length - others.length, tokens })
    left = others
  }
  return premises
}

function sorted(found: ReadonlyMap<string, readonly string[]>): (readonly string[])[] {
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, words]) => words)
}
