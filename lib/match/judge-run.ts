import type { Tier } from '../equivalence/judgement.js'
import type { State } from '../state/state.js'
import { type Explanation, explainFit } from './explain-fit.js'
import { type Fit, fitChain, type JudgeOptions } from './fit-chain.js'
import { sightsOf } from './judge-chain.js'
import type { ModelIndex } from './model-index.js'
import { type RunResult, VERDICTS } from './verdict.js'

export type { JudgeOptions } from './fit-chain.js'

export type Judged = Explanation & Pick<RunResult, 'judgements'>

/**
 * Judges a run by its states: the best alignment with each terminal's chain, under the best and under the worst answer to every
 * undecided judgement. If both give the same verdict, that is it; else it is inconclusive. Pure and synchronous.
 *
 * Throws RangeError for a run without states.
 */
export function judgeRun(index: ModelIndex, states: readonly State[], options: JudgeOptions): Judged {
  if (states.length === 0) throw new RangeError('A run without states cannot be judged')
  const sights = sightsOf(index, states)
  const counts: Record<Tier, number> = { exact: 0, visual: 0, text: 0, stored: 0, adjudicator: 0 }
  const fits = index.model.chains.map((chain) =>
    fitChain(index, chain, states, sights, options, (tier) => counts[tier]++),
  )
  const share = ({ matched, chain }: Fit) => matched / chain.states.length
  const better = (a: Fit, b: Fit) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) || share(b) - share(a) // the first of equals stays
  const best = fits.reduce((a, b) => (better(b, a) < 0 ? b : a))
  const { exact, visual, text, stored, adjudicator: asked } = counts
  return { ...explainFit(index, best, states), judgements: { exact, visual, text, stored, asked } }
}
