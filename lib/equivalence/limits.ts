/**
 * Every limit of the local tiers, with unit, range and reason. Chosen on principle or on training traces, never on labelled
 * test runs; `docs/design/equivalence.md` has the measurements. Weights are those of `tokenWeights`: 1 for a component or a word
 * that one state of every recording shows, about 0 for what every state shows.
 */
export interface Limits {
  /** Visual tier, share of the picture's 16-pixel cells, 0 to 1: equivalent needs at most this much changed. */
  readonly changedCells: number
  /** Visual tier, SSIM, -1 to 1: equivalent needs at least this. Colours that no component has may still differ. */
  readonly sameSsim: number
  /** Visual tier, SSIM, -1 to 1: below it pictures may be distinct. One state in another window size goes down to 0.7. */
  readonly ssim: number
  /** Visual tier, bits of 256: above it pictures may be distinct. Noise on a flat page flips up to half. */
  readonly blockhash: number
  /** Visual tier, share of all shapes, 0 to 1: below it pictures may be distinct. */
  readonly sharedShapes: number
  /** Text tier, share of all words, 0 to 1: below it texts are distinct. */
  readonly sharedWords: number
  /** Signatures, weight: one with less in all has nothing to be recognised by. */
  readonly content: number
  /** Signatures, share of the required weight, 0 to 1: an observation that shows less is distinct. */
  readonly recall: number
  /** Signatures, share, 0 to 1: one that shows less of what the action must make appear is distinct. */
  readonly effect: number
  /** Signatures, weight: what tells two states apart must weigh this much on each side to decide: more than a look. */
  readonly discriminating: number
}

export const DEFAULT_LIMITS: Limits = {
  changedCells: 0,
  sameSsim: 0.99,
  ssim: 0.5,
  blockhash: 64,
  sharedShapes: 0.05,
  sharedWords: 0.05,
  content: 0.6,
  recall: 1 / 3,
  effect: 0.1,
  discriminating: 0.6,
}
