import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { InputError } from '../input-error.js'
import { closestName } from './closest-name.js'
import { fileError, isMissing } from './file-error.js'
import { compareNatural } from './natural-order.js'
import { quote } from './quote.js'

/** A file or folder that may hold a trace, as importers look at it: nothing is read before it is asked for, nor twice. */
export interface Source {
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** Names of a folder's entries in natural order; empty for a file. */
  entries(): Promise<readonly string[]>
  /** The first bytes of a file (at most 64 KiB), or of the file `entry` inside a folder. */
  head(entry?: string): Promise<Buffer>
}

/** Throws InputError `path-missing` (with the nearest existing name) or `path-unreadable`. */
export async function openSource(path: string): Promise<Source> {
  const found = await statIfExists(path)
  if (!found) throw await missingPath(path)
  if (found.isDirectory()) return makeSource(path, 'folder')
  if (found.isFile()) return makeSource(path, 'file')
  // A pipe would be waited on for ever.
  throw new InputError('path-unreadable', 'is neither a file nor a folder', { file: path }, 'Name a file or a folder')
}

/** A source whose kind is already known, from a listing for instance. */
export function makeSource(path: string, kind: 'file' | 'folder'): Source {
  let entries: Promise<readonly string[]> | undefined
  const heads = new Map<string | undefined, Promise<Buffer>>()
  return {
    path,
    kind,
    entries() {
      entries ??= kind === 'folder' ? listFolder(path) : Promise.resolve([])
      return entries
    },
    head(entry) {
      const head = heads.get(entry) ?? readHead(entry === undefined ? path : join(path, entry))
      heads.set(entry, head)
      return head
    },
  }
}

/** undefined when nothing is there; throws InputError `path-unreadable` when that cannot be told. */
export async function statIfExists(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw fileError(error, path)
  }
}

/** The error for a path at which nothing exists, with the nearest existing name when one is similar. */
export async function missingPath(path: string): Promise<InputError> {
  const suggestion = await suggestPath(path)
  const advice = suggestion === undefined ? 'Check the spelling' : `Did you mean ${quote(suggestion, 200)}?`
  return new InputError('path-missing', 'does not exist', { file: path }, advice)
}

async function suggestPath(path: string): Promise<string | undefined> {
  // The mistake may be in any folder on the way: the first name that is missing is the one to correct.
  let missing = path
  while (dirname(missing) !== missing && !(await exists(dirname(missing)))) missing = dirname(missing)
  const parent = dirname(missing)
  const siblings = await readdir(parent).catch(() => [])
  const name = closestName(basename(resolve(missing)), siblings)
  if (name === undefined) return undefined
  const corrected = join(parent, name, path.slice(missing.length))
  return (await exists(corrected)) ? corrected : join(parent, name)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort(compareNatural)
  } catch (error) {
    throw fileError(error, path)
  }
}

const HEAD_BYTES = 64 * 1024

async function readHead(path: string): Promise<Buffer> {
  try {
    const handle = await open(path)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw fileError(error, path)
  }
}
