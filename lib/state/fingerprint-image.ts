import { createHash } from 'node:crypto'
import type { Place } from '../input-error.js'
import { blockHash } from './block-hash.js'
import { components } from './components.js'
import { type DecodedImage, decodeImage, type Size } from './decode-image.js'
import type { Fingerprint } from './fingerprint.js'
import { flatColours } from './flat-colours.js'
import { runLengths } from './run-lengths.js'
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
  const image = await decodeImage(bytes, options)
  return fingerprintPixels(options.sha256 ?? sha256(bytes), image)
}

/** The fingerprint of decoded pixels: the part that is ours. */
export function fingerprintPixels(sha256: string, { width, height, scale, pixels }: DecodedImage): Fingerprint {
  const code = runLengths(pixels.data, pixels.channels, pixels.width, pixels.height)
  const small = thumbnail(code)
  return {
    sha256,
    width,
    height,
    scale,
    blockhash: blockHash(small),
    thumbnail: small,
    colours: flatColours(code),
    components: components(code),
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
