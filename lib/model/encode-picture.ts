import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { InputError } from '../input-error.js'
import { errorCode } from '../trace/file-error.js'

/** WebP has 14 bits for a side; a page that is longer is made to fit, the only case in which pixels are lost. */
const MAX_SIDE = 16383

/**
 * A picture, as bytes or by its file, as lossless WebP. The pixels are the same everywhere, the bytes as long as libwebp
 * is: another version may find a shorter code.
 */
export async function encodePicture(picture: Uint8Array | string): Promise<Buffer> {
  const file = typeof picture === 'string' ? picture : undefined
  try {
    // Read here, because sharp remembers files by name, also when they have been replaced since.
    const image = sharp(typeof picture === 'string' ? await readFile(picture) : picture)
    const { width, height } = await image.metadata()
    if (Math.max(width, height) > MAX_SIDE) image.resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside' })
    return await image.webp({ lossless: true, exact: true }).toBuffer()
  } catch (cause) {
    const what = `picture cannot be read (${errorCode(cause) ?? (cause as Error).message})`
    const advice = 'Keep the recordings in place, whole, until learning is done'
    throw new InputError('screenshot-unreadable', what, file === undefined ? undefined : { file }, advice, { cause })
  }
}
