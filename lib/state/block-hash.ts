import { bmvbhash } from 'blockhash-core'
import type { Thumbnail } from './fingerprint.js'

/** Blocks per side; the library wants an even number. */
const BITS = 16

/**
 * Block mean value hash (Yang, Gu, Niu 2006): which half of 16 x 16 blocks is the brighter one, band by band; 256 bits as
 * 64 hex digits. The library gets one grey pixel per block, in whole levels: of two flat areas that differ by less than
 * a level, neither is brighter, where sums over many pixels would let noise decide.
 */
export function blockHash(thumbnail: Thumbnail): string {
  const data = new Uint8Array(BITS * BITS * 4).fill(255)
  for (let row = 0, i = 0; row < BITS; row++) {
    for (let column = 0; column < BITS; column++, i += 4) {
      data[i] = data[i + 1] = data[i + 2] = blockMean(thumbnail, column, row)
    }
  }
  return bmvbhash({ data, width: BITS, height: BITS }, BITS)
}

/** Blocks are of whole pixels, at least one: where there are fewer pixels than blocks, neighbours share one. */
function blockMean({ width, height, luma }: Thumbnail, column: number, row: number): number {
  const left = Math.floor((column * width) / BITS)
  const right = Math.max(left + 1, Math.floor(((column + 1) * width) / BITS))
  const top = Math.floor((row * height) / BITS)
  const bottom = Math.max(top + 1, Math.floor(((row + 1) * height) / BITS))
  let sum = 0
  for (let y = top; y < bottom; y++) {
    for (let i = y * width + left; i < y * width + right; i++) sum += luma[i]!
  }
  return Math.round(sum / ((right - left) * (bottom - top)))
}
