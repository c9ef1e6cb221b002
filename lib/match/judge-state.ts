import { changedLuma } from '../equivalence/changed-luma.js'
import type { Judgement } from '../equivalence/judgement.js'
import { type Difference, lacking, shareShown } from '../equivalence/signature.js'
import type { Thumbnail } from '../state/fingerprint.js'
import type { TokenBag } from '../state/token-bag.js'
import type { ModelIndex } from './model-index.js'

/** An observation of a run as the signature tier sees it. */
export interface Sight {
  readonly content: string
  readonly bag: TokenBag
  /** Share of what it shows that no training observation showed, 0 to 1. */
  readonly novelty: number
  readonly thumbnail: Thumbnail | undefined
  /** Numbers of the looks that it may be: it shows much of what they require. */
  readonly candidates: readonly number[]
}

export interface Question {
  /** Number of the learned state that is asked about. */
  readonly state: number
  /** Numbers of the essential states directly before and after it. */
  readonly previous: readonly number[]
  readonly next: readonly number[]
  /** Whether a run would end here: then all that is required must be there. */
  readonly terminal: boolean
}

/** Shares this close to 0 or 1 count as none and all. */
const EPSILON = 1e-6
/** Less weight than this is rounding. */
const NEGLIGIBLE = 1e-3
/**
 * Where shapes tell a state from a neighbour, all of them must be there, in any colour; where hardly more than colours do (a
 * button that is grey now), so much of the weight must be.
 */
const SAME_LOOK = 0.9
const SHAPES_SUFFICE = 2
/** Share of changed pixels of the thumbnails up to which two pictures are one but for a caret or a mouse pointer. */
const HARDLY_CHANGED = 0.0005
/** Share from which on they are not the same empty picture. */
const MUCH_CHANGED = 0.01
/** An observation of which more than this share was never seen in training is not taken for a known end. */
const MUCH_NOVELTY = 0.25

/**
 * Is this observation that learned state? By what the state's passing observations share, and by what tells it from the states
 * around it:
 *
 * - equivalent: all that is required is there; or, within a run, all that tells it from its neighbours is, and nothing that
 *   only a neighbour shows (the background may differ: another panel, another tab)
 * - distinct: too little of it is there; or what the action must make appear is not; or it is recognised as another state,
 *   with evidence on both sides
 * - undecided: all else, above all a signature that is contradicted in one place
 */
