import { readFileSync } from 'node:fs'
import { InputError, type Place } from '../input-error.js'
import { screenshotError } from '../trace/screenshot-file.js'
import { emptyImage, type Size } from './decode-image.js'
import type { Fingerprint } from './fingerprint.js'
import { FingerprintCache, type FingerprintKey } from './fingerprint-cache.js'
import { fingerprintImage, sha256 } from './fingerprint-image.js'

export interface FingerprinterOptions {
  readonly cache?: FingerprintCache
  /** Pictures in flight: one is decoded on another thread while this one works on the last. */
  readonly concurrency?: number
}

/** Picture files to fingerprints: reads the file, and decodes it only when the cache does not know its content. */
export class Fingerprinter {
  /** Pictures decoded so far. */
  decodes = 0
  readonly #cache: FingerprintCache
  /** Content and width -> the fingerprint that is being made, so that equal pictures asked for at once are decoded once. */
  readonly #pending = new Map<string, Promise<Fingerprint>>()
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor({ cache = new FingerprintCache(), concurrency = 2 }: FingerprinterOptions = {}) {
    this.#cache = cache
    this.#free = concurrency
  }

  /**
   * `viewport` is the size of the screen in CSS pixels, where the trace knows it; `place` says where the picture is named.
   * Throws InputError: see `decodeImage`, and `screenshot-missing` or `screenshot-unreadable`.
   */
  async fingerprint(file: string, viewport?: Size, place: Place = { file }): Promise<Fingerprint> {
    await this.#enter()
    try {
      return await this.#fingerprint(read(file, place), viewport, place)
    } finally {
      this.#leave()
    }
  }

  async #fingerprint(bytes: Uint8Array, viewport: Size | undefined, place: Place): Promise<Fingerprint> {
    if (bytes.length === 0) throw emptyImage(place)
    const key = { sha256: sha256(bytes), viewportWidth: viewport?.width ?? 0 }
    const name = `${key.sha256}-${key.viewportWidth}`
    const pending = this.#pending.get(name)
    if (pending !== undefined) return pending.catch((error: unknown) => Promise.reject(movedTo(place, error)))
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const made = this.#make(key, bytes, viewport, place)
    this.#pending.set(name, made)
    try {
      return await made
    } finally {
      this.#pending.delete(name)
    }
  }

  async #make(key: FingerprintKey, bytes: Uint8Array, viewport: Size | undefined, place: Place): Promise<Fingerprint> {
    this.decodes++
    const fingerprint = await fingerprintImage(bytes, { viewport, place, sha256: key.sha256 })
    this.#cache.put(key, fingerprint)
    return fingerprint
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}

/** The same fault of the same content, named elsewhere. */
function movedTo(place: Place, error: unknown): unknown {
  if (!(error instanceof InputError)) return error
  return new InputError(error.code, error.what, place, error.advice, { cause: error.cause })
}

/** At once: four trips to another thread and back take longer than a screenshot takes to be read. */
function read(file: string, place: Place): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw screenshotError(error, file, place)
  }
}
