/** The ways to judge, cheap ones first. */
export const TIERS = ['exact', 'visual', 'text', 'stored', 'adjudicator'] as const
export type Tier = (typeof TIERS)[number]

export type Answer = 'equivalent' | 'distinct' | 'undecided'

/**
 * One answer to "are these two the same state?", with its evidence.
 * `measures` are the numbers that were looked at, by name; `limit` is the one that decided, in words with its value.
 */
export interface Judgement {
  readonly answer: Answer
  readonly tier: Tier
  readonly reason: string
  readonly measures: { readonly [measure: string]: number }
  readonly limit?: string
}
