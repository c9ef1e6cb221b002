import type { State } from '../state/state.js'
import type { Judgement, Tier as TierName } from './judgement.js'

/** One way to judge a pair of states. `undecided` hands the pair on to the next tier. Pure and synchronous. */
export interface Tier {
  readonly name: TierName
  judge(a: State, b: State): Judgement
}

/** What an adjudicator is shown. */
export interface AdjudicatorQuestion {
  readonly a: State
  readonly b: State
  readonly task: string | null
  /** What the tiers before said, in order. */
  readonly before: readonly Judgement[]
}

/**
 * Who settles what the tiers leave undecided: an LLM, a program, a person, a store of earlier answers. One that cannot tell, or
 * does not answer in time, answers undecided; it never throws for that.
 */
export interface Adjudicator {
  readonly name: string
  judge(question: AdjudicatorQuestion): Promise<Judgement>
}

/** Asks the tiers in order; the first decided answer wins, else the last undecided one stays, with all that was measured. */
export function cascade(tiers: readonly Tier[], a: State, b: State): Judgement {
  let last: Judgement | undefined
  let measures: Judgement['measures'] = {}
  for (const tier of tiers) {
    last = tier.judge(a, b)
    measures = { ...measures, ...last.measures }
    if (last.answer !== 'undecided') return last
  }
  if (last === undefined) throw new RangeError('A cascade needs at least one tier')
  return { ...last, measures }
}
