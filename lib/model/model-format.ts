import { createHash } from 'node:crypto'
import { canonicalJson } from '../canonical-json.js'

/**
 * How a model lies on disk. `model.json` has all that a person may want to read or to see in a diff; the long lists of
 * tokens of each state are in `states/<id>.json`, those of all premises in `states/premises.json`, and the picture that
 * stands for a state in `states/<id>.webp`.
 *
 * `files` in model.json has the digest of every file in `states/`, and `checksum` is that of model.json itself without
 * its checksum line: so model.json vouches for the whole folder, and `sha256sum` is all it takes to see that.
 */
export const MODEL_FILE = 'model.json'
export const STATES_FOLDER = 'states'
export const SCHEMA_VERSION = 1

/** Ids become names of files. */
export const STATE_ID = /^s[0-9]+$/
export const STATE_FILE = /^(?:s[0-9]+\.(?:json|webp)|premises\.json)$/

export type Fields = { readonly [key: string]: unknown }

/** The JSON values of a model's files: model.json without what `formatModelFile` adds, and states/<id>.json by id (or `premises`). */
export interface StoredModel {
  readonly model: Fields
  readonly states: ReadonlyMap<string, unknown>
}

/** Path of a file below the model's folder, with forward slashes -> SHA-256 in hex. */
export type FileDigests = { readonly [path: string]: string }

export function stateFile(id: string, kind: 'json' | 'webp'): string {
  return `${STATES_FOLDER}/${id}.${kind}`
}

export function formatStateFile(state: unknown): string {
  return `${canonicalJson(state, 2)}\n`
}

/** Schema and checksum come first, all other fields by name. */
export function formatModelFile(model: Fields, files: FileDigests): string {
  const [head, body] = withoutChecksum(`trace-oracle/model@${SCHEMA_VERSION}`, { ...model, files })
  return `${head}  "checksum": "${checksumOf(head + body)}",\n${body}`
}

function withoutChecksum(schema: unknown, body: Fields): [head: string, body: string] {
  return [`{\n  "schema": ${canonicalJson(schema)},\n`, `${canonicalJson(body, 2).slice('{\n'.length)}\n`]
}

function checksumOf(content: string): string {
  return `sha256:${sha256(content)}`
}

/**
 * Whether a model.json has the fields that were written. Its layout may be another: formatters that run on every commit
 * and git's line ends are no edits.
 */
export function isUntouched({ schema, checksum, ...body }: Fields): boolean {
  return checksum === attempt(() => checksumOf(withoutChecksum(schema, body).join('')))
}

/** Whether a file in `states/` is the one with that digest; for JSON too, the layout may be another. */
export function hasDigest(path: string, content: Buffer, digest: string): boolean {
  if (sha256(content) === digest) return true
  return path.endsWith('.json') && digest === attempt(() => sha256(formatStateFile(parseJson(content))))
}

function attempt<T>(job: () => T): T | undefined {
  try {
    return job()
  } catch {
    return undefined
  }
}

export function parseJson(content: Buffer): unknown {
  return JSON.parse(textOf(content))
}

/** The text of a file, without the byte order mark that some editors put in front. */
export function textOf(content: Buffer): string {
  const text = content.toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** Number of a schema; undefined when it is none of ours. */
export function schemaVersion(schema: unknown): number | undefined {
  const version = typeof schema === 'string' ? /^trace-oracle\/model@([0-9]+)$/.exec(schema)?.[1] : undefined
  return version === undefined ? undefined : Number(version)
}

export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
