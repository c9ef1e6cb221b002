import type { Limits } from '../equivalence/limits.js'
import { type Difference, difference, type SignatureIndex, weightOf } from '../equivalence/signature.js'
import type { Chain, LearnedState, Model } from '../model/model.js'
import type { State } from '../state/state.js'
import { type TokenBag, Vocabulary } from '../state/token-bag.js'
import { isLook, isWord } from '../state/tokens.js'

/** A learned state, ready to be compared with. */
export interface IndexedState {
  readonly state: LearnedState
  /** States of equal signature (one screen, shown at several places of a run) have one look: the number of the first of them. */
  readonly look: number
  readonly signature: SignatureIndex
  /** Weight of what is required in all. */
  readonly weight: number
  /** Which tier it is known by: whether most of that weight is seen or read. */
  readonly tier: 'visual' | 'text'
  /** Digests of the content of all members of states with this look. */
  readonly contents: ReadonlySet<string>
}

/** Share of a state's required weight from which on an observation may be that state. */
const LIKELY = 0.5

interface WeighedPremise {
  readonly of: number
  readonly tokens: readonly { readonly token: string; readonly weight: number }[]
  readonly weight: number
}

/** A model in numbers: one vocabulary, the states' signatures, and what tells them apart (worked out when first asked for). */
export class ModelIndex {
  readonly vocabulary = new Vocabulary()
  readonly weights: Float64Array
  /** The same, but 0 for looks: what is there in another colour is there. */
  readonly shapeWeights: Float64Array
  readonly states: readonly IndexedState[]
  readonly limits: Limits
  private readonly numbers = new Map<string, number>()
  /** token -> the looks that require it, and how often */
  private readonly postings: readonly (readonly { readonly state: number; readonly count: number }[])[]
  private readonly premises: ReadonlyMap<string, readonly WeighedPremise[]>
  /** one * states + other -> difference */
  private readonly differences = new Map<number, Difference>()

  constructor(readonly model: Model) {
    this.limits = model.limits
    const weights: number[] = []
    for (const { signature } of model.states) {
      for (const { token, weight } of signature.tokens) weights[this.vocabulary.number(token)] = weight
    }
    this.weights = Float64Array.from(weights)
    this.shapeWeights = this.weights.map((weight, id) => (isLook(this.vocabulary.name(id)) ? 0 : weight))
    const looks = new Map<string, { number: number; contents: Set<string> }>()
    this.states = model.states.map((state, index) => {
      this.numbers.set(state.id, index)
      const key = JSON.stringify(state.signature)
      if (!looks.has(key)) looks.set(key, { number: index, contents: new Set() })
      const look = looks.get(key)!
      for (const { content } of state.members) look.contents.add(content)
      const { of, tokens } = state.signature
      const entries = tokens.map((t) => ({ id: this.vocabulary.find(t.token), ...t })).sort((a, b) => a.id - b.id)
      const shared = entries.filter((t) => t.support === of)
      const signature = {
        required: { ids: Int32Array.from(shared, (t) => t.id), counts: Int32Array.from(shared, (t) => t.least) },
        seen: { ids: Int32Array.from(entries, (t) => t.id), counts: Int32Array.from(entries, (t) => t.most) },
      }
      const weight = weightOf(signature.required, this.weights)
      const read = shared.reduce((sum, t) => sum + (isWord(t.token) ? t.weight * t.least : 0), 0)
      return {
        state,
        look: look.number,
        signature,
        weight,
        tier: read > weight / 2 ? 'text' : 'visual',
        contents: look.contents,
      }
    })
    const postings = Array.from({ length: this.vocabulary.size }, (): { state: number; count: number }[] => [])
    this.states.forEach(({ look, signature: { required } }, state) => {
      if (look !== state) return
      required.ids.forEach((id, i) => {
        postings[id]!.push({ state, count: required.counts[i]! })
      })
    })
    this.postings = postings
    const premises = new Map<string, WeighedPremise[]>()
    for (const { action, tokens, of } of model.premises) {
      const weighed = tokens.map((token) => ({ token, weight: this.weights[this.vocabulary.find(token)] ?? 0 }))
      const premise = { of, tokens: weighed, weight: weighed.reduce((sum, t) => sum + t.weight, 0) }
      premises.set(action.join(' '), [...(premises.get(action.join(' ')) ?? []), premise])
    }
    this.premises = premises
  }

  /** Numbers of the looks of whose required weight a bag shows at least half, ascending. O(postings of the bag). */
  candidates(bag: TokenBag): number[] {
    const shown = new Map<number, number>()
    bag.ids.forEach((id, i) => {
      for (const { state, count } of this.postings[id]!) {
        shown.set(state, (shown.get(state) ?? 0) + this.weights[id]! * Math.min(count, bag.counts[i]!))
      }
    })
    return [...shown.keys()]
      .filter((state) => shown.get(state)! >= LIKELY * this.states[state]!.weight)
      .sort((a, b) => a - b)
  }

  /** What may stand on the screen before an action of these words, with weights; none when it may be taken anywhere. */
  premisesOf(words: readonly string[]): readonly WeighedPremise[] {
    return this.premises.get(words.join(' ')) ?? []
  }

  numberOf(id: string): number {
    return this.numbers.get(id)!
  }

  /** The tokens of an observation that the model knows, and how many components and words it shows that the model does not. */
  bagOf(state: State): { bag: TokenBag; unknown: number; all: number } {
    const pairs: [number, number][] = []
    let unknown = 0
    let all = 0
    for (const [token, count] of state.tokens) {
      all += count
      const id = this.vocabulary.find(token)
      if (id < 0) unknown += count
      else pairs.push([id, count])
    }
    pairs.sort((a, b) => a[0] - b[0])
    return {
      bag: { ids: Int32Array.from(pairs, (p) => p[0]), counts: Int32Array.from(pairs, (p) => p[1]) },
      unknown,
      all,
    }
  }

  /** What state `one` shows over state `other`. */
  difference(one: number, other: number): Difference {
    const key = one * this.states.length + other
    let known = this.differences.get(key)
    if (known === undefined) {
      known = difference(this.states[one]!.signature, this.states[other]!.signature, this.weights)
      this.differences.set(key, known)
    }
    return known
  }
}

/** The states that directly precede and follow each state of a chain. */
export function neighbours(chain: Chain): Map<string, { previous: string[]; next: string[] }> {
  const found = new Map(chain.states.map((id) => [id, { previous: [] as string[], next: [] as string[] }]))
  for (const [earlier, later] of chain.order) {
    found.get(earlier)!.next.push(later)
    found.get(later)!.previous.push(earlier)
  }
  return found
}
