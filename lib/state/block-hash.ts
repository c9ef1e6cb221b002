import { bmvbhash } from 'blockhash-core'
import type { Thumbnail } from './fingerprint.js'

/** Blocks per side; the library wants an even number. */
const BITS = 16

/**
 * Block mean value hash (Yang, Gu, Niu 2006) of a thumbnail: 256 bits as 64 hex digits. Which half of 16 x 16 blocks is
 * the brighter one, band by band.
 */
export function blockHash({ width, height, luma }: Thumbnail): string {
  // Fewer pixels than blocks: each is repeated, so that every block has one of its own.
  const repeatX = Math.ceil(BITS / width)
  const repeatY = Math.ceil(BITS / height)
  const wide = width * repeatX
  const high = height * repeatY
  const data = new Uint8Array(4 * wide * high).fill(255)
  for (let y = 0, i = 0; y < high; y++) {
    const row = Math.floor(y / repeatY) * width
    for (let x = 0; x < wide; x++, i += 4) data[i] = data[i + 1] = data[i + 2] = luma[row + Math.floor(x / repeatX)]!
  }
  return bmvbhash({ data, width: wide, height: high }, BITS)
}
