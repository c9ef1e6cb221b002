import { InputError, type Place } from '../input-error.js'
import { quote } from '../trace/quote.js'

/** A picture's pixels: red, green and blue, 8 bits each, row by row, on white. */
export interface DecodedImage {
  /** Size of the file's picture. */
  readonly width: number
  readonly height: number
  /** The same size, but for a picture of more than MAX_DECODED_PIXELS. */
  readonly pixels: {
    readonly data: Uint8Array
    readonly width: number
    readonly height: number
  }
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels that a picture may have; the largest screens have a third of it. Beyond it nothing is decoded. */
export const MAX_PIXELS = 100_000_000

/** A larger picture is brought down to this while it is decoded: one 8K screen. Bounds the memory for hostile files. */
export const MAX_DECODED_PIXELS = 7680 * 4320

/**
 * Decodes a picture once, by its content, whatever its name says; of an animation the first frame. `place` says where the
 * picture is named. Throws InputError `image-empty`, `image-not-an-image`, `image-too-large`, `image-truncated` or
 * `image-unreadable`.
 */
export async function decodeImage(bytes: Uint8Array, place?: Place): Promise<DecodedImage> {
  if (bytes.length === 0) throw emptyImage(place)
  const png = pngSize(bytes)
  if (png !== undefined && png.width * png.height > MAX_PIXELS) throw tooLarge(png, place)
  if (isCutOff(bytes)) throw cutOff(bytes, place)
  const sharp = await loadSharp()
  try {
    const image = sharp(bytes, { failOn: 'truncated', limitInputPixels: MAX_PIXELS, sequentialRead: true })
    const { width, height } = png ?? (await image.metadata())
    const ratio = Math.sqrt((width * height) / MAX_DECODED_PIXELS)
    if (ratio > 1) {
      image.resize(Math.max(1, Math.floor(width / ratio)), Math.max(1, Math.floor(height / ratio)), { fit: 'fill' })
    }
    const { data, info } = await image
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { width, height, pixels: { data, width: info.width, height: info.height } }
  } catch (error) {
    throw imageError(error, bytes, place)
  }
}

/**
 * Loaded when it is needed: most screenshots go without, and it takes as long to start as to decode ten of them.
 * One thread and no cache: several pictures in flight use the processors better than several threads on one picture.
 */
async function loadSharp() {
  if (loaded === undefined) {
    loaded = (await import('sharp')).default
    loaded.concurrency(1)
    loaded.cache(false)
  }
  return loaded
}

let loaded: typeof import('sharp').default | undefined

const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** Size as the head of a PNG says it, to spare a look through the decoder: a twentieth of the whole. */
function pngSize(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 24 || PNG_START.compare(bytes, 0, PNG_START.length) !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

export function emptyImage(place: Place | undefined): InputError {
  const advice = 'The recorder was probably stopped while it wrote: record again, or take the picture out of the step'
  return new InputError('image-empty', 'the picture is empty (0 bytes)', place, advice)
}

/** The decoder's sentences, told by kind. They are not an interface, so what none of them fits is `image-unreadable`. */
function imageError(error: unknown, bytes: Uint8Array, place: Place | undefined): unknown {
  const message = error instanceof Error ? error.message.split('\n')[0]! : String(error)
  if (/exceeds pixel limit/i.test(message)) return tooLarge(undefined, place, error)
  if (/premature end|unexpected end|truncated/i.test(message)) return cutOff(bytes, place, error)
  if (/unsupported image format/i.test(message) && !KNOWN.test(beginning(bytes))) {
    const what = `the picture is not an image in a known format (it begins with ${quote(beginning(bytes))})`
    return new InputError('image-not-an-image', what, place, 'Save screenshots as PNG, JPEG or WebP', { cause: error })
  }
  const what = `the picture is damaged and cannot be decoded (${message})`
  return new InputError('image-unreadable', what, place, 'Copy it again, or record again', { cause: error })
}

/** How PNG, JPEG, GIF, WebP and TIFF begin: what begins so and is not decoded is damaged. */
const KNOWN = /^(?:\x89PNG|\xff\xd8|GIF8|RIFF|II\*\0|MM\0\*)/

function beginning(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 16)).toString('latin1')
}

/** Whether the file says itself that there should be more of it. The decoder's own word is not always clear. */
function isCutOff(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const start = beginning(bytes)
  if (start.startsWith('RIFF')) return bytes.length < 8 || view.getUint32(4, true) + 8 > bytes.length
  if (!start.startsWith('\x89PNG\r\n\x1a\n')) return false
  for (let at = 8; ; ) {
    if (at + 12 > bytes.length) return true
    const next = at + 12 + view.getUint32(at)
    if (view.getUint32(at + 4) === IEND) return next > bytes.length
    at = next
  }
}

/** Type of a PNG's last chunk. */
const IEND = 0x49454e44

function tooLarge(png: Size | undefined, place: Place | undefined, cause?: unknown): InputError {
  const advice = 'Take screenshots of the screen rather than of a whole long page, or smaller ones'
  const size = png ? `${png.width} x ${png.height} = ` : ''
  const what = `the picture has ${size}more than ${MAX_PIXELS / 1e6} million pixels`
  return new InputError('image-too-large', what, place, advice, { cause })
}

function cutOff(bytes: Uint8Array, place: Place | undefined, cause?: unknown): InputError {
  const advice = 'It was cut off while it was written or copied: copy it again, or record again'
  return new InputError('image-truncated', `the picture ends too early, after ${bytes.length} bytes`, place, advice, {
    cause,
  })
}
