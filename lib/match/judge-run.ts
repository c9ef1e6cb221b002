import { fewTraceBound } from '../automaton/few-trace-bound.js'
import { wordSimilarity } from '../equivalence/action-words.js'
import { hammingDistance } from '../equivalence/hamming-distance.js'
import type { Judgement, Tier } from '../equivalence/judgement.js'
import { ssim } from '../equivalence/ssim.js'
import type { Chain } from '../model/model.js'
import type { State } from '../state/state.js'
import { actionPhrase } from './action-phrase.js'
import { type Alignment, alignChain } from './align-chain.js'
import { effectiveWords } from './effective-words.js'
import { judgeChain, sightsOf } from './judge-chain.js'
import { judgeState, type Sight } from './judge-state.js'
import type { ModelIndex } from './model-index.js'
import type { Finding, MissingState, RunResult, Verdict } from './verdict.js'

export interface JudgeOptions {
  /** Share of a chain's essential states that is enough, 0 to 1. */
  readonly minCoverage: number
  /** Require one of each set of alternatives too. */
  readonly strict: boolean
}

export type Judged = Pick<
  RunResult,
  'verdict' | 'reason' | 'coverage' | 'terminal' | 'missing' | 'findings' | 'alignment' | 'judgements'
>

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
  const fits = index.model.chains.map((chain) => fitChain(index, chain, states, sights, options, counts))
  const order: Verdict[] = ['pass', 'inconclusive', 'fail']
  const best = fits.reduce((a, b) =>
    order.indexOf(b.verdict) < order.indexOf(a.verdict) ||
    (a.verdict === b.verdict && b.matched / b.chain.states.length > a.matched / a.chain.states.length)
      ? b
      : a,
  )
  return report(index, best, states, counts)
}

interface Fit {
  readonly chain: Chain
  readonly verdict: Verdict
  /** judgements[requirement][observation] */
  readonly judgements: readonly (readonly Judgement[])[]
  readonly alignment: Alignment
  readonly matched: number
  readonly shortcuts: readonly {
    readonly from: number
    readonly to: number
    readonly taken: number
    readonly least: number
  }[]
  /** Requirements whose observation came by an action by which no recording came to it. */
  readonly oddEntries: readonly { readonly requirement: number; readonly step: number }[]
  /** Actions that all recordings took too, but never from a screen like that. */
  readonly oddActions: readonly { readonly step: number; readonly action: string }[]
  /** Sets of alternatives of which the run shows none for sure, when they are required. */
  readonly alternatives: readonly { readonly states: readonly string[]; readonly verdict: Verdict }[]
  readonly recognised: boolean
}

function fitChain(
  index: ModelIndex,
  chain: Chain,
  states: readonly State[],
  sights: readonly Sight[],
  options: JudgeOptions,
  counts: Record<Tier, number>,
): Fit {
  const last = chain.states.length - 1
  const raw = judgeChain(index, chain, sights, (tier) => counts[tier]++)
  // A run of which nothing at all is recognised was most likely rendered otherwise: then no difference is evidence.
  const recognised = raw.some((row) => row.some((j) => j.answer === 'equivalent' || (j.measures.recall ?? 0) >= 0.5))
  const judgements = recognised ? raw : raw.map((row) => row.map(unrecognised))

  const position = new Map(chain.states.map((id, i) => [id, i]))
  const requirements = {
    count: chain.states.length,
    pairs: chain.order.map(([a, b]) => [position.get(a)!, position.get(b)!] as const),
  }
  // The end outweighs all else: the last observation is not spent on a state before it.
  const align = (score: (judgement: Judgement) => number) =>
    alignChain(
      requirements,
      sights.length,
      (requirement, at) => score(judgements[requirement]![at]!) * (requirement === last ? requirements.count + 1 : 1),
    )
  const worst = align((j) => (j.answer === 'equivalent' ? 1 : 0))
  const bestCase = align((j) => (j.answer === 'distinct' ? 0 : 1))
  const needed = Math.ceil(options.minCoverage * requirements.count - 1e-9)
  const enough = ({ metBy }: Alignment) => metBy[last]! >= 0 && metCount(metBy) >= needed

  const shortcuts = findShortcuts(chain, position, worst, judgements, states)
  const oddEntries = findOddEntries(index, chain, worst, judgements, states)
  const oddActions = findOddActions(index, states)
  // Who is content with less than all states does not mind how the run got from one to the other.
  const doubts = options.minCoverage < 1 ? 0 : shortcuts.length + oddEntries.length + oddActions.length
  const alternatives = options.strict ? judgeAlternatives(index, sights) : []
  // With few recordings a state that all of them show may still be optional: a run that came to the same end by a way that no
  // recording took is not known to have failed. One that took a known way and left something out is.
  const mayBeOptional = fewTraceBound(index.model.traces.length) > MAY_BE_OPTIONAL
  const possible =
    enough(bestCase) || (mayBeOptional && bestCase.metBy[last]! >= 0 && byAnotherWay(index, bestCase, sights))
  const mainly: Verdict = enough(worst) && doubts === 0 ? 'pass' : possible ? 'inconclusive' : 'fail'
  const order: Verdict[] = ['pass', 'inconclusive', 'fail']
  const verdict = alternatives.reduce<Verdict>(
    (worse, { verdict: next }) => (order.indexOf(next) > order.indexOf(worse) ? next : worse),
    mainly,
  )
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
    shortcuts,
    oddEntries,
    oddActions,
    alternatives,
    recognised,
  }
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

