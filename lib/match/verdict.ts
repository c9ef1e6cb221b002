import type { Judgement, Tier } from '../equivalence/judgement.js'

/** Worse ones stay when verdicts are combined (TTCN-3): error > fail > inconclusive > pass. */
export const VERDICTS = ['pass', 'inconclusive', 'fail', 'error'] as const
export type Verdict = (typeof VERDICTS)[number]

export function combineVerdicts(verdicts: Iterable<Verdict>): Verdict {
  let worst = 0
  for (const verdict of verdicts) worst = Math.max(worst, VERDICTS.indexOf(verdict))
  return VERDICTS[worst]!
}

export type FindingKind =
  | 'missing'
  | 'out-of-order'
  | 'wrong-end'
  | 'forbidden'
  | 'too-slow'
  | 'stuck'
  | 'unfinished'
  | 'undecided'

/** One thing to tell: kind, place, evidence, and one plain sentence. */
export interface Finding {
  readonly kind: FindingKind
  /** Index of the step it is about; null when it is about the run as a whole. */
  readonly step: number | null
  readonly state?: string
  readonly message: string
  /** The action that led to `step`, in words. */
  readonly action?: string
  /** The observation that came closest to the expected state, and by how much it missed. */
  readonly nearest?: { readonly step: number; readonly judgement: Judgement }
}

/** A missing state with the matched states on both sides of its place. */
export interface MissingState {
  readonly state: string
  readonly label: string
  readonly after: string | null
  readonly before: string | null
}

/** What `check` says of one run. */
export interface RunResult {
  readonly run: string
  readonly verdict: Verdict
  /** One sentence: what decided. */
  readonly reason: string
  readonly claimed: string | null
  readonly outcome: 'pass' | 'fail' | null
  readonly coverage: { readonly matched: number; readonly total: number; readonly ratio: number }
  readonly terminal: { readonly matched: boolean; readonly expected: string | null }
  readonly missing: readonly MissingState[]
  readonly findings: readonly Finding[]
  readonly cause: { readonly kind: string; readonly confidence: number; readonly evidence: readonly string[] } | null
  /** Matched steps only, in order of steps. */
  readonly alignment: readonly { readonly step: number; readonly state: string; readonly tier: Tier }[]
  readonly judgements: { readonly [tier in 'exact' | 'visual' | 'text' | 'stored' | 'asked']: number }
  readonly steps: number
  readonly warnings: readonly string[]
  /** Present when `verdict` is `error`. */
  readonly error?: { readonly code: string; readonly message: string }
}
