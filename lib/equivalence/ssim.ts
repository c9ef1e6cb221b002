import ImageSSIM from 'image-ssim'
import type { Thumbnail } from '../state/fingerprint.js'

/** Pixels per side of a window; windows do not overlap. */
const WINDOW = 8

/**
 * Mean structural similarity of two thumbnails (Wang, Bovik, Sheikh & Simoncelli 2004): 1 for equal ones, about 0 for
 * unrelated ones, down to -1. Thumbnails of different sizes are brought to the lesser width and height first.
 */
export function ssim(a: Thumbnail, b: Thumbnail): number {
  const width = Math.min(a.width, b.width)
  const height = Math.min(a.height, b.height)
  const [one, other] = [shrink(a, width, height), shrink(b, width, height)]
  if (one.luma.every((value, i) => value === other.luma[i])) return 1
  return ImageSSIM.compare(wholeWindows(one), wholeWindows(other), WINDOW).ssim
}

/**
 * The thumbnail with its last column and row repeated until the windows are whole. The library divides the variance of a
 * window by its pixels less one: windows of one pixel give NaN, and narrow ones weigh as much as whole ones.
 */
function wholeWindows({ width, height, luma }: Thumbnail) {
  const wide = Math.ceil(width / WINDOW) * WINDOW
  const high = Math.ceil(height / WINDOW) * WINDOW
  const data = new Uint8Array(wide * high)
  for (let y = 0, i = 0; y < high; y++) {
    const row = Math.min(y, height - 1) * width
    for (let x = 0; x < wide; x++) data[i++] = luma[row + Math.min(x, width - 1)]!
  }
  return { data, width: wide, height: high, channels: 1 as const }
}

/** Average over boxes of whole pixels. */
function shrink(thumbnail: Thumbnail, width: number, height: number): Thumbnail {
  if (thumbnail.width === width && thumbnail.height === height) return thumbnail
  const luma = new Uint8Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++) luma[i++] = boxMean(thumbnail, x, y, width, height)
  }
  return { width, height, luma }
}

function boxMean({ width, height, luma }: Thumbnail, x: number, y: number, columns: number, rows: number): number {
  const left = Math.floor((x * width) / columns)
  const right = Math.floor(((x + 1) * width) / columns)
  const top = Math.floor((y * height) / rows)
  const bottom = Math.floor(((y + 1) * height) / rows)
  let sum = 0
  for (let row = top; row < bottom; row++) {
    for (let i = row * width + left; i < row * width + right; i++) sum += luma[i]!
  }
  return Math.round(sum / ((right - left) * (bottom - top)))
}