/** Places where the run got from one essential state to the next by fewer actions than any recording: something was left out. */
function findShortcuts(
  chain: Chain,
  position: ReadonlyMap<string, number>,
  { metBy }: Alignment,
  judgements: readonly (readonly Judgement[])[],
  states: readonly State[],
): Fit['shortcuts'] {
  return chain.order.flatMap(([a, b], i) => {
    const [from, to] = [position.get(a)!, position.get(b)!]
    if (metBy[from]! < 0 || metBy[to]! < 0) return []
    // The alignment takes the earliest of several observations that would do: count to the latest.
    const until = Math.min(
      ...later(chain, b)
        .map((next) => metBy[position.get(next)!]!)
        .filter((at) => at >= 0),
      states.length,
    )
    let last = metBy[to]!
    for (let at = last + 1; at < until; at++) if (judgements[to]![at]!.answer === 'equivalent') last = at
    let taken = 0
    for (let at = metBy[from]! + 1; at <= last; at++) if (states[at]!.action?.type !== 'wait') taken++
    const least = chain.leastActions[i]!
    return taken < least ? [{ from, to, taken, least }] : []
  })
}

function findOddEntries(
  index: ModelIndex,
  chain: Chain,
  { metBy }: Alignment,
  judgements: readonly (readonly Judgement[])[],
  states: readonly State[],
): Fit['oddEntries'] {
  return chain.states.flatMap((id, requirement) => {
    const { entering } = index.states[index.numberOf(id)]!.state
    if (metBy[requirement]! < 0 || entering === undefined) return []
    const entry = entryOf(judgements[requirement]!, metBy[requirement]!)
    const words = effectiveWords(states, entry)
    return entering.some((known) => wordSimilarity(known, words) >= SAME_ACTION)
      ? []
      : [{ requirement, step: states[entry]!.step }]
  })
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

/** Actions of the run that all recordings took too, but never from such a screen. */
function findOddActions(index: ModelIndex, states: readonly State[]): Fit['oddActions'] {
  return states.flatMap((state, at) => {
    if (at === 0 || state.action === null || state.action.type === 'wait') return []
    const words = effectiveWords(states, at)
    const premise = index.premiseOf(words)
    if (premise === undefined || wordSimilarity(words, effectiveWords(states, at - 1)) === 1) return [] // tried again
    const shown = premise.tokens.reduce((sum, t) => sum + (states[at - 1]!.tokens.has(t.token) ? t.weight : 0), 0)
    return shown < HARDLY * premise.weight ? [{ step: state.step, action: actionPhrase(state.action) }] : []
  })
}

/** Share of a premise's weight below which an action was taken out of place. */
const HARDLY = 0.1
/** Share of words from which on two actions are of one kind. */
const SAME_ACTION = 0.5

/** The first of the observations up to `at` that may show the state without a break. */
function entryOf(row: readonly Judgement[], at: number): number {
  let entry = at
  while (entry > 0 && row[entry - 1]!.answer !== 'distinct') entry--
  return entry
}

function later(chain: Chain, state: string): string[] {
  return chain.order.filter(([earlier]) => earlier === state).map(([, next]) => next)
}

function report(index: ModelIndex, fit: Fit, states: readonly State[], counts: Record<Tier, number>): Judged {
  const { chain, alignment, judgements } = fit
  const label = (requirement: number) => index.states[index.numberOf(chain.states[requirement]!)]!.state.label
  const last = chain.states.length - 1
  const findings: Finding[] = []
  const missing: MissingState[] = []
  const met = (requirement: number) => {
    const at = alignment.metBy[requirement]!
    return at >= 0 && judgements[requirement]![at]!.answer === 'equivalent' ? at : -1
  }

  for (let requirement = 0; requirement <= last; requirement++) {
    const at = alignment.metBy[requirement]!
    if (met(requirement) >= 0) continue
    const nearest =
      requirement === last ? states.length - 1 : nearestMiss(judgements[requirement]!, requirement, met, last)
    const near = {
      step: states[nearest]!.step,
      judgement: withPicture(index, chain.states[requirement]!, states[nearest]!, judgements[requirement]![nearest]!),
    }
    const base = { state: chain.states[requirement]!, nearest: near }
    if (at >= 0) {
      const step = states[at]!.step
      const judgement = judgements[requirement]![at]!
      findings.push({
        kind: 'undecided',
        step,
        state: chain.states[requirement]!,
        nearest: { step, judgement },
        ...byAction(states[at]!),
        message: `Step ${step} may or may not show state '${label(requirement)}': ${judgement.reason}`,
      })
      continue
    }
    const shownAt = judgements[requirement]!.findIndex((j) => j.answer === 'equivalent')
    const before = previousMet(requirement, met)
    const after = before < 0 ? 'the start' : `'${label(before)}'`
    if (requirement === last && shownAt >= 0) {
      const step = states[states.length - 1]!.step
      findings.push({
        kind: 'wrong-end',
        step,
        ...base,
        ...byAction(states[states.length - 1]!),
        message: `The run reached '${label(last)}' at step ${states[shownAt]!.step} but did not end there`,
      })
    } else if (shownAt >= 0) {
      findings.push({
        kind: 'out-of-order',
        step: states[shownAt]!.step,
        ...base,
        ...byAction(states[shownAt]!),
        message: `State '${label(requirement)}' came at step ${states[shownAt]!.step}, not after ${after} as in the recordings`,
      })
    } else {
      findings.push({
        kind: 'missing',
        step: near.step,
        ...base,
        ...byAction(states[nearest]!),
        message: `State '${label(requirement)}' never reached after ${after}`,
      })
    }
    const next = nextMet(requirement, last, met)
    missing.push({
      state: chain.states[requirement]!,
      label: label(requirement),
      after: before < 0 ? null : chain.states[before]!,
      before: next < 0 ? null : chain.states[next]!,
    })
  }
  const doubts = fit.verdict !== 'inconclusive' ? { shortcuts: [], oddEntries: [], oddActions: [] } : fit
  for (const { from, to, taken, least } of doubts.shortcuts) {
    const step = states[alignment.metBy[to]!]?.step ?? null
    findings.push({
      kind: 'undecided',
      step,
      state: chain.states[to]!,
      message: `From '${label(from)}' to '${label(to)}' the run took ${taken} ${taken === 1 ? 'action' : 'actions'}; no recording did it in fewer than ${least}, so something may have been left out`,
    })
  }
  for (const { requirement, step } of doubts.oddEntries) {
    const at = states.findIndex((state) => state.step === step)
    findings.push({
      kind: 'undecided',
      step,
      state: chain.states[requirement]!,
      ...byAction(states[at]!),
      message: `State '${label(requirement)}' came up at step ${step} by an action by which no recording came to it, so something may have been left out`,
    })
  }
  for (const { states: set, verdict } of fit.alternatives) {
    const names = set.map((id) => `'${index.states[index.numberOf(id)]!.state.label}'`).join(' or ')
    findings.push({
      kind: verdict === 'fail' ? 'missing' : 'undecided',
      step: null,
      state: set[0]!,
      message: `Every recording shows ${names}; this run ${verdict === 'fail' ? 'shows neither' : 'may show neither'}`,
    })
  }
  for (const { step, action } of doubts.oddActions) {
    findings.push({
      kind: 'undecided',
      step,
      action,
      message: `Step ${step} did ${action} from a screen from which no recording did it, so something may have been left out`,
    })
  }
  findings.sort((a, b) => (a.step ?? Number.POSITIVE_INFINITY) - (b.step ?? Number.POSITIVE_INFINITY))

  const matched = chain.states.flatMap((state, requirement) => {
    const at = met(requirement)
    return at < 0 ? [] : [{ step: states[at]!.step, state, tier: judgements[requirement]![at]!.tier }]
  })
  const total = chain.states.length
  return {
    verdict: fit.verdict,
    reason: reasonOf(fit, matched.length, findings),
    coverage: { matched: matched.length, total, ratio: Math.round((matched.length / total) * 1e4) / 1e4 },
    terminal: { matched: met(last) >= 0, expected: chain.terminal },
    missing,
    findings,
    alignment: matched.sort((a, b) => a.step - b.step),
    judgements: {
      exact: counts.exact,
      visual: counts.visual,
      text: counts.text,
      stored: counts.stored,
      asked: counts.adjudicator,
    },
  }
}

function reasonOf({ verdict, recognised, chain }: Fit, matched: number, findings: readonly Finding[]): string {
  const coverage = `${matched} of ${chain.states.length} essential states`
  if (!recognised)
    return 'Nothing in this run is recognised: it may have been recorded with another theme, font or scale'
  if (verdict === 'pass') return `Shows ${coverage} in an allowed order and ends where correct runs end`
  const decisive = findings.filter((f) => (verdict === 'fail') === (f.kind !== 'undecided'))
  const first = decisive[0]?.message ?? `Shows ${coverage}`
  return decisive.length > 1 ? `${first} (and ${decisive.length - 1} more)` : first
}

function byAction(state: State): { action?: string } {
  return state.action === null ? {} : { action: actionPhrase(state.action) }
}

/**
 * The observation that came closest, among those between the met states around it: undecided before distinct, then by how much
 * of the required it showed; the last of equals.
 */
function nearestMiss(
  row: readonly Judgement[],
  requirement: number,
  met: (requirement: number) => number,
  last: number,
): number {
  const closeness = (j: Judgement) =>
    (j.answer === 'equivalent' ? 4 : j.answer === 'undecided' ? 2 : 0) + (j.measures.recall ?? 0)
  const before = previousMet(requirement, met)
  const after = nextMet(requirement, last, met)
  const from = before < 0 ? 0 : met(before) + 1
  const to = after < 0 ? row.length - 1 : met(after) - 1
  const [first, end] = from <= to ? [from, to] : [0, row.length - 1]
  let nearest = first
  for (let at = first; at <= end; at++) if (closeness(row[at]!) >= closeness(row[nearest]!)) nearest = at
  return nearest
}

/** The judgement with the global measures of the two pictures, for people. */
function withPicture(index: ModelIndex, id: string, state: State, judgement: Judgement): Judgement {
  const exemplar = index.states[index.numberOf(id)]!.state.exemplar?.fingerprint
  if (exemplar === undefined || state.fingerprint === undefined) return judgement
  const measures = {
    ...judgement.measures,
    ssim: Math.round(ssim(state.fingerprint.thumbnail, exemplar.thumbnail) * 1000) / 1000,
    blockhash: hammingDistance(state.fingerprint.blockhash, exemplar.blockhash),
  }
  return { ...judgement, measures }
}

function previousMet(requirement: number, met: (requirement: number) => number): number {
  for (let before = requirement - 1; before >= 0; before--) if (met(before) >= 0) return before
  return -1
}

function nextMet(requirement: number, last: number, met: (requirement: number) => number): number {
  for (let after = requirement + 1; after <= last; after++) if (met(after) >= 0) return after
  return -1
}
