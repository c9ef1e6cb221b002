import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { InputError } from '../input-error.js'
import { errorCode, isMissing, writeFailed } from '../trace/file-error.js'
import { encodePicture } from './encode-picture.js'
import type { Exemplar, Model } from './model.js'
import {
  formatModelFile,
  formatStateFile,
  isFields,
  MODEL_FILE,
  parseJson,
  STATE_FILE,
  STATES_FOLDER,
  sha256,
  stateFile,
} from './model-format.js'
import { readStateFile } from './read-state-file.js'
import { ShapeError } from './shape.js'
import { claim, isStagingName, type Staging } from './staging.js'
import { restoreModel, storeModel } from './stored-model.js'

export interface WriteModelOptions {
  /** The picture of an exemplar, as bytes or by its file; undefined when it is no longer at hand. */
  readonly pictures?: (exemplar: Exemplar) => Promise<Uint8Array | string | undefined>
}

/**
 * Writes a model into its folder, in place of the one that may be there. Equal models give equal files. Other files in
 * the folder (stored judgements, a person's review) are not touched; files that are as they should be are not rewritten.
 *
 * A process may be killed at any moment, and the power may fail: a reader finds the old model or the new one, whole.
 * Renaming model.json is the one moment at which the new model takes the place of the old. Before it, new files wait in a
 * staging folder (see staging.ts), after it they are renamed to their places, and until they are, readers find them in
 * the staging folder by their digests. (Why not a new folder renamed over the old: a folder cannot be replaced by one
 * call, what others write to its files in the meantime would be lost, and some systems refuse it while a file is open.)
 * Writers at the same time take turns; the last one's model stays.
 *
 * A picture that the folder has for the same screenshot already is kept, so a model that was read can be written back
 * without its recordings. Throws InputError `not-a-model-folder`, `model-busy`, `screenshot-unreadable` or
 * `write-failed`. When it does, the old model is still there, or (the disk failed at the very end) already the new one.
 */
export async function writeModel(model: Model, folder: string, options: WriteModelOptions = {}): Promise<void> {
  const stored = storeModel(model)
  try {
    restoreModel(stored)
  } catch (error) {
    if (error instanceof ShapeError) throw new TypeError(`No model to write: ${error.message}`, { cause: error })
    throw error
  }
  await refuseOthersFolder(folder)
  const files = new Map<string, Uint8Array>()
  for (const [id, state] of stored.states) files.set(stateFile(id, 'json'), Buffer.from(formatStateFile(state)))
  for (const [id, picture] of await encodePictures(model, folder, options)) files.set(stateFile(id, 'webp'), picture)
  const digests = Object.fromEntries([...files].map(([path, content]) => [path, sha256(content)]))
  files.set(MODEL_FILE, Buffer.from(formatModelFile(stored.model, digests)))

  await writing(folder, async () => {
    const created = await mkdir(join(folder, STATES_FOLDER), { recursive: true })
    try {
      const staging = await claim(folder)
      await replaceFiles(folder, files, staging)
    } catch (error) {
      if (created !== undefined) await removeEmpty(join(folder, STATES_FOLDER), created)
      throw error
    }
  })
}

async function replaceFiles(folder: string, files: ReadonlyMap<string, Uint8Array>, staging: Staging): Promise<void> {
  const staged = async (path: string) => {
    const final = join(folder, path)
    if (await isThere(final, files.get(path)!)) return false
    await writeThrough(join(staging.folder, basename(path)), files.get(path)!)
    return true
  }
  const moved: string[] = []
  try {
    for (const path of files.keys()) if (await staged(path)) moved.push(path)
    await syncFolder(staging.folder)
    if (moved.at(-1) === MODEL_FILE) await move(join(staging.folder, MODEL_FILE), join(folder, MODEL_FILE))
  } catch (error) {
    await staging.remove().catch(() => {})
    throw error
  }
  // From here on the new model is the one that is read.
  try {
    await syncFolder(folder)
    for (const path of moved) {
      if (path !== MODEL_FILE) await move(join(staging.folder, basename(path)), join(folder, path))
    }
    for (const name of await readdir(join(folder, STATES_FOLDER))) {
      if (STATE_FILE.test(name) && !files.has(`${STATES_FOLDER}/${name}`)) await rm(join(folder, STATES_FOLDER, name))
    }
    await syncFolder(join(folder, STATES_FOLDER))
  } catch (error) {
    await staging.abandon().catch(() => {})
    throw error
  }
  for (const leftover of await staging.leftovers()) await rm(leftover, { recursive: true, force: true })
  await staging.remove()
}

