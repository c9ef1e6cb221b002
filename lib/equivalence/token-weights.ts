import type { TokenBag, Vocabulary } from '../state/token-bag.js'
import { tokenUnit } from '../state/tokens.js'

/**
 * How much each token tells one state from another, learned from the training traces alone:
 *
 *     weight(t) = unit(t) * ln(N / df(t)) / ln(N / n) * (tf(t) - 1) / (n - 1)
 *
 * The first factor with a logarithm is the inverse document frequency over the N states of all traces (Spärck Jones 1972): what
 * stands on every screen tells nothing. It is scaled so that what each of the n traces shows in just one state weighs its
 * unit: 1 for a component of a picture or for a word, whatever the number of traces and states. The last factor is the share
 * of other traces that show the token too: what only one of n recordings shows (a clock, an id, another tab) cannot be what
 * a correct run must show. With one trace it is 1.
 */
export function tokenWeights(traces: readonly (readonly TokenBag[])[], vocabulary: Vocabulary): Float64Array {
  const { size } = vocabulary
  const documents = new Float64Array(size)
  const recordings = new Float64Array(size)
  const lastSeenIn = new Int32Array(size).fill(-1)
  let states = 0
  traces.forEach((bags, trace) => {
    for (const bag of bags) {
      states++
      for (const id of bag.ids) {
        documents[id]!++
        if (lastSeenIn[id] !== trace) {
          lastSeenIn[id] = trace
          recordings[id]!++
        }
      }
    }
  })
  const n = traces.length
  // Where each trace has but one state there is nothing to tell it from: all that they share tells.
  const scale = Math.log(states / n)
  return Float64Array.from({ length: size }, (_, id) => {
    if (documents[id] === 0) return 0
    const shared = n === 1 ? 1 : (recordings[id]! - 1) / (n - 1)
    const rarity = scale > 0 ? Math.max(Math.log(states / documents[id]!) / scale, EVERYWHERE) : 1
    return tokenUnit(vocabulary.name(id)) * rarity * shared
  })
}

/** What stands on every screen: nothing to recognise a state by, but still known, and missed where it is not. */
const EVERYWHERE = 0.002
