import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { InputError, type Place } from '../input-error.js'
import { closestName } from '../trace/closest-name.js'
import { fileError, isMissing } from '../trace/file-error.js'
import { quote } from '../trace/quote.js'
import { TRACE_FILE } from '../trace/trace-path.js'
import { findModels } from './find-models.js'
import { jsonFault } from './json-fault.js'
import { learnCommand } from './learn-command.js'
import type { Model } from './model.js'
import {
  type Fields,
  isFields,
  isUntouched,
  MODEL_FILE,
  parseJson,
  SCHEMA_VERSION,
  STATE_ID,
  STATES_FOLDER,
  schemaVersion,
  stateFile,
  textOf,
} from './model-format.js'
import { readStateFile } from './read-state-file.js'
import { ShapeError } from './shape.js'
import { stagingNames } from './staging.js'
import { fileDigests, restoreModel } from './stored-model.js'
import { upgradeModel } from './upgrade-model.js'

/**
 * Reads the model in a folder (or by its model.json), checked through and through: every file is the one that `learn`
 * wrote, and everything that refers to something finds it. Also while another process writes it, or was killed doing so.
 *
 * Throws InputError `model-missing`, `model-incomplete`, `model-not-json`, `model-schema-unknown`,
 * `model-schema-newer`, `model-edited`, `model-invalid` or `path-unreadable`.
 */
export async function readModel(path: string): Promise<Model> {
  const folder = modelFolder(path)
  for (let tries = 1; ; tries++) {
    const content = await readModelFile(folder)
    try {
      return await parseModel(folder, content)
    } catch (error) {
      if (!(error instanceof InputError) || !MAY_PASS.has(error.code)) throw fileError(error, folder)
      // A writer may have replaced the files since; if none is about, three looks must do.
      const busy = (await stagingNames(folder)).length > 0 || !content.equals(await readModelFile(folder))
      if (tries >= (busy ? 50 : 3)) throw error
    }
    await sleep(10)
  }
}

/** The picture that stands for a state, as lossless WebP; undefined when the model has none for it. */
export async function readExemplar(path: string, state: string): Promise<Buffer | undefined> {
  const folder = modelFolder(path)
  const file = stateFile(state, 'webp')
  for (let tries = 1; ; tries++) {
    const model = parseFields(folder, await readModelFile(folder))
    const digest = isFields(model.files) && STATE_ID.test(state) ? model.files[file] : undefined
    if (typeof digest !== 'string') return undefined
    const { content } = await readStateFile(folder, file, digest)
    if (content !== undefined || tries === 3) return content
    // A writer may have replaced it since.
    await sleep(10)
  }
}

/** The folder that a path to a model means: `oracle/search/model.json` is the same model as `oracle/search`. */
export function modelFolder(path: string): string {
  const clean = normalize(path)
  return basename(clean) === MODEL_FILE ? dirname(clean) : clean.replace(/(?<=[^\\/:])[\\/]+$/, '')
}

const MAY_PASS = new Set(['model-edited', 'model-incomplete'])

async function readModelFile(folder: string): Promise<Buffer> {
  const file = join(folder, MODEL_FILE)
  try {
    return await readFile(file)
  } catch (error) {
    throw isMissing(error) ? await missing(folder, error) : fileError(error, file)
  }
}

async function parseModel(folder: string, content: Buffer): Promise<Model> {
  const file = join(folder, MODEL_FILE)
  const fields = parseFields(folder, content)
  const version = readableVersion(folder, fields)
  if (!isUntouched(fields)) throw edited(file, folder)
  try {
    const { schema: _, checksum: __, files: ___, ...model } = fields
    const states = await readStateFiles(folder, fileDigests(fields))
    const stored = upgradeModel({ model, states }, version)
    if (stored === undefined) throw unknownSchema(folder, fields.schema)
    return restoreModel(stored)
  } catch (error) {
    throw error instanceof ShapeError ? invalid(folder, error) : error
  }
}

function parseFields(folder: string, content: Buffer): Fields {
  const text = textOf(content)
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch (cause) {
    const { line, column, what } = jsonFault(text)
    const place = { file: join(folder, MODEL_FILE), line }
    const fault = `the model is not valid JSON: ${what} (column ${column})`
    throw new InputError('model-not-json', fault, place, learnAgain(folder), { cause })
  }
  if (isFields(fields)) return fields
  throw unknownSchema(folder, undefined)
}

