import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { FINGERPRINT_VERSION, type Fingerprint } from './fingerprint.js'
import { decodeFingerprint, encodeFingerprint } from './fingerprint-code.js'

/** What a fingerprint depends on besides FINGERPRINT_VERSION. */
export interface FingerprintKey {
  /** Digest of the file's bytes, hex. */
  readonly sha256: string
  /** Width that the picture is brought to, in CSS pixels; 0 where no viewport is known. */
  readonly viewportWidth: number
}

export interface FingerprintCacheOptions {
  /** Folder of the entries that outlive the process; without it they are kept in memory only. */
  readonly dir?: string
  /** Fingerprints kept in memory, the last used ones; one takes about 60 kB. */
  readonly memory?: number
  /** Told once when entries cannot be kept on disk. That is no error: everything works, only slower the next time. */
  readonly warning?: (message: string) => void
}

/**
 * Fingerprints by the content of the files, so that no picture is decoded twice: `<dir>/fingerprints-v2/ab/<sha256>-<width>.bin`.
 * An entry is written beside and renamed, so several processes can share the folder, and one that is damaged or not ours
 * counts as absent and is written again. Reads and writes are synchronous: a few kilobytes from a local disk take less
 * time than the trips to a thread and back.
 */
export class FingerprintCache {
  readonly stats = { hits: 0, misses: 0 }
  readonly #folder: string | undefined
  readonly #memory: number
  readonly #warning: (message: string) => void
  /** In order of last use. */
  readonly #recent = new Map<string, Fingerprint>()
  #writable = true

  constructor({ dir, memory = 256, warning = () => {} }: FingerprintCacheOptions = {}) {
    this.#folder = dir === undefined ? undefined : join(dir, `fingerprints-v${FINGERPRINT_VERSION}`)
    this.#memory = memory
    this.#warning = warning
  }

  get(key: FingerprintKey): Fingerprint | undefined {
    const name = entryName(key)
    const fingerprint = this.#recent.get(name) ?? this.#read(name, key.sha256)
    if (fingerprint === undefined) {
      this.stats.misses++
      return undefined
    }
    this.stats.hits++
    this.#remember(name, fingerprint)
    return fingerprint
  }

  put(key: FingerprintKey, fingerprint: Fingerprint): void {
    const name = entryName(key)
    this.#remember(name, fingerprint)
    if (this.#folder !== undefined && this.#writable) this.#write(join(this.#folder, name), fingerprint)
  }

  #remember(name: string, fingerprint: Fingerprint): void {
    this.#recent.delete(name)
    this.#recent.set(name, fingerprint)
    if (this.#recent.size > this.#memory) this.#recent.delete(this.#recent.keys().next().value!)
  }

  #read(name: string, sha256: string): Fingerprint | undefined {
    if (this.#folder === undefined) return undefined
    let bytes: Uint8Array
    try {
      bytes = readFileSync(join(this.#folder, name))
    } catch {
      return undefined
    }
    const fingerprint = decodeFingerprint(bytes)
    return fingerprint?.sha256 === sha256 ? fingerprint : undefined
  }

  #write(file: string, fingerprint: Fingerprint): void {
    const beside = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`
    const bytes = encodeFingerprint(fingerprint)
    try {
      try {
        writeFileSync(beside, bytes, { flag: 'wx' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        makeFolder(dirname(file))
        writeFileSync(beside, bytes, { flag: 'wx' })
      }
      renameSync(beside, file)
    } catch (error) {
      discard(beside)
      // Windows does not replace a file that another process has open; then the entry is there, and equal.
      if ((error as NodeJS.ErrnoException).syscall === 'rename' && existsSync(file)) return
      this.#writable = false
      const reason = (error as NodeJS.ErrnoException).code ?? String(error)
      this.#warning(
        `Fingerprints of pictures cannot be kept in ${this.#folder} (${reason}), so the next run decodes them again`,
      )
    }
  }
}

/** Where fingerprints are kept when nobody says: TRACE_ORACLE_CACHE_DIR, else the user's folder for caches. */
export function defaultCacheDir(env: NodeJS.ProcessEnv, home = homedir()): string {
  // An empty variable counts as not set, and XDG says that a relative one is to be ignored.
  if (env.TRACE_ORACLE_CACHE_DIR) return env.TRACE_ORACLE_CACHE_DIR
  const caches = env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : join(home, '.cache')
  return join(caches, 'trace-oracle')
}

function entryName({ sha256, viewportWidth }: FingerprintKey): string {
  return join(sha256.slice(0, 2), `${sha256}-${viewportWidth}.bin`)
}

/** Step by step, as `mkdir` with `recursive` never comes back from a file system that takes no folders, such as /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirUnlessThere(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error
    makeFolder(dirname(folder))
    mkdirUnlessThere(folder)
  }
}

function mkdirUnlessThere(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It could not be written, so it need not be there.
  }
}
