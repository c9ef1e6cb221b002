import { copyFile, type FileHandle, lstat, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { InputError, type Place } from '../input-error.js'
import { writeFailed } from './file-error.js'
import {
  type End,
  type Fields,
  formatEnd,
  formatHeader,
  formatStep,
  type Header,
  parseEnd,
  parseHeader,
  parseStep,
} from './native-format.js'
import { formatLine, parseLine } from './native-line.js'
import { quote } from './quote.js'
import { emptyPicture, screenshotError, screenshotName } from './screenshot-file.js'
import type { Action, Step, Trace } from './trace.js'
import { TRACE_FILE } from './trace-path.js'

/** What is known before the first step; every field may be left out. */
export type TraceHeader = Partial<Header>

/** One step as a recorder hands it over; it needs at least one of `screenshot`, `text` and `result`. */
export interface StepInput {
  /** Counted on from the last step when absent. */
  readonly index?: number
  /** Milliseconds since the run began. */
  readonly at?: number
  readonly action?: Action | null
  /** The picture's bytes, or the path of a file to copy. */
  readonly screenshot?: Uint8Array | string
  /** What to call the picture inside the run's folder; `screenshots/NNNN.png` (by index and kind) when absent. */
  readonly screenshotName?: string
  readonly text?: unknown
  readonly result?: unknown
  readonly url?: string
  readonly title?: string
  readonly extra?: Fields
}

/**
 * Writes a native trace while the run goes on, one line a step. The process may be killed at any moment: a picture is in
 * place before the line that names it, the header is there from the start, and half a line at the end is something that
 * readers expect. (A power cut is not guarded against: nothing is forced to disk.)
 *
 * Every line goes through the reader's own rules first, so a step that could not be read back is refused at once, with
 * the reader's InputError, and leaves the trace as it was. Calls may overlap; they are done in order.
 */
export class TraceWriter {
  readonly folder: string
  readonly #file: string
  readonly #handle: FileHandle
  /** Bytes of whole lines: what a failed write is cut back to. */
  #size: number
  #lines = 1
  #previous: Step | undefined
  readonly #pictures = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  private constructor(folder: string, file: string, handle: FileHandle, size: number) {
    this.folder = folder
    this.#file = file
    this.#handle = handle
    this.#size = size
  }

  /**
   * Begins a trace in `folder`, which is made where it does not exist.
   * Throws InputError `trace-exists` when the folder already holds one, or `write-failed`.
   */
  static async open(folder: string, header: TraceHeader = {}): Promise<TraceWriter> {
    return TraceWriter.create(folder, header, TRACE_FILE)
  }

  /** For `writeTrace`, which writes its lines under another name. */
  static async create(folder: string, header: TraceHeader, name: string): Promise<TraceWriter> {
    const file = join(folder, name)
    await refuseExisting(folder)
    const place = { file, line: 1 }
    const line = formatLine(formatHeader(header), place)
    parseHeader(parseLine(line, place), place)
    return writing(file, async () => {
      await mkdir(folder, { recursive: true })
      // Renamed into place: a file without its header would be no trace at all.
      await writeFile(`${file}.new`, line)
      await rename(`${file}.new`, file)
      return new TraceWriter(folder, file, await open(file, 'a'), Buffer.byteLength(line))
    })
  }

  /** Adds a step and gives it back as a reader will see it. Throws the InputErrors of a reader, or `write-failed`. */
  step(input: StepInput): Promise<Step> {
    return this.#inOrder(() => this.#step(input))
  }

  /** Says how the run ended, and closes the file. */
  end(end: End = {}, outcome: Trace['outcome'] = null): Promise<void> {
    return this.#inOrder(async () => {
      const line = formatLine(formatEnd(end, outcome), this.#place())
      parseEnd(parseLine(line, this.#place()), this.#place())
      await this.#append(line)
      await this.#close()
    })
  }

  /** Closes the file without an end: the run counts as unfinished. Does nothing after `end`. */
  close(): Promise<void> {
    return this.#inOrder(() => this.#close(), true)
  }

  async #step({
    index,
    screenshot,
    screenshotName: name,
    action = null,
    extra = {},
    ...rest
  }: StepInput): Promise<Step> {
    const { at, text, result, url, title } = rest
    const number = index ?? (this.#previous ? this.#previous.index + 1 : 0)
    const place = { ...this.#place(), step: number }
    const picture = screenshot === undefined ? undefined : await this.#pictureName(screenshot, number, name, place)
    const observation = { screenshot: picture, text, result, url, title }
    const line = formatLine(formatStep({ index: number, at, action, observation, extra }), place)
    const step = parseStep(parseLine(line, place), this.#place(), this.#previous)
    if (screenshot !== undefined) await this.#savePicture(screenshot, picture!, place)
    await this.#append(line)
    this.#previous = step
    return step
  }

  async #pictureName(
    picture: Uint8Array | string,
    index: number,
    name: string | undefined,
    place: Place,
  ): Promise<string> {
    if (name !== undefined) {
      const kept = screenshotName(name, place)
      if (kept.toLowerCase() !== TRACE_FILE) return kept
      const what = `screenshot ${quote(name)} would overwrite the trace`
      throw new InputError('screenshot-name', what, place, 'Give the picture another name')
    }
    const kind = pictureKind(typeof picture === 'string' ? await firstBytes(picture, place) : picture)
    const extension = kind ?? ((typeof picture === 'string' && extname(picture)) || '.bin')
    return `screenshots/${String(index).padStart(4, '0')}${extension}`
  }

  /** A picture that several steps share is saved once. */
  async #savePicture(picture: Uint8Array | string, name: string, place: Place): Promise<void> {
    if (this.#pictures.has(name)) return
    const target = join(this.folder, name)
    if (typeof picture !== 'string') {
      if (picture.length === 0) throw emptyPicture(name, place)
      await writing(target, () => replaceFile(target, (partial) => writeFile(partial, picture)))
    } else {
      await checkPicture(picture, place)
      if (!(await isSameFile(picture, target)))
        await writing(target, () => replaceFile(target, (partial) => copyFile(picture, partial)))
    }
    this.#pictures.add(name)
  }

  async #append(line: string): Promise<void> {
    try {
      await this.#handle.appendFile(line)
    } catch (error) {
      // Half a line in the middle would spoil the trace for good, should later steps find room again.
      await this.#handle.truncate(this.#size).catch(() => this.#close())
      throw writeFailed(error, this.#file)
    }
    this.#size += Buffer.byteLength(line)
    this.#lines++
  }

  async #close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#handle.close()
  }

  #place(): Place {
    return { file: this.#file, line: this.#lines + 1 }
  }

  #inOrder<T>(job: () => Promise<T>, evenClosed = false): Promise<T> {
    const done = this.#last.then(() => {
      if (this.#closed && !evenClosed) throw new Error(`The trace in ${this.folder} is closed: nothing can be added`)
      return job()
    })
    this.#last = done.catch(() => {})
    return done
  }
}