/** State -> its picture. Several at a time, because each keeps but one core busy. */
async function encodePictures(
  model: Model,
  folder: string,
  { pictures }: WriteModelOptions,
): Promise<[string, Uint8Array][]> {
  const kept = await picturesThere(folder)
  const encoded: [string, Uint8Array][] = []
  const todo = model.states.values()
  const work = async () => {
    for (const { id, exemplar } of todo) {
      if (exemplar === undefined) continue
      const there = await kept(exemplar.fingerprint.sha256)
      const source = there === undefined ? await pictures?.(exemplar) : undefined
      const picture = there ?? (source === undefined ? undefined : await encodePicture(source))
      if (picture !== undefined) encoded.push([id, picture])
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return encoded.sort(([a], [b]) => (a < b ? -1 : 1))
}

/** By the digest of its screenshot, the picture that the model in the folder has; its file must be the one written. */
async function picturesThere(folder: string): Promise<(screenshot: string) => Promise<Buffer | undefined>> {
  const model = await readFile(join(folder, MODEL_FILE)).then(parseJson, () => undefined)
  const found = new Map<unknown, { path: string; digest: string }>()
  if (isFields(model) && Array.isArray(model.states) && isFields(model.files)) {
    for (const { id, exemplar } of model.states.filter(isFields)) {
      const path = stateFile(String(id), 'webp')
      const digest = model.files[path]
      if (!STATE_FILE.test(basename(path)) || typeof digest !== 'string') continue
      if (isFields(exemplar) && isFields(exemplar.fingerprint)) found.set(exemplar.fingerprint.sha256, { path, digest })
    }
  }
  return async (screenshot) => {
    const entry = found.get(screenshot)
    if (entry === undefined) return undefined
    return (await readStateFile(folder, entry.path, entry.digest).catch(() => undefined))?.content
  }
}

/** What may be in a folder that has no model yet, or no longer. */
const OURS = /^(?:judgements\.jsonl|review\.json|states|\.git.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/

async function refuseOthersFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (errorCode(error) === 'ENOENT') return []
    throw modelNotWritten(error, folder)
  })
  if (names.includes(MODEL_FILE)) return
  const other = names.find((name) => !OURS.test(name) && !isStagingName(name))
  if (other === undefined) return
  throw new InputError(
    'not-a-model-folder',
    `the folder has other files in it (${JSON.stringify(other)}) and no ${MODEL_FILE}`,
    { file: folder },
    'Choose another name for the model (--name), or another place for models (--model-dir)',
  )
}

async function isThere(file: string, content: Uint8Array): Promise<boolean> {
  try {
    return (await readFile(file)).equals(content)
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function writeThrough(file: string, content: Uint8Array): Promise<void> {
  const handle = await open(file, 'w')
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes renames last through a power cut, where the system can (Windows cannot open folders, and need not). */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** On Windows a virus scanner or an indexer may hold a new file for a moment. */
async function move(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (process.platform !== 'win32' || tries === 10 || errorCode(error) !== 'EPERM') throw error
      await new Promise((resolve) => setTimeout(resolve, 10 * tries))
    }
  }
}

/** Removes folders, the innermost first, up to `last`; leaves those that someone has put something in. */
async function removeEmpty(folder: string, last: string): Promise<void> {
  for (let at = folder; at.length >= last.length; at = dirname(at)) {
    try {
      await rmdir(at)
    } catch {
      return
    }
  }
}

async function writing<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw modelNotWritten(error, file)
  }
}

/** The file that failed is named where the system tells it, else the folder. */
function modelNotWritten(error: unknown, file: string): unknown {
  return writeFailed(error, (error as NodeJS.ErrnoException | null)?.path ?? file, 'the model cannot be written')
}
