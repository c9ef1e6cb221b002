import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { InputError, type Place } from '../input-error.js'
import { isMissing } from './file-error.js'
import { quote } from './quote.js'

/**
 * A picture's name as it is kept: relative, forward slashes, no `.` parts.
 * Throws InputError `screenshot-outside` for a name that leaves the run's folder, or would on another system.
 */
export function screenshotName(name: string, place: Place): string {
  const slashed = name.replaceAll('\\', '/')
  const parts = slashed.split('/').filter((part) => part !== '' && part !== '.')
  if (slashed.startsWith('/') || LOCATION.test(slashed) || parts.includes('..')) throw outside(name, place)
  if (parts.length === 0) throw notAFile(name, place)
  return parts.join('/')
}

/** Checks the pictures of one run: each is a file with something in it, inside the run's folder even through links. */
export class ScreenshotFiles {
  readonly #folder: string
  readonly #checked = new Set<string>()
  /** Folder as named in a trace -> where it really is; one look-up a folder, not one a picture. */
  readonly #realFolders = new Map<string, Promise<string>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Gives the name back as it is kept. Throws InputError `screenshot-outside`, `screenshot-missing`, `screenshot-empty`,
   * `screenshot-not-file` or `screenshot-unreadable`. Whether the picture decodes is not looked at.
   */
  async check(name: string, place: Place): Promise<string> {
    const kept = screenshotName(name, place)
    if (this.#checked.has(kept)) return kept
    const file = join(this.#folder, kept)
    try {
      const found = await lstat(file)
      const real = found.isSymbolicLink()
        ? await realpath(file)
        : join(await this.#realFolder(dirname(file)), basename(file))
      if (!isInside(real, await this.#realFolder(this.#folder))) throw outside(name, place)
      const target = found.isSymbolicLink() ? await stat(file) : found
      if (!target.isFile()) throw notAFile(name, place)
      if (target.size === 0) throw emptyPicture(name, place)
    } catch (error) {
      throw screenshotError(error, name, place)
    }
    this.#checked.add(kept)
    return kept
  }

  #realFolder(folder: string): Promise<string> {
    const real = this.#realFolders.get(folder) ?? realpath(folder)
    this.#realFolders.set(folder, real)
    return real
  }
}

/** A file-system error about a picture, told as unusable input. */
export function screenshotError(error: unknown, name: string, place: Place): unknown {
  if (error instanceof InputError) return error
  if (isMissing(error)) {
    const advice = 'Copy the whole run folder, pictures and all, or take the field out of the step'
    return new InputError('screenshot-missing', `screenshot ${quote(name)} does not exist`, place, advice, {
      cause: error,
    })
  }
  const what = `screenshot ${quote(name)} cannot be read (${(error as NodeJS.ErrnoException).code ?? error})`
  return new InputError('screenshot-unreadable', what, place, 'Check the rights to the file and the disk it is on', {
    cause: error,
  })
}

export function emptyPicture(name: string, place: Place): InputError {
  const advice = 'The recorder was probably stopped while it wrote: record again, or take the field out of the step'
  return new InputError('screenshot-empty', `screenshot ${quote(name)} is empty (0 bytes)`, place, advice)
}

// A drive letter, or a scheme such as `http://` and `data:`. Also where the system at hand would allow it as a name:
// what a trace means must not depend on the machine that reads it.
const LOCATION = /^(?:[a-z]:|[a-z][a-z0-9+.-]+:\/\/|data:)/i

function isInside(real: string, realFolder: string): boolean {
  const path = relative(realFolder, real)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

function outside(name: string, place: Place): InputError {
  const what = `screenshot ${quote(name)} is not inside the run's folder`
  const advice = 'Copy the picture into that folder and name it relative to it'
  return new InputError('screenshot-outside', what, place, advice)
}

function notAFile(name: string, place: Place): InputError {
  const advice = "Name the picture itself, relative to the run's folder"
  return new InputError('screenshot-not-file', `screenshot ${quote(name)} is not a file`, place, advice)
}