/** Version of the schema, which is not newer than ours. */
function readableVersion(folder: string, { schema }: Fields): number {
  const version = schemaVersion(schema)
  if (version === undefined) throw unknownSchema(folder, schema)
  if (version <= SCHEMA_VERSION) return version
  const what = `the model has schema version ${version}, and this version of trace-oracle knows ${SCHEMA_VERSION}`
  const advice = 'Upgrade trace-oracle (npm install trace-oracle@latest)'
  throw new InputError('model-schema-newer', what, { file: join(folder, MODEL_FILE) }, advice)
}

/** State -> the JSON value of its file. Pictures are looked at too: they are what a person judges the model by. */
async function readStateFiles(folder: string, digests: { [path: string]: string }): Promise<Map<string, unknown>> {
  const states = new Map<string, unknown>()
  const todo = Object.entries(digests).values()
  const work = async () => {
    for (const [path, digest] of todo) {
      const { content, exists } = await readStateFile(folder, path, digest)
      const place = { file: join(folder, path) }
      if (content === undefined) throw exists ? await replaced(folder, place) : incomplete(folder, place)
      if (path.endsWith('.json')) states.set(basename(path, '.json'), parseJson(content))
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return states
}

async function missing(folder: string, cause: unknown): Promise<InputError> {
  const place = { file: folder }
  const error = (what: string, advice: string) => new InputError('model-missing', what, place, advice, { cause })
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => undefined,
  )
  if (isFolder === undefined) {
    const names = (await findModels(dirname(folder))).map(({ name }) => name)
    const near = closestName(basename(folder), names)
    return near === undefined
      ? error('there is no such model', learn(folder))
      : error('there is no such model', `Did you mean ${quote(join(dirname(folder), near))}? ${learn(folder)}`)
  }
  if (!isFolder) return error('is a file, and a model is a folder', 'Name the folder that `trace-oracle learn` wrote')
  const entries = await readdir(folder)
  if (entries.includes(STATES_FOLDER)) return incomplete(folder, { file: join(folder, MODEL_FILE) })
  const [first] = await findModels(folder)
  if (first !== undefined)
    return error('is a folder of models, not a model', `Name one of them: ${quote(first.folder)}`)
  if (entries.includes(TRACE_FILE))
    return error('is a recorded run, not a model', 'Learn a model from passing runs first')
  return error(`is not a model: it has no ${MODEL_FILE}`, learn(folder))
}

function incomplete(folder: string, place: Place): InputError {
  return new InputError('model-incomplete', 'this file of the model is missing', place, learnAgain(folder))
}

async function replaced(folder: string, place: Place): Promise<InputError> {
  const start = (await readFile(place.file).catch(() => Buffer.alloc(0))).toString('latin1', 0, 100)
  if (!start.startsWith('version https://git-lfs')) return edited(place.file, folder)
  return new InputError('model-incomplete', 'this file is still in Git LFS', place, 'Fetch it (git lfs pull)')
}

function edited(file: string, folder: string): InputError {
  const what = 'this file has been changed since `trace-oracle learn` wrote it'
  const advice = `Put decisions of your own into review.json, which learning keeps. ${learnAgain(folder)}`
  return new InputError('model-edited', what, { file }, advice)
}

function unknownSchema(folder: string, schema: unknown): InputError {
  const what =
    schema === undefined
      ? 'the file does not say which schema it follows'
      : `the schema is ${quote(schema)}, not trace-oracle/model@${SCHEMA_VERSION}`
  return new InputError('model-schema-unknown', what, { file: join(folder, MODEL_FILE) }, learnAgain(folder))
}

function invalid(folder: string, error: ShapeError): InputError {
  const what = `the model contradicts itself: ${error.message}`
  return new InputError('model-invalid', what, { file: join(folder, MODEL_FILE) }, learnAgain(folder), { cause: error })
}

function learnAgain(folder: string): string {
  const command = learnCommand(dirname(folder), basename(folder))
  return `Write the model anew (${command}), or restore the folder from version control`
}

function learn(folder: string): string {
  return `Learn it from passing runs: ${learnCommand(dirname(folder), basename(folder))}`
}
