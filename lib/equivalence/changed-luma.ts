import type { Thumbnail } from '../state/fingerprint.js'

/** Levels of luma, 0 to 255: less is compression and anti-aliasing. */
const TOLERANCE = 24

/**
 * Share of the pixels of two thumbnails that differ, 0 to 1; what only the larger one has differs. Unlike a mean over the
 * picture it does not forgive a small thing for all the ground around it.
 */
export function changedLuma(a: Thumbnail, b: Thumbnail): number {
  const width = Math.max(a.width, b.width)
  const height = Math.max(a.height, b.height)
  const common = { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) }
  let changed = width * height - common.width * common.height
  for (let y = 0; y < common.height; y++) {
    for (let x = 0; x < common.width; x++) {
      if (Math.abs(a.luma[y * a.width + x]! - b.luma[y * b.width + x]!) > TOLERANCE) changed++
    }
  }
  return changed / (width * height)
}
