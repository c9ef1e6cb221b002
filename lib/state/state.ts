import type { Action } from '../trace/trace.js'
import type { Fingerprint } from './fingerprint.js'

/**
 * The situation after a step as far as it can be compared: what the tiers and the automaton work on.
 * Everything in it comes from the observation, but for the action that led there.
 */
export interface State {
  /** Index of the step in its trace. */
  readonly step: number
  /** Milliseconds since the run began. */
  readonly at: number | undefined
  readonly action: Action | null
  /** Digest of all that was observed: equal content means equal for every tier. */
  readonly content: string
  /** What can be recognised again, with counts. */
  readonly tokens: ReadonlyMap<string, number>
  readonly fingerprint: Fingerprint | undefined
  readonly title: string | undefined
  readonly url: string | undefined
}
