import { createHash } from 'node:crypto'
import type { Place } from '../input-error.js'
import { blockHash } from './block-hash.js'
import { components } from './components.js'
import { commonScale, decodeImage, MAX_COMMON_PIXELS, type Size } from './decode-image.js'
import type { Fingerprint } from './fingerprint.js'
import { flatColours } from './flat-colours.js'
import { inflatePng, pngRunLengths } from './png.js'
import { type RunLengths, runLengths } from './run-lengths.js'
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
  const png = await inflatePng(bytes, MAX_COMMON_PIXELS)
  if (png !== undefined && commonScale(png, options.viewport) === 1) {
    const code = pngRunLengths(png)
    if (code !== undefined)
      return fingerprintRuns(code, { sha256: digest, width: png.width, height: png.height, scale: 1 })
  }
  const { width, height, scale, pixels } = await decodeImage(bytes, options)
  const code = runLengths(pixels.data, pixels.width, pixels.height)
  return fingerprintRuns(code, { sha256: digest, width, height, scale })
}

/** The part that works on runs alone. */
export function fingerprintRuns(
  code: RunLengths,
  file: Pick<Fingerprint, 'sha256' | 'width' | 'height' | 'scale'>,
): Fingerprint {
  const small = thumbnail(code)
  const blockhash = blockHash(small)
  return { ...file, blockhash, thumbnail: small, colours: flatColours(code), components: components(code) }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
