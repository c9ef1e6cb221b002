import type { Judgement, Tier } from '../equivalence/judgement.js'
import type { Chain } from '../model/model.js'
import type { State } from '../state/state.js'
import { judgeState, type Sight } from './judge-state.js'
import { type ModelIndex, neighbours } from './model-index.js'

/** The observations of a run as the signatures see them; equal content is looked at once. */
export function sightsOf(index: ModelIndex, states: readonly State[]): Sight[] {
  const known = new Map<string, Sight>()
  return states.map((state) => {
    let sight = known.get(state.content)
    if (sight === undefined) {
      const { bag, unknown, all } = index.bagOf(state)
      sight = {
        content: state.content,
        thumbnail: state.fingerprint?.thumbnail,
        bag,
        novelty: all === 0 ? 0 : unknown / all,
        candidates: index.candidates(bag),
      }
      known.set(state.content, sight)
    }
    return sight
  })
}

/** The judgement of every observation for every state of a chain: [requirement][observation]. */
export function judgeChain(
  index: ModelIndex,
  chain: Chain,
  sights: readonly Sight[],
  onJudged: (tier: Tier) => void = () => {},
): Judgement[][] {
  const around = neighbours(chain)
  // Equal questions about equal content have equal answers: a screen may be shown, and asked for, at many places.
  const answers = new Map<string, Map<string, Judgement>>()
  const lookOf = (id: string) => index.states[index.numberOf(id)]!.look
  return chain.states.map((id, requirement) => {
    const { previous, next } = around.get(id)!
    const question = {
      state: index.numberOf(id),
      previous: previous.map((other) => index.numberOf(other)),
      next: next.map((other) => index.numberOf(other)),
      terminal: requirement === chain.states.length - 1,
    }
    const key = `${lookOf(id)}:${previous.map(lookOf)}:${next.map(lookOf)}:${question.terminal}`
    let known = answers.get(key)
    if (known === undefined) answers.set(key, (known = new Map()))
    return sights.map((sight) => {
      let judgement = known.get(sight.content)
      if (judgement === undefined) {
        judgement = judgeState(index, sight, question)
        onJudged(judgement.tier)
        known.set(sight.content, judgement)
      }
      return judgement
    })
  })
}
