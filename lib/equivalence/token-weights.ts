import type { TokenBag, Vocabulary } from '../state/token-bag.js'
import { tokenUnit } from '../state/tokens.js'

/**
 * How much each token tells one state from another, learned from the training traces alone:
 *
 *     weight(t) = unit(t) * ln((N + 1) / df(t)) / ln((N + 1) / n) * (tf(t) - 1) / (n - 1)
 *
 * The first factor with a logarithm is the inverse document frequency over the N states of all traces (Spärck Jones 1972): what
 * stands on every screen tells nothing. It is scaled so that what each of the n traces shows in just one state weighs its
 * unit: 1 for a component of a picture or for a word, whatever the number of traces and states. The last factor is the share
 * of other traces that show the token too: what only one of n recordings shows (a clock, an id, another tab) cannot be what
 * a correct run must show. With one trace it is 1. What stands on about two of three screens is given no weight at all.
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
  const scale = Math.log((states + 1) / n)
  return Float64Array.from({ length: size }, (_, id) => {
    if (documents[id] === 0) return 0
    const shared = n === 1 ? 1 : (recordings[id]! - 1) / (n - 1)
    const share = (Math.log((states + 1) / documents[id]!) * shared) / scale
    return share < EVERYWHERE ? 0 : tokenUnit(vocabulary.name(id)) * share
  })
}

const EVERYWHERE = 0
