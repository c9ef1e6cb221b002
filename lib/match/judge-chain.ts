import type { Judgement, Tier } from '../equivalence/judgement.js'
import type { Chain } from '../model/model.js'
import type { State } from '../state/state.js'
import { judgeState, type Sight } from './judge-state.js'
import { type ModelIndex, neighbours } from './model-index.js'

export function sightOf(index: ModelIndex, state: State): Sight {
  const { bag, unknown, all } = index.bagOf(state)
  return {
    content: state.content,
    thumbnail: state.fingerprint?.thumbnail,
    bag,
    novelty: all === 0 ? 0 : unknown / all,
    recalls: index.recalls(bag),
  }
}

/** The judgement of every observation for every state of a chain: [requirement][observation]. */
export function judgeChain(
  index: ModelIndex,
  chain: Chain,
  sights: readonly Sight[],
  onJudged: (tier: Tier) => void = () => {},
): Judgement[][] {
  const around = neighbours(chain)
  return chain.states.map((id, requirement) => {
    const { previous, next } = around.get(id)!
    const question = {
      state: index.numberOf(id),
      previous: previous.map((other) => index.numberOf(other)),
      next: next.map((other) => index.numberOf(other)),
      terminal: requirement === chain.states.length - 1,
    }
    const known = new Map<string, Judgement>() // equal content has equal answers
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