export function judgeState(index: ModelIndex, sight: Sight, question: Question): Judgement {
  const { weights, shapeWeights, limits, states } = index
  const { signature, weight, contents, tier } = states[question.state]!
  if (contents.has(sight.content)) {
    return { answer: 'equivalent', tier: 'exact', reason: 'a recording shows exactly this', measures: {} }
  }
  const lack = lacking(signature.required, sight.bag, weights)
  const measures: Record<string, number> = { requiredWeight: round(weight), missing: round(lack.weight) }

  if (weight < limits.content) {
    const beyond = lacking(sight.bag, signature.seen, weights).weight
    const exemplar = states[question.state]!.state.exemplar?.fingerprint.thumbnail
    const changed = sight.thumbnail && exemplar ? changedLuma(sight.thumbnail, exemplar) : Number.NaN
    measures.otherWeight = round(beyond)
    if (!Number.isNaN(changed)) measures.changed = round(changed)
    if (beyond >= limits.content || changed > MUCH_CHANGED) {
      return { answer: 'distinct', tier, reason: 'the recordings show next to nothing here', measures }
    }
    // Next to nothing is required, so nothing else may be there: the whole picture has to agree.
    const empty = Number.isNaN(changed) ? !question.terminal && sight.novelty < MUCH_NOVELTY : changed <= HARDLY_CHANGED
    return lack.weight < NEGLIGIBLE && empty
      ? { answer: 'equivalent', tier, reason: 'as empty as in the recordings', measures }
      : { answer: 'undecided', tier, reason: 'too little on the screen to know it by', measures }
  }

  const recall = 1 - lack.weight / weight
  measures.recall = round(recall)

  let onOwnSide = true // all that tells it from its neighbours is there, and nothing that tells them from it
  let arrived = false // what appears with this state, against one before it, is there
  let stillAt = -1 // the state before it of which that is not so
  let known = question.previous.length + question.next.length === 0
  for (const [side, others] of [
    ['previous', question.previous],
    ['next', question.next],
  ] as const) {
    for (const other of others) {
      const own = index.difference(question.state, other)
      const theirs = index.difference(other, question.state)
      const ownShown = shareShown(own, sight.bag, weights)
      const ownCounts = own.weight >= limits.discriminating
      const theirsCount = theirs.weight >= limits.discriminating
      const shapesShown = shareShown(own, sight.bag, shapeWeights)
      const allShown =
        !(shapesShown < 1 - EPSILON) && (shapeWeight(own, shapeWeights) >= SHAPES_SUFFICE || ownShown >= SAME_LOOK)
      if (side === 'previous') {
        measures.effect = round(Math.min(measures.effect ?? 1, Number.isNaN(ownShown) ? 1 : ownShown))
        if (own.weight >= 2 * limits.discriminating && ownShown < limits.effect) stillAt = other
        if (ownCounts && allShown) arrived = true
      }
      if (ownCounts && !allShown) onOwnSide = false
      if (theirsCount && shareShown(theirs, sight.bag, weights) > 0.5) onOwnSide = false
      if (ownCounts || theirsCount) known = true
    }
  }
  if (recall < limits.recall && !arrived) {
    return {
      answer: 'distinct',
      tier,
      reason: 'most of what all recordings show here is missing',
      measures,
      limit: `recall ${round(recall)} < ${round(limits.recall)}`,
    }
  }
  if (stillAt >= 0) {
    return {
      answer: 'distinct',
      tier,
      reason: `what appears with this state is not there; '${states[stillAt]!.state.label}' would look like this`,
      measures,
      limit: `effect ${measures.effect} < ${limits.effect}`,
    }
  }

  for (const rival of sight.candidates) {
    if (rival === states[question.state]!.look || states[rival]!.state.support < 2) continue
    if ((states[rival]!.state.sameAs ?? states[rival]!.state.id) === states[question.state]!.state.id) continue
    const theirs = index.difference(rival, question.state)
    const own = index.difference(question.state, rival)
    if (theirs.weight < limits.discriminating || own.weight < limits.discriminating) continue
    if (shareShown(theirs, sight.bag, weights) < 1 - EPSILON || shareShown(own, sight.bag, weights) > EPSILON) continue
    return {
      answer: 'distinct',
      tier,
      reason: `it is '${states[rival]!.state.label}': all that tells the two apart says so`,
      measures: { ...measures, ownWeight: round(own.weight), rivalWeight: round(theirs.weight) },
      limit: `both weights >= ${limits.discriminating}`,
    }
  }

  if (lack.weight < NEGLIGIBLE && onOwnSide) {
    if (question.terminal && sight.novelty > MUCH_NOVELTY) {
      measures.novelty = round(sight.novelty)
      return { answer: 'undecided', tier, reason: 'much on the screen was never seen in the recordings', measures }
    }
    return { answer: 'equivalent', tier, reason: 'shows all that the recordings share here', measures }
  }
  if (!question.terminal && known && onOwnSide) {
    return {
      answer: 'equivalent',
      tier,
      reason: 'shows all that tells this state from those around it',
      measures,
    }
  }
  return {
    answer: 'undecided',
    tier,
    reason:
      lack.weight < NEGLIGIBLE
        ? 'also shows what belongs to another state'
        : 'something that all recordings show here is missing',
    measures,
  }
}

function shapeWeight({ ids, low, high }: Difference, shapeWeights: Float64Array): number {
  return ids.reduce((sum, id, i) => sum + shapeWeights[id]! * (high[i]! - low[i]!), 0)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
