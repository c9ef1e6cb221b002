import { basename, dirname, extname, join } from 'node:path'
import { InputError, type Place } from '../input-error.js'
import type { Importer } from './importer.js'
import {
  type End,
  type Fields,
  type Header,
  isFields,
  noHeader,
  parseEnd,
  parseHeader,
  parseStep,
  TRACE_VERSION,
} from './native-format.js'
import { parseLine } from './native-line.js'
import { quote } from './quote.js'
import { type Line, readLines } from './read-lines.js'
import { ScreenshotFiles } from './screenshot-file.js'
import { type Source, statIfExists } from './source.js'
import type { Step, Trace } from './trace.js'
import { runName, TRACE_FILE } from './trace-path.js'

/** The native format: a folder with `trace.jsonl`, that file itself, or another `.jsonl` file with the same header. */
export const nativeImporter: Importer = {
  name: 'native',
  looksLike: `a folder with ${TRACE_FILE}, or a .jsonl file that begins with {"type":"trace","version":${TRACE_VERSION}}`,

  async detect(source) {
    if (source.kind === 'folder') return (await source.entries()).includes(TRACE_FILE)
    if (basename(source.path) === TRACE_FILE) return true
    return extname(source.path).toLowerCase() === '.jsonl' && beginsWithHeader((await source.head()).toString())
  },

  async read(source) {
    return [await readNative(source)]
  },
}

async function readNative(source: Source): Promise<Trace> {
  const file = source.kind === 'folder' ? join(source.path, TRACE_FILE) : source.path
  const folder = source.kind === 'folder' ? source.path : dirname(source.path)
  if (!(await statIfExists(file))?.isFile())
    throw new InputError('path-unreadable', 'is not a file', { file }, `Name a folder whose ${TRACE_FILE} is one`)
  const reader = new NativeReader(file, folder)
  for await (const line of readLines(file)) await reader.line(line)
  return { name: runName(source.path), folder, format: 'native', ...reader.finish() }
}

/**
 * Folds the lines of one file into a trace.
 *
 * A recorder may be stopped at any moment, so the last line may be half of one: a line that is no JSON is only an error
 * once another line follows. Steps after the `end` line are used, with a warning: a recorder that takes its pictures in
 * the background may write the last of them late, and that one shows how the run really ended.
 */
class NativeReader {
  readonly #file: string
  readonly #screenshots: ScreenshotFiles
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #header: Header | undefined
  readonly #steps: Step[] = []
  #end: { end: End; outcome: Trace['outcome']; line: number } | undefined
  /** Fault of the newest line, for as long as it may be the last. */
  #broken: InputError | undefined
  readonly #late: number[] = []
  readonly #unknown = new Map<string, number>()
  readonly #warnings: string[] = []

  constructor(file: string, folder: string) {
    this.#file = file
    this.#screenshots = new ScreenshotFiles(folder)
  }

