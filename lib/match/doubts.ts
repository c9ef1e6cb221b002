import { wordSimilarity } from '../equivalence/action-words.js'
import type { Judgement } from '../equivalence/judgement.js'
import type { Chain } from '../model/model.js'
import type { State } from '../state/state.js'
import { actionPhrase } from './action-phrase.js'
import type { Alignment } from './align-chain.js'
import { effectiveWords } from './effective-words.js'
import type { ModelIndex } from './model-index.js'

/**
 * What keeps a run from passing although it shows every essential state: signs that something between them was left out. Numbers
 * are those of the chain's states and of the run's observations.
 */
export interface Doubts {
  /** From one state to the next by fewer actions than any recording. */
  readonly shortcuts: readonly {
    readonly from: number
    readonly to: number
    readonly taken: number
    readonly least: number
  }[]
  /** A state that came up by an action by which no recording came to it. */
  readonly oddEntries: readonly { readonly requirement: number; readonly observation: number }[]
  /** An action that all recordings took too, but never from a screen like that. */
  readonly oddActions: readonly { readonly observation: number; readonly action: string }[]
}

export const NO_DOUBTS: Doubts = { shortcuts: [], oddEntries: [], oddActions: [] }

/** `judgements` are [requirement][observation]. */
export function findDoubts(
  index: ModelIndex,
  chain: Chain,
  alignment: Alignment,
  judgements: readonly (readonly Judgement[])[],
  states: readonly State[],
): Doubts {
  return {
    shortcuts: findShortcuts(chain, alignment, judgements, states),
    oddEntries: findOddEntries(index, chain, alignment, judgements, states),
    oddActions: findOddActions(index, states),
  }
}

function findShortcuts(
  chain: Chain,
  alignment: Alignment,
  judgements: readonly (readonly Judgement[])[],
  states: readonly State[],
): Doubts['shortcuts'] {
  const position = new Map(chain.states.map((id, i) => [id, i]))
  return actionsBetween(chain, alignment, judgements, states).flatMap((taken, pair) => {
    const least = chain.leastActions[pair]!
    const [a, b] = chain.order[pair]!
    return taken < least ? [{ from: position.get(a)!, to: position.get(b)!, taken, least }] : []
  })
}

/**
 * For each pair of the chain's order: the actions, waits apart, that the run took from the one state to the other; infinite where
 * it does not show both.
 */
export function actionsBetween(
  chain: Chain,
  { metBy }: Alignment,
  judgements: readonly (readonly Judgement[])[],
  states: readonly State[],
): number[] {
  const position = new Map(chain.states.map((id, i) => [id, i]))
  const after = new Map(chain.states.map((id) => [id, [] as number[]]))
  for (const [earlier, later] of chain.order) after.get(earlier)!.push(position.get(later)!)
  return chain.order.map(([a, b]) => {
    const [from, to] = [position.get(a)!, position.get(b)!]
    if (metBy[from]! < 0 || metBy[to]! < 0) return Number.POSITIVE_INFINITY
    // The alignment takes the earliest of several observations that would do: count to the latest.
    const until = Math.min(states.length, ...after.get(b)!.flatMap((next) => (metBy[next]! < 0 ? [] : [metBy[next]!])))
    let last = metBy[to]!
    for (let at = last + 1; at < until; at++) if (judgements[to]![at]!.answer === 'equivalent') last = at
    let taken = 0
    for (let at = metBy[from]! + 1; at <= last; at++) if (states[at]!.action?.type !== 'wait') taken++
    return taken
  })
}

function findOddEntries(
  index: ModelIndex,
  chain: Chain,
  { metBy }: Alignment,
  judgements: readonly (readonly Judgement[])[],
  states: readonly State[],
): Doubts['oddEntries'] {
  return chain.states.flatMap((id, requirement) => {
    const { entering } = index.states[index.numberOf(id)]!.state
    if (metBy[requirement]! < 0 || entering === undefined) return []
    const entry = entryOf(judgements[requirement]!, metBy[requirement]!)
    const words = effectiveWords(states, entry)
    return entering.some((known) => wordSimilarity(known, words) >= SAME_ACTION)
      ? []
      : [{ requirement, observation: entry }]
  })
}

function findOddActions(index: ModelIndex, states: readonly State[]): Doubts['oddActions'] {
  return states.flatMap((state, at) => {
    if (at === 0 || state.action === null || state.action.type === 'wait') return []
    const words = effectiveWords(states, at)
    const premises = index.premisesOf(words)
    if (premises.length === 0 || wordSimilarity(words, effectiveWords(states, at - 1)) === 1) return [] // tried again
    const { tokens: before } = states[at - 1]!
    const fits = premises.some(({ of, tokens, weight }) => {
      const shown = tokens.reduce((sum, t) => sum + (before.has(t.token) ? t.weight : 0), 0)
      return shown >= (of < FEW ? CLOSELY : HARDLY) * weight
    })
    return fits ? [] : [{ observation: at, action: actionPhrase(state.action) }]
  })
}

/** Share of a premise's weight below which an action was taken out of place. */
const HARDLY = 0.1
/** A premise of fewer screens than this is an exception, which a screen has to meet closely. */
const FEW = 3
const CLOSELY = 0.8
/** Share of words from which on two actions are of one kind. */
const SAME_ACTION = 0.5

/** The first of the observations up to `at` that may show the state without a break. */
function entryOf(row: readonly Judgement[], at: number): number {
  let entry = at
  while (entry > 0 && row[entry - 1]!.answer !== 'distinct') entry--
  return entry
}
