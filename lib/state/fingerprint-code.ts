import { crc32 } from 'node:zlib'
import { type Component, FINGERPRINT_VERSION, type Fingerprint } from './fingerprint.js'
import { decodeLuma, encodeLuma } from './luma-code.js'

/** A fingerprint in a few kilobytes: magic, version and checksum of the rest, then the fields in order. */
export function encodeFingerprint({
  sha256,
  width,
  height,
  scale,
  blockhash,
  thumbnail,
  colours,
  components,
}: Fingerprint): Uint8Array {
  const luma = encodeLuma(thumbnail.luma, thumbnail.width)
  const bytes = Buffer.allocUnsafe(
    HEAD + FIXED_FIELDS + luma.length + 5 * colours.length + components.length * MAX_COMPONENT,
  )
  let at = bytes.write(MAGIC, 0, 'latin1')
  at = bytes.writeUInt32LE(FINGERPRINT_VERSION, at) + CHECKSUM
  const number = (value: number) => {
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) + 128
    bytes[at++] = rest
  }
  at += bytes.write(sha256, at, 'hex')
  number(width)
  number(height)
  at = bytes.writeDoubleLE(scale, at)
  at += bytes.write(blockhash, at, 'hex')
  number(thumbnail.width)
  number(thumbnail.height)
  number(luma.length)
  bytes.set(luma, at)
  at += luma.length
  number(colours.length)
  for (const colour of colours) number(colour)
  number(components.length)
  let y = 0
  for (const component of components) {
    number(component.y - y)
    number(component.x)
    number(component.width)
    number(component.height)
    at = bytes.writeUInt32LE(component.shape % 0x100000000, at)
    at = bytes.writeUIntLE(Math.floor(component.shape / 0x100000000), at, 3)
    at = bytes.writeUInt32LE(component.look, at)
    y = component.y
  }
  const code = bytes.subarray(0, at)
  code.writeUInt32LE(crc32(code.subarray(HEAD)), HEAD - CHECKSUM)
  return code
}

/** The fingerprint again, or undefined when the bytes are not the whole code of one of this version. */
export function decodeFingerprint(code: Uint8Array): Fingerprint | undefined {
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.length)
  if (bytes.length < HEAD || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  if (bytes.readUInt32LE(MAGIC.length) !== FINGERPRINT_VERSION) return undefined
  if (bytes.readUInt32LE(HEAD - CHECKSUM) !== crc32(bytes.subarray(HEAD))) return undefined
  // What follows is what was written: the checksum says so.
  let at = HEAD
  const number = () => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++]!
      if (byte < 128) return value + byte * unit
      value += (byte - 128) * unit
    }
  }
  const hex = (length: number) => bytes.toString('hex', at, (at += length))
  const sha256 = hex(DIGEST)
  const width = number()
  const height = number()
  const scale = bytes.readDoubleLE(at)
  at += 8
  const blockhash = hex(DIGEST)
  const [thumbWidth, thumbHeight, lumaLength] = [number(), number(), number()]
  const luma = decodeLuma(bytes.subarray(at, (at += lumaLength)), thumbWidth, thumbWidth * thumbHeight)
  if (luma === undefined) return undefined
  const colours = Array.from({ length: number() }, number)
  const components: Component[] = new Array(number())
  let y = 0
  for (let i = 0; i < components.length; i++) {
    y += number()
    const [x, width, height] = [number(), number(), number()]
    const shape = bytes.readUInt32LE(at) + bytes.readUIntLE(at + 4, 3) * 0x100000000
    components[i] = { shape, look: bytes.readUInt32LE(at + 7), x, y, width, height }
    at += 11
  }
  return {
    sha256,
    width,
    height,
    scale,
    blockhash,
    thumbnail: { width: thumbWidth, height: thumbHeight, luma },
    colours,
    components,
  }
}

const MAGIC = 'TOFP'
const CHECKSUM = 4
const HEAD = MAGIC.length + 4 + CHECKSUM
/** Bytes of a SHA-256 digest, and of a 256-bit block hash. */
const DIGEST = 32
/** Upper bounds in bytes; a number of up to 35 bits takes five. */
const FIXED_FIELDS = 2 * DIGEST + 8 + 7 * 5 + 10 * 4
const MAX_COMPONENT = 4 * 5 + 11
