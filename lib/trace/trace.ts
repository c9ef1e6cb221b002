/**
 * A trace is the record of one run: a first observation, then steps.
 * A step is one action and the observation after it; the first step has no action.
 * An observation is what could be perceived at that moment: a screenshot, a text, a tool's result, or several of them.
 */
export interface Trace {
  /** Name of the run: the last part of its path, made unique by its parents where several runs are read together. */
  readonly name: string
  /** Folder that the run's files are in; screenshots are named relative to it. */
  readonly folder: string
  readonly format: 'native' | 'images'
  readonly task?: string
  readonly agent?: string
  /** Size of the screen in CSS pixels, where the recorder knew it; a screenshot may have more pixels (pixel ratio). */
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly startedAt?: string
  readonly steps: readonly Step[]
  /** The agent's own last word; absent when the trace was cut off. */
  readonly end?: { readonly claimed?: string; readonly message?: string; readonly [field: string]: unknown }
  /** What a runner or benchmark said of the run, kept apart from the agent's claim. */
  readonly outcome: 'pass' | 'fail' | null
  /** Things that were passed over on the way, one sentence each (a half-written last line, say). */
  readonly warnings: readonly string[]
  /** Header fields that this version does not know, kept for writing back. */
  readonly extra: { readonly [field: string]: unknown }
}

export interface Step {
  readonly index: number
  /** Milliseconds since the run began. */
  readonly at?: number
  /** What led to this observation; null for the first. */
  readonly action: Action | null
  readonly observation: Observation
  /** Line in `trace.jsonl`, from 1; absent for bare folders of images. */
  readonly line?: number
  /** Step fields that this version does not know, kept for writing back. */
  readonly extra: { readonly [field: string]: unknown }
}

export interface Observation {
  /** File of the picture, relative to the trace's folder, with forward slashes. */
  readonly screenshot?: string
  /** Accessibility tree, DOM text or terminal output: a string, or a JSON value. */
  readonly text?: unknown
  /** Output of a tool: any JSON value. */
  readonly result?: unknown
  readonly url?: string
  readonly title?: string
}

export const ACTION_TYPES = ['click', 'doubleClick', 'type', 'key', 'scroll', 'drag', 'wait', 'goto', 'tool'] as const

/** An action labels the transition into a step. Fields beyond these are kept as they came. */
export interface Action {
  readonly type: (typeof ACTION_TYPES)[number] | (string & {})
  readonly target?: string | null
  /** Picture pixels. */
  readonly x?: number
  readonly y?: number
  readonly text?: string
  readonly key?: string
  readonly url?: string
  readonly name?: string
  readonly arguments?: unknown
  readonly result?: unknown
  readonly isError?: boolean
  readonly [field: string]: unknown
}
