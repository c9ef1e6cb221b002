import { fewTraceBound } from '../automaton/few-trace-bound.js'
import { hammingDistance } from '../equivalence/hamming-distance.js'
import type { Judgement } from '../equivalence/judgement.js'
import { ssim } from '../equivalence/ssim.js'
import type { State } from '../state/state.js'
import { actionPhrase } from './action-phrase.js'
import { NO_DOUBTS } from './doubts.js'
import type { Fit } from './fit-chain.js'
import type { ModelIndex } from './model-index.js'
import type { Finding, MissingState, RunResult } from './verdict.js'

export type Explanation = Pick<
  RunResult,
  'verdict' | 'reason' | 'coverage' | 'terminal' | 'missing' | 'findings' | 'alignment'
>

/** Puts a fit into words and figures: findings in order of steps, each one plain sentence. */
export function explainFit(index: ModelIndex, fit: Fit, states: readonly State[]): Explanation {
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
  const doubts = fit.verdict === 'inconclusive' ? fit.doubts : NO_DOUBTS
  for (const { from, to, taken, least } of doubts.shortcuts) {
    const step = states[alignment.metBy[to]!]?.step ?? null
    findings.push({
      kind: 'undecided',
      step,
      state: chain.states[to]!,
      message: `From '${label(from)}' to '${label(to)}' the run took ${taken} ${taken === 1 ? 'action' : 'actions'}; no recording did it in fewer than ${least}, so something may have been left out`,
    })
  }
  for (const { requirement, observation } of doubts.oddEntries) {
    const { step } = states[observation]!
    findings.push({
      kind: 'undecided',
      step,
      state: chain.states[requirement]!,
      ...byAction(states[observation]!),
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
  for (const { observation, action } of doubts.oddActions) {
    const { step } = states[observation]!
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
    reason: reasonOf(fit, matched.length, findings, index.model.traces.length),
    coverage: { matched: matched.length, total, ratio: Math.round((matched.length / total) * 1e4) / 1e4 },
    terminal: { matched: met(last) >= 0, expected: chain.terminal },
    missing,
    findings,
    alignment: matched.sort((a, b) => a.step - b.step),
  }
}

function reasonOf(
  { verdict, recognised, chain }: Fit,
  matched: number,
  findings: readonly Finding[],
  n: number,
): string {
  const coverage = `${matched} of ${chain.states.length} essential states`
  if (!recognised) {
    return 'Nothing in this run is recognised: it may have been recorded with another theme, font or scale'
  }
  if (verdict === 'pass') return `Shows ${coverage} in an allowed order and ends where correct runs end`
  const open = findings.filter(({ kind }) => kind === 'undecided')
  const missing = findings.filter(({ kind }) => kind !== 'undecided')
  const [first, ...others] = verdict === 'fail' || open.length === 0 ? missing : open
  if (first === undefined) return `Shows ${coverage}`
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  if (verdict === 'fail' || open.length > 0) return `${first.message}${more}`
  const bound = Math.round(fewTraceBound(n) * 100)
  return `${first.message}${more}, yet it ends right: with ${n} ${n === 1 ? 'recording' : 'recordings'} up to ${bound} % of correct runs may do without it`
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
