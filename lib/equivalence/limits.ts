/**
 * Every limit of the local tiers, with unit, range and reason. Chosen on principle or on training traces, never on labelled
 * test runs; `docs/design/equivalence.md` has the measurements. Weights are those of `tokenWeights`: 1 for a component or a word
 * that one state of every recording shows, about 0 for what every state shows.
 */
export interface Limits {
  /** Visual tier, share of the picture's 16-pixel cells: equivalent needs at most this much changed (0 to 1). */
  readonly changedCells: number
  /** Visual tier, SSIM of the thumbnails (-1 to 1): below it, and farther apart than `blockhash`, two pictures are distinct. */
  readonly ssim: number
  /** Visual tier, bits of 256. */
  readonly blockhash: number
  /** Signature tier, weight: a signature with less in all has nothing to be recognised by. */
  readonly content: number
  /** Signature tier, share of the required weight (0 to 1): an observation that shows less is distinct. */
  readonly recall: number
  /** Signature tier, share (0 to 1): one that shows less of what the action must make appear is distinct. */
  readonly effect: number
  /** Signature tier, weight: what tells two states apart must weigh this much on each side to decide. */
  readonly discriminating: number
}

export const DEFAULT_LIMITS: Limits = {
  changedCells: 0,
  ssim: 0.6,
  blockhash: 96,
  content: 0.6,
  recall: 1 / 3,
  effect: 0.1,
  discriminating: 0.6,
}