/**
 * Writes a whole trace into `folder` as a native run, pictures under the names they have in the trace. Its `trace.jsonl`
 * appears only when everything is there, so a crash never leaves what looks like an unfinished run. Read back it is the
 * same trace, but for what belongs to the file: name, folder, format, line numbers and warnings.
 *
 * Throws InputError `trace-exists`, `write-failed`, or what a reader would say of the trace (a missing picture, say).
 */
export async function writeTrace(trace: Trace, folder: string): Promise<void> {
  const { end, outcome, steps, ...header } = trace
  const partial = `${TRACE_FILE}.partial`
  const writer = await TraceWriter.create(folder, { ...header, outcome: end ? null : outcome }, partial)
  try {
    for (const { index, at, action, observation, extra } of steps) {
      const { screenshot: name, ...seen } = observation
      const picture = name === undefined ? {} : { screenshot: join(trace.folder, name), screenshotName: name }
      await writer.step({ index, at, action, ...seen, ...picture, extra })
    }
    if (end) await writer.end(end, outcome)
    await writer.close()
    await writing(folder, () => rename(join(folder, partial), join(folder, TRACE_FILE)))
  } catch (error) {
    await writer.close()
    await rm(join(folder, partial), { force: true })
    throw error
  }
}

async function refuseExisting(folder: string): Promise<void> {
  const file = join(folder, TRACE_FILE)
  const exists = await lstat(file).then(
    () => true,
    () => false,
  )
  if (!exists) return
  throw new InputError(
    'trace-exists',
    'a trace is there already',
    { file },
    'Choose another folder, or remove that one',
  )
}

async function replaceFile(target: string, write: (partial: string) => Promise<unknown>): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await write(`${target}.partial`)
  await rename(`${target}.partial`, target)
}

async function checkPicture(path: string, place: Place): Promise<void> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw screenshotError(error, path, place)
  })
  if (size === 0) throw emptyPicture(path, place)
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([a, b].map((path) => realpath(path).catch(() => undefined)))
  return left !== undefined && left === right
}

async function firstBytes(path: string, place: Place): Promise<Uint8Array> {
  try {
    const handle = await open(path)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(12), 0, 12, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw screenshotError(error, path, place)
  }
}

/** File extension by the first bytes, undefined when they are of no known kind. */
function pictureKind(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return KINDS.find(([, pattern]) => pattern.test(head))?.[0]
}

const KINDS: readonly (readonly [string, RegExp])[] = [
  ['.png', /^\x89PNG/],
  ['.jpg', /^\xff\xd8\xff/],
  ['.gif', /^GIF8/],
  ['.webp', /^RIFF.{4}WEBP/s],
  ['.tiff', /^(?:II\*\0|MM\0\*)/],
  ['.avif', /^.{4}ftypavi/s],
]

async function writing<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw writeFailed(error, file)
  }
}
