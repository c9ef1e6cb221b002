import type { Judgement } from '../equivalence/judgement.js'
import type { Limits } from '../equivalence/limits.js'
import type { Fingerprint } from '../state/fingerprint.js'

/**
 * The learned automaton with its essential states and evidence: what `learn` writes and `check` reads.
 * A read-only value; learning returns a new one. All lists are in canonical order, so that equal input gives equal bytes.
 */
export interface Model {
  readonly name: string
  readonly task: string | null
  /** The recordings it was learned from, in canonical order (shortest first, then by content). Indices below point here. */
  readonly traces: readonly TrainingTrace[]
  /** In topological order of the merged graph: s1 is where runs start. */
  readonly states: readonly LearnedState[]
  readonly edges: readonly { readonly from: string; readonly to: string; readonly support: number }[]
  /** Immediate dominator of each state; null for those that only the virtual start dominates. */
  readonly immediateDominators: { readonly [state: string]: string | null }
  /** One chain for each terminal. A run must follow one of them. */
  readonly chains: readonly Chain[]
  /** Sets of states of which every recording passed exactly one: different ways to the same next state. */
  readonly alternatives: readonly (readonly string[])[]
  /** Sorted by the action's words. */
  readonly premises: readonly Premise[]
  readonly limits: Limits
  /** Things a person should know before trusting the model, one sentence each. */
  readonly notes: readonly string[]
}

export interface TrainingTrace {
  /** Name of the recording, for people. */
  readonly name: string
  /** Digest of its steps (actions and content of observations): the same recording has the same id everywhere. */
  readonly id: string
  readonly steps: number
}

export type StateKind = 'essential' | 'optional' | 'transient'

export interface LearnedState {
  readonly id: string
  readonly label: string
  readonly kind: StateKind
  /** Why it is of this kind, one sentence. */
  readonly reason: string
  /** Recordings that pass through it (for a state with several places: through any of them). */
  readonly support: number
  readonly terminal: boolean
  /** The state of which this is another place: the same situation, which recordings reach in different order. */
  readonly sameAs?: string
  /** Every training observation that was merged into this state, with the judgement that let it in. */
  readonly members: readonly Member[]
  /** The actions that led here, with how many recordings took each; the most frequent first. */
  readonly actions: readonly LearnedAction[]
  readonly signature: Signature
  /** Words (see `actionWords`) of the actions by which recordings came to show it, sorted; essential states only. */
  readonly entering?: readonly (readonly string[])[]
  /** The member whose picture stands for the state; absent when no member has one. */
  readonly exemplar?: Exemplar
}

/**
 * What recordings showed before an action that all of them took: its precondition, as far as it can be seen. Several of one action
 * are alternatives.
 */
export interface Premise {
  /** Words of the action, see `actionWords`. */
  readonly action: readonly string[]
  /** Times that recordings took it. */
  readonly of: number
  /** Tokens that nearly always stood on the screen before, sorted. */
  readonly tokens: readonly string[]
}

export interface Exemplar {
  readonly trace: number
  readonly step: number
  readonly fingerprint: Omit<Fingerprint, 'components' | 'colours'>
}

export interface Member {
  /** Index into `Model.traces`. */
  readonly trace: number
  readonly step: number
  /** Digest of all that was observed there. */
  readonly content: string
  readonly judgement: Judgement
}

export interface LearnedAction {
  readonly type: string
  readonly target?: string
  readonly text?: string
  readonly key?: string
  readonly support: number
}

/**
 * What the passing observations of a state share. A token is a thing that can be recognised again: the shape of a
 * connected component on the screen, or a word of the text. Position does not matter, number does. Sorted by token.
 */
export interface Signature {
  /** Members that the figures are of. */
  readonly of: number
  readonly tokens: readonly SignatureToken[]
}

export interface SignatureToken {
  readonly token: string
  /** Members that show it. */
  readonly support: number
  /** Least and greatest number of times that a member that shows it does so. */
  readonly least: number
  readonly most: number
  /** How much it tells one state from another (see tokenWeights); tokens of weight 0 are left out. */
  readonly weight: number
}

export interface Chain {
  readonly terminal: string
  /** Essential states in a topological order; the terminal is last. */
  readonly states: readonly string[]
  /** Pairs [earlier, later] that every recording agrees on (transitive reduction); all others may come in any order. */
  readonly order: readonly (readonly [string, string])[]
  /** For each pair of `order`: the fewest actions (waits apart) that any recording took from the one to the other. */
  readonly leastActions: readonly number[]
}
