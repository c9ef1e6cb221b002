import { actionWords } from '../equivalence/action-words.js'
import type { State } from '../state/state.js'
import { appeared, type TokenBag, type Vocabulary } from '../state/token-bag.js'
import type { Action } from '../trace/trace.js'

/**
 * What one action led to, on its way through the automaton: the observation that the agent acted on next, and those it only
 * waited through. A screen that comes up while waiting was brought up by the action before the wait, so the group has one
 * action; the last observation is where the screen had settled, the earlier ones are candidates for transient states.
 */
export interface Item {
  readonly settled: Look
  readonly passing: readonly Look[]
  /** What the action made appear, against the settled observation before it. */
  readonly effect: TokenBag
  readonly words: readonly string[]
  /** Equal symbols have equal bags, effects and words. */
  readonly symbol: string
  /** Whether its trace ends here. */
  readonly last: boolean
}

export interface Look {
  readonly state: State
  /** The action of the group: what brought it up, though the run may have waited for it. */
  readonly action: Action | null
  readonly bag: TokenBag
}

export function itemsOf(states: readonly State[], vocabulary: Vocabulary): Item[] {
  const bags = new Map<string, TokenBag>()
  const items: Item[] = []
  const groups = settledGroups(states)
  for (const group of groups) {
    const looks = group.map((state) => {
      let bag = bags.get(state.content)
      if (bag === undefined) bags.set(state.content, (bag = vocabulary.bag(state.tokens)))
      return { state, action: group[0]!.action, bag }
    })
    const settled = looks[looks.length - 1]!
    const before = items[items.length - 1]?.settled ?? null
    const words = actionWords(group[0]!.action)
    items.push({
      settled,
      passing: looks.slice(0, -1),
      effect: appeared(before?.bag ?? null, settled.bag),
      words,
      symbol: JSON.stringify([settled.state.content, before?.state.content ?? null, words]),
      last: items.length === groups.length - 1,
    })
  }
  return items
}

/** An observation and the waits that follow it belong together. */
function settledGroups(states: readonly State[]): State[][] {
  const groups: State[][] = []
  for (const state of states) {
    if (state.action?.type === 'wait' && groups.length > 0) groups[groups.length - 1]!.push(state)
    else groups.push([state])
  }
  return groups
}
