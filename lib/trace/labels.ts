import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { InputError } from '../input-error.js'
import { fileError } from './file-error.js'
import { describe, quote } from './quote.js'
import { missingPath, statIfExists } from './source.js'
import { runPath } from './trace-path.js'

/** The truth about one run, as known to whoever made the corpus. Further fields are kept as they came. */
export interface Label {
  readonly outcome: 'pass' | 'fail'
  /** Why it failed; null for a pass, or where nobody knows. */
  readonly cause: LabelCause | null
  /** Kind of the bug, in the corpus's own words. */
  readonly bug: string | null
  /** The agent's own word. */
  readonly claimed: string | null
  /** True name of the state at each step; steps with the same name are the same state. */
  readonly states?: readonly string[]
  readonly [field: string]: unknown
}

export const LABEL_CAUSES = ['product-bug', 'agent-issue', 'environment', 'unknown'] as const
export type LabelCause = (typeof LABEL_CAUSES)[number]

export interface Labels {
  readonly task?: string
  /** Milestones that every correct run shows, in order. */
  readonly essentialStates?: readonly string[]
  /** Path of a run relative to the labels file's folder, with forward slashes (`test/run-07`) -> its label. */
  readonly runs: ReadonlyMap<string, Label>
  /** Further fields, kept as they came. */
  readonly extra: { readonly [field: string]: unknown }
}

export const LABELS_FILE = 'labels.json'

/**
 * Reads `labels.json`; `path` is that file or the folder it is in.
 * Throws InputError `path-missing`, `path-unreadable`, `labels-not-json` or `labels-bad-field` (which names the key).
 */
export async function readLabels(path: string): Promise<Labels> {
  const there = await statIfExists(path)
  if (!there) throw await missingPath(path)
  const file = there.isDirectory() ? join(path, LABELS_FILE) : path
  const value = parseJson(await readText(file), file)
  if (!isObject(value)) throw badField(file, 'the file', value, 'an object with `runs`')
  const { task, essential_states, runs, ...extra } = value
  if (!isObject(runs)) throw badField(file, 'runs', runs, 'an object that maps a run to its label')
  return {
    ...(task != null && { task: string(file, 'task', task) }),
    ...(essential_states != null && { essentialStates: strings(file, 'essential_states', essential_states) }),
    runs: parseRuns(file, runs),
    extra,
  }
}

/**
 * The label of a run: the one for its path relative to the labels file. For a run that lies elsewhere (copied, imported)
 * the one whose whole key its path ends with, else the only one whose last part is the run's. undefined when there is
 * none, or more than one that fits as well.
 */
export function labelFor(labels: Labels, labelsPath: string, runFolder: string): Label | undefined {
  const run = resolve(runPath(runFolder))
  const folder = /\.json$/i.test(labelsPath) ? dirname(labelsPath) : labelsPath
  const path = relative(resolve(folder), run)
  const isBeside = path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
  // A run beside the labels goes by its very path: `train/run-07` has no right to the label of `test/run-07`.
  if (isBeside) return labels.runs.get(slashed(path) || '.')
  const whole = slashed(run)
  const keys = [...labels.runs.keys()]
  const suffixes = keys.filter((key) => whole.endsWith(`/${key}`))
  // Of several suffixes of one path the longest says most.
  if (suffixes.length > 0) return labels.runs.get(suffixes.reduce((a, b) => (b.length > a.length ? b : a)))
  const sameName = keys.filter((key) => posix.basename(key) === posix.basename(whole))
  return sameName.length === 1 ? labels.runs.get(sameName[0]!) : undefined
}

function parseRuns(file: string, runs: { readonly [run: string]: unknown }): Map<string, Label> {
  const labels = new Map<string, Label>()
  for (const [run, value] of Object.entries(runs)) {
    const key = posix.normalize(run.replaceAll('\\', '/')).replace(/\/$/, '')
    if (labels.has(key)) throw new InputError('labels-bad-field', `runs ${quote(run)} twice`, { file }, 'Remove one')
    labels.set(key, parseLabel(file, `runs[${quote(run)}]`, value))
  }
  return labels
}

function parseLabel(file: string, key: string, value: unknown): Label {
  if (!isObject(value)) throw badField(file, key, value, 'an object')
  const { outcome, cause, bug, claimed, states, ...extra } = value
  if (outcome !== 'pass' && outcome !== 'fail') throw badField(file, `${key}.outcome`, outcome, '"pass" or "fail"')
  if (cause != null && !LABEL_CAUSES.includes(cause as LabelCause))
    throw badField(file, `${key}.cause`, cause, `null or one of ${LABEL_CAUSES.join(', ')}`)
  return {
    outcome,
    cause: (cause as LabelCause | null | undefined) ?? null,
    bug: bug == null ? null : string(file, `${key}.bug`, bug),
    claimed: claimed == null ? null : string(file, `${key}.claimed`, claimed),
    ...(states != null && { states: strings(file, `${key}.states`, states) }),
    ...extra,
  }
}

async function readText(file: string): Promise<string> {
  const there = await statIfExists(file)
  if (!there) throw await missingPath(file)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (error) {
    if (error instanceof TypeError)
      throw new InputError('labels-not-json', 'is not valid UTF-8', { file }, 'Save it as UTF-8', { cause: error })
    throw fileError(error, file)
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new InputError('labels-not-json', 'is not valid JSON', { file }, 'Correct the file', { cause })
  }
}

function string(file: string, key: string, value: unknown): string {
  if (typeof value !== 'string') throw badField(file, key, value, 'a string')
  return value
}

function strings(file: string, key: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw badField(file, key, value, 'a list of strings')
  return value.map((item, i) => string(file, `${key}[${i}]`, item))
}

function isObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function badField(file: string, key: string, value: unknown, expected: string): InputError {
  const what = `${key} is ${value === undefined ? 'missing' : describe(value)}, but must be ${expected}`
  return new InputError('labels-bad-field', what, { file }, 'Correct the labels')
}

function slashed(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path
}
