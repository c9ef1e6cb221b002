/** What is kept of a picture after its one decode; everything later works on this. */
export interface Fingerprint {
  /** Of the file's bytes, hex. */
  readonly sha256: string
  /** Size of the file's picture in its own pixels. */
  readonly width: number
  readonly height: number
  /** Picture pixels per common pixel, at least 1: 2 for a picture of pixel ratio 2. Everything below is in common pixels. */
  readonly scale: number
  /** 256-bit block mean value hash (Yang, Gu, Niu 2006), 64 hex digits. */
  readonly blockhash: string
  readonly thumbnail: Thumbnail
  /** Colours that cover at least a tenth of the picture, ascending: 0xRRGGBB in units of 8 levels. */
  readonly colours: readonly number[]
  /** In the order of `compareComponents`. */
  readonly components: readonly Component[]
}

/** Luma, row by row; longest side THUMBNAIL_SIZE, or the picture's own where that is shorter. */
export interface Thumbnail {
  readonly width: number
  readonly height: number
  readonly luma: Uint8Array
}

/** A connected component of the picture's edge map: a word, an icon, a frame. Its hashes do not depend on its place. */
export interface Component {
  /** 52-bit hash of the positions of its edge pixels, relative to its bounding box. */
  readonly shape: number
  /** 32-bit hash of shape and exact colours. */
  readonly look: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Canonical order: from top to bottom and from left to right, then by whatever else there is. */
export function compareComponents(a: Component, b: Component): number {
  return a.y - b.y || a.x - b.x || a.height - b.height || a.width - b.width || a.shape - b.shape || a.look - b.look
}

export const THUMBNAIL_SIZE = 256

/** Part of every cache key: to be raised whenever the same file would give another fingerprint. */
export const FINGERPRINT_VERSION = 2
