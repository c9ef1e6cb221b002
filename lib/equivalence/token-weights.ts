import type { TokenBag } from '../state/token-bag.js'

/**
 * How much each token tells one state from another, learned from the training traces alone:
 *
 *     weight(t) = ln((N + 1) / df(t)) * (tf(t) - 1) / (n - 1)
 *
 * The first factor is the inverse document frequency over the N states of all traces (Spärck Jones 1972): what stands on
 * every screen tells nothing. The second is the share of other traces that show the token too: what only one of n
 * recordings shows (a clock, an id, another tab) cannot be what a correct run must show. With one trace it is 1.
 */
export function tokenWeights(traces: readonly (readonly TokenBag[])[], vocabularySize: number): Float64Array {
  const documents = new Float64Array(vocabularySize)
  const recordings = new Float64Array(vocabularySize)
  const lastSeenIn = new Int32Array(vocabularySize).fill(-1)
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
  const weights = new Float64Array(vocabularySize)
  for (let id = 0; id < vocabularySize; id++) {
    if (documents[id] === 0) continue
    const shared = n === 1 ? 1 : (recordings[id]! - 1) / (n - 1)
    weights[id] = Math.log((states + 1) / documents[id]!) * shared
  }
  return weights
}
