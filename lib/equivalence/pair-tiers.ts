import type { State } from '../state/state.js'
import { isWord } from '../state/tokens.js'
import { changedComponents } from './changed-components.js'
import { hammingDistance } from './hamming-distance.js'
import type { Judgement } from './judgement.js'
import type { Limits } from './limits.js'
import { ssim } from './ssim.js'
import { cascade, type Tier } from './tier.js'

/** Tier 0: the same bytes of the picture, and the same canonical value of text, result, title and url. */
export const exactTier: Tier = {
  name: 'exact',
  judge: (a, b) => ({
    answer: a.content === b.content ? 'equivalent' : 'undecided',
    tier: 'exact',
    reason: a.content === b.content ? 'the same content' : 'not the same content',
    measures: {},
  }),
}

/**
 * Tier 1: global and local evidence from the fingerprints. Means over the picture hide small facts ("0 results" for
 * "3 results"), so *equivalent* asks that no component changed in any place; *distinct* asks that all global measures say so.
 */
export function visualTier(limits: Limits): Tier {
  return {
    name: 'visual',
    judge(a, b): Judgement {
      if (a.fingerprint === undefined || b.fingerprint === undefined) {
        return { answer: 'undecided', tier: 'visual', reason: 'not both have a picture', measures: {} }
      }
      const similarity = ssim(a.fingerprint.thumbnail, b.fingerprint.thumbnail)
      const distance = hammingDistance(a.fingerprint.blockhash, b.fingerprint.blockhash)
      const { count, moved, area } = changedComponents(a.fingerprint, b.fingerprint)
      const kept = sharedShapes(a, b)
      const measures = {
        ssim: round(similarity),
        blockhash: distance,
        changed: count,
        moved,
        area: round(area),
        shapes: round(kept),
      }
      if (area <= limits.changedCells && similarity >= limits.sameSsim) {
        return { answer: 'equivalent', tier: 'visual', reason: 'nothing changed in any place', measures }
      }
      if (similarity < limits.ssim && distance > limits.blockhash && kept < limits.sharedShapes) {
        return {
          answer: 'distinct',
          tier: 'visual',
          reason: 'other pictures by every measure',
          measures,
          limit: `ssim < ${limits.ssim}, blockhash > ${limits.blockhash}, shapes < ${limits.sharedShapes}`,
        }
      }
      return { answer: 'undecided', tier: 'visual', reason: 'neither the same nor wholly different', measures }
    },
  }
}

/** Tier 2: the words that the traces carry. Only where both have some. */
export function textTier(limits: Limits): Tier {
  return {
    name: 'text',
    judge(a, b): Judgement {
      const [left, right] = [words(a), words(b)]
      if (left.size === 0 || right.size === 0) {
        return { answer: 'undecided', tier: 'text', reason: 'not both have text', measures: {} }
      }
      const shared = share(left, right)
      const measures = { words: round(shared) }
      if (shared === 1 && a.fingerprint === undefined && b.fingerprint === undefined) {
        return { answer: 'equivalent', tier: 'text', reason: 'the same words, as often', measures }
      }
      if (shared < limits.sharedWords) {
        return {
          answer: 'distinct',
          tier: 'text',
          reason: 'hardly a word in common',
          measures,
          limit: `words < ${limits.sharedWords}`,
        }
      }
      return { answer: 'undecided', tier: 'text', reason: 'some words in common', measures }
    },
  }
}

/** The local tiers, cheap ones first. */
export function localTiers(limits: Limits): readonly Tier[] {
  return [exactTier, visualTier(limits), textTier(limits)]
}

/** Whether the local tiers call two states distinct; the cheap part of the evidence is looked at first. */
export function locallyDistinct(limits: Limits): (a: State, b: State) => boolean {
  const tiers = localTiers(limits)
  return (a, b) => {
    if (a.content === b.content) return false
    const mayBe =
      a.fingerprint && b.fingerprint
        ? sharedShapes(a, b) < limits.sharedShapes
        : share(words(a), words(b)) < limits.sharedWords
    return mayBe && cascade(tiers, a, b).answer === 'distinct'
  }
}

/** Words of text and results; a title or a url alone is too little to judge by. */
function words({ tokens }: State): Map<string, number> {
  return new Map([...tokens].filter(([token]) => isWord(token) && !token.startsWith('t') && !token.startsWith('u')))
}

function sharedShapes(a: State, b: State): number {
  const shapes = ({ tokens }: State) => new Map([...tokens].filter(([token]) => token.startsWith('s')))
  return share(shapes(a), shapes(b))
}

/** Shared counts over all counts (Ruzicka); two empty bags share all. */
function share(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  let all = 0
  for (const [token, count] of a) {
    shared += Math.min(count, b.get(token) ?? 0)
    all += Math.max(count, b.get(token) ?? 0)
  }
  for (const [token, count] of b) if (!a.has(token)) all += count
  return all === 0 ? 1 : shared / all
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
