import { createHash } from 'node:crypto'
import type { Place } from '../input-error.js'
import { blockHash } from './block-hash.js'
import { components } from './components.js'
import { decodeImage, type Size } from './decode-image.js'
import type { Fingerprint } from './fingerprint.js'
import { flatColours } from './flat-colours.js'
import { type RunLengths, runLengths } from './run-lengths.js'
import { shrinkRuns } from './shrink-runs.js'
import { thumbnail } from './thumbnail.js'

export interface FingerprintOptions {
  /** Size of the screen in CSS pixels, where it is known: pictures of other pixel ratios are brought to it. */
  readonly viewport?: Size
  /** Where the picture is named, for error messages. */
  readonly place?: Place
  /** Digest of the bytes, where it is known already. */
  readonly sha256?: string
}

/** The fingerprint of a picture file's bytes, at the cost of one decode. Throws InputError as `decodeImage` does. */
export async function fingerprintImage(bytes: Uint8Array, options: FingerprintOptions = {}): Promise<Fingerprint> {
  const digest = options.sha256 ?? sha256(bytes)
  const { pixels, ...size } = await decodeImage(bytes, options.place)
  return fingerprintRuns(runLengths(pixels.data, pixels.width, pixels.height), digest, size, options.viewport)
}

/** The part that works on runs alone. `size` is that of the picture, of which the runs may be a smaller version. */
function fingerprintRuns(code: RunLengths, sha256: string, { width, height }: Size, viewport?: Size): Fingerprint {
  const scale = Math.max(pixelRatio(width, viewport), width / code.width)
  const common = scale === width / code.width ? code : shrink(code, { width, height }, scale)
  const small = thumbnail(common)
  return {
    sha256,
    width,
    height,
    scale,
    blockhash: blockHash(small),
    thumbnail: small,
    colours: flatColours(common),
    components: components(common),
  }
}

/** Pixel ratio of a picture of the whole screen. Up to 5 % more is a border or a scroll bar, not a ratio. */
function pixelRatio(width: number, viewport: Size | undefined): number {
  const ratio = viewport !== undefined && viewport.width > 0 ? width / viewport.width : 1
  return ratio > 1.05 ? ratio : 1
}

function shrink(code: RunLengths, { width, height }: Size, scale: number): RunLengths {
  return shrinkRuns(code, Math.max(1, Math.round(width / scale)), Math.max(1, Math.round(height / scale)))
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