  async line({ number, bytes }: Line): Promise<void> {
    const place = { file: this.#file, line: number }
    const text = this.#decode(bytes)
    if (text?.trim() === '') return
    if (this.#broken) throw this.#broken
    if (text === undefined) {
      this.#broken = notUtf8(place)
      return
    }
    const fields = parseOrFault(text, place)
    if (fields instanceof InputError) this.#broken = fields
    else await this.#record(fields, place)
  }

  finish(): Omit<Trace, 'name' | 'folder' | 'format'> {
    if (!this.#header) throw this.#withoutHeader()
    const { outcome, extra, ...header } = this.#header
    this.#warnings.push(...this.#closingWarnings())
    return {
      ...header,
      steps: this.#steps,
      ...(this.#end && { end: this.#end.end }),
      outcome: this.#end?.outcome ?? outcome,
      warnings: this.#warnings,
      extra,
    }
  }

  /** undefined when the bytes are not UTF-8; a byte order mark is taken off. */
  #decode(bytes: Buffer): string | undefined {
    try {
      return this.#decoder.decode(bytes)
    } catch {
      return undefined
    }
  }

  async #record(fields: Fields & { readonly type: string }, place: Place & { line: number }): Promise<void> {
    if (!this.#header) {
      this.#header = parseHeader(fields, place)
      return
    }
    switch (fields.type) {
      case 'trace':
        throw secondHeader(place)
      case 'step':
        this.#steps.push(await this.#step(fields, place))
        if (this.#end) this.#late.push(place.line)
        break
      case 'end':
        if (this.#end)
          this.#warnings.push(`the run ends twice (lines ${this.#end.line} and ${place.line}): the later end is used`)
        this.#end = { ...parseEnd(fields, place), line: place.line }
        break
      default:
        this.#unknown.set(fields.type, (this.#unknown.get(fields.type) ?? 0) + 1)
    }
  }

  async #step(fields: Fields, place: Place): Promise<Step> {
    const step = parseStep(fields, place, this.#steps.at(-1))
    const { screenshot } = step.observation
    if (screenshot === undefined) return step
    const checked = await this.#screenshots.check(screenshot, { ...place, step: step.index })
    return { ...step, observation: { ...step.observation, screenshot: checked } }
  }

  *#closingWarnings(): Generator<string> {
    if (this.#late.length > 0) {
      const [steps, which] =
        this.#late.length === 1 ? ['1 step comes', 'it is'] : [`${this.#late.length} steps come`, 'they are']
      yield `${steps} after an end line (from line ${this.#late[0]} on): ${which} used all the same`
    }
    for (const [where, outcome] of [
      ['header', this.#header?.extra.outcome],
      ['end line', this.#end?.end.outcome],
    ] as const)
      if (outcome !== undefined)
        yield `the outcome in the ${where} is ${quote(outcome)}, neither "pass" nor "fail": taken as unknown`
    if (this.#header?.outcome && this.#end?.outcome && this.#header.outcome !== this.#end.outcome)
      yield `the header says the outcome is ${this.#header.outcome}, the end line ${this.#end.outcome}: the latter is used`
    if (this.#unknown.size > 0) yield unknownTypesWarning(this.#unknown)
    if (this.#broken)
      yield `line ${this.#broken.place?.line} is cut off (${this.#broken.what}): what came before it is used`
  }

  #withoutHeader(): InputError {
    const place = { file: this.#file }
    if (!this.#broken)
      return new InputError('trace-empty', 'the file is empty', place, 'Record the run again: nothing was written')
    if (this.#broken.code === 'trace-not-utf8') return this.#broken
    const what = 'the first line is cut off or no JSON, and nothing follows it'
    return new InputError('trace-no-header', what, this.#broken.place, noHeader(place).advice)
  }
}

/** A line that is no JSON comes back as its fault, since it may turn out to be the last. */
function parseOrFault(text: string, place: Place): ReturnType<typeof parseLine> | InputError {
  try {
    return parseLine(text, place)
  } catch (error) {
    if (error instanceof InputError && error.code === 'trace-not-json') return error
    throw error
  }
}

/** From the first bytes alone, so the first line may be cut short. */
function beginsWithHeader(head: string): boolean {
  const start = head.replace(/^\uFEFF/, '').trimStart()
  const end = start.indexOf('\n')
  const line = end === -1 ? start : start.slice(0, end)
  try {
    const value: unknown = JSON.parse(line)
    return isFields(value) && value.type === 'trace'
  } catch {
    return /^\{\s*"type"\s*:\s*"trace"/.test(line)
  }
}

function unknownTypesWarning(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const lines = total === 1 ? '1 line' : `${total} lines`
  const shown = [...counts.keys()].slice(0, 5).map((type) => `'${quote(type, 30).slice(1, -1)}'`)
  const more = counts.size > shown.length ? ` and ${counts.size - shown.length} more` : ''
  return `passed over ${lines} of unknown type${counts.size === 1 ? '' : 's'} ${shown.join(', ')}${more}`
}

function notUtf8(place: Place): InputError {
  const advice = 'Save the file as UTF-8 (redirecting output in Windows PowerShell writes UTF-16)'
  return new InputError('trace-not-utf8', 'the line is not valid UTF-8', place, advice)
}

function secondHeader(place: Place): InputError {
  const what = 'a second header; two runs seem to have been written into one file'
  return new InputError('trace-second-header', what, place, 'Split the file here, into one folder per run')
}
