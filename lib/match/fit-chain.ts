import { fewTraceBound } from '../automaton/few-trace-bound.js'
import type { Judgement, Tier } from '../equivalence/judgement.js'
import type { Chain } from '../model/model.js'
import type { State } from '../state/state.js'
import { type Alignment, alignChain, type Requirements } from './align-chain.js'
import { type Doubts, findDoubts, NO_DOUBTS } from './doubts.js'
import { judgeChain } from './judge-chain.js'
import { judgeState, type Sight } from './judge-state.js'
import type { ModelIndex } from './model-index.js'
import { combineVerdicts, type Verdict } from './verdict.js'

export interface JudgeOptions {
  /** Share of a chain's essential states that is enough, 0 to 1. */
  readonly minCoverage: number
  /** Require one of each set of alternatives too. */
  readonly strict: boolean
}

/** How a run fits one chain. */
export interface Fit {
  readonly chain: Chain
  readonly verdict: Verdict
  /** judgements[requirement][observation] */
  readonly judgements: readonly (readonly Judgement[])[]
  readonly alignment: Alignment
  readonly matched: number
  readonly doubts: Doubts
  /** Sets of alternatives of which the run shows none for sure, when they are required. */
  readonly alternatives: readonly { readonly states: readonly string[]; readonly verdict: Verdict }[]
  readonly recognised: boolean
}

/** Fits a run to a chain: the best alignment under the best and under the worst answer to every undecided judgement. */
export function fitChain(
  index: ModelIndex,
  chain: Chain,
  states: readonly State[],
  sights: readonly Sight[],
  options: JudgeOptions,
  onJudged: (tier: Tier) => void,
): Fit {
  const last = chain.states.length - 1
  const raw = judgeChain(index, chain, sights, onJudged)
  // A run of which nothing at all is recognised was most likely rendered otherwise: then no difference is evidence.
  const recognised = raw.some((row) => row.some((j) => j.answer === 'equivalent' || (j.measures.recall ?? 0) >= 0.5))
  const judgements = recognised ? raw : raw.map((row) => row.map(unrecognised))

  const align = (score: (judgement: Judgement) => number) => alignRows(chain, judgements, score)
  const worst = align(certain)
  const bestCase = align((j) => (j.answer === 'distinct' ? 0 : 1))
  const needed = Math.ceil(options.minCoverage * chain.states.length - 1e-9)
  const enough = ({ metBy }: Alignment) => metBy[last]! >= 0 && metCount(metBy) >= needed

  // Who is content with less than all states does not mind how the run got from one to the other.
  const doubts = options.minCoverage < 1 ? NO_DOUBTS : findDoubts(index, chain, worst, judgements, states)
  const doubtless = Object.values(doubts).every((found) => found.length === 0)
  const alternatives = options.strict ? judgeAlternatives(index, sights) : []
  // With few recordings a state that all of them show may still be optional: a run that came to the same end by a way that no
  // recording took is not known to have failed. One that took a known way and left something out is.
  const mayBeOptional = fewTraceBound(index.model.traces.length) > MAY_BE_OPTIONAL
  const possible =
    enough(bestCase) || (mayBeOptional && bestCase.metBy[last]! >= 0 && byAnotherWay(index, bestCase, sights))
  const mainly: Verdict = enough(worst) && doubtless ? 'pass' : possible || !recognised ? 'inconclusive' : 'fail'
  const verdict = combineVerdicts([mainly, ...alternatives.map((set) => set.verdict)])
  const alignment =
    verdict === 'pass'
      ? worst
      : align((j) => (j.answer === 'equivalent' ? 1 : j.answer === 'distinct' ? 0 : 0.5 + (j.measures.recall ?? 0) / 4))
  return {
    chain,
    verdict,
    judgements,
    alignment,
    matched: metCount(worst.metBy),
    doubts,
    alternatives,
    recognised,
  }
}

/** Score of a judgement where undecided ones count for nothing. */
export const certain = ({ answer }: Judgement): number => (answer === 'equivalent' ? 1 : 0)

/** The best alignment of a run with a chain, given the judgements [requirement][observation] and what each is worth. */
export function alignRows(
  chain: Chain,
  judgements: readonly (readonly Judgement[])[],
  score: (judgement: Judgement) => number,
): Alignment {
  const requirements = requirementsOf(chain)
  const { count } = requirements
  // The end outweighs all else: the last observation is not spent on a state before it.
  return alignChain(
    requirements,
    judgements[0]!.length,
    (requirement, at) => score(judgements[requirement]![at]!) * (requirement === count - 1 ? count + 1 : 1),
  )
}

const knownRequirements = new WeakMap<Chain, Requirements>()

function requirementsOf(chain: Chain): Requirements {
  let known = knownRequirements.get(chain)
  if (known === undefined) {
    const position = new Map(chain.states.map((id, i) => [id, i]))
    known = {
      count: chain.states.length,
      pairs: chain.order.map(([a, b]) => [position.get(a)!, position.get(b)!] as const),
    }
    knownRequirements.set(chain, known)
  }
  return known
}

/** Upper bound on the chance that a state shown by all recordings is optional, beyond which it alone does not fail a run. */
const MAY_BE_OPTIONAL = 0.25

/**
 * Whether the run may have come round every unmet state by another way. It did not where all that it shows from the met state
 * before to the met state after is exactly what recordings show: then it went a known way, and left something out.
 */
function byAnotherWay(index: ModelIndex, { metBy }: Alignment, sights: readonly Sight[]): boolean {
  const known = (at: number) => index.states.some(({ contents }) => contents.has(sights[at]!.content))
  for (let requirement = 0; requirement < metBy.length; requirement++) {
    if (metBy[requirement]! >= 0) continue
    let from = -1
    for (let before = requirement - 1; before >= 0; before--) from = Math.max(from, metBy[before]!)
    if (from < 0) return true // how it began was not recorded, or was different
    let to = sights.length - 1
    for (let after = requirement + 1; after < metBy.length; after++)
      if (metBy[after]! >= 0) to = Math.min(to, metBy[after]!)
    if (to <= from) return true // met in another order than it is listed in
    let all = true
    for (let at = from; at <= to && all; at++) all = known(at)
    if (all) return false
  }
  return true
}

function metCount(metBy: Int32Array): number {
  return metBy.reduce((sum, at) => sum + (at >= 0 ? 1 : 0), 0)
}

function unrecognised(judgement: Judgement): Judgement {
  if (judgement.answer !== 'distinct') return judgement
  return {
    ...judgement,
    answer: 'undecided',
    reason: 'nothing in this run is recognised: another theme, font or scale?',
  }
}

/** Of each set of alternatives one must be shown: none for sure is a fail when all are distinct, else it stays open. */
function judgeAlternatives(index: ModelIndex, sights: readonly Sight[]): Fit['alternatives'] {
  return index.model.alternatives.flatMap((states) => {
    const answers = states.flatMap((id) => {
      const question = { state: index.numberOf(id), previous: [], next: [], terminal: false }
      return sights.map((sight) => judgeState(index, sight, question).answer)
    })
    if (answers.includes('equivalent')) return []
    return [{ states, verdict: answers.includes('undecided') ? ('inconclusive' as const) : ('fail' as const) }]
  })
}
