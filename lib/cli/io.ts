import picocolors from 'picocolors'
import type { Colors } from '../report/colors.js'

/** What the command line needs of a process; `process` itself has it all. */
export interface Io {
  readonly stdout: OutStream
  readonly stderr: OutStream
  readonly env: Env
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown
  off(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown
}

export type Env = { readonly [name: string]: string | undefined }

export interface OutStream {
  write(text: string): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Whether a variable that is on or off is on: `CI=false` is off, and so is an empty one. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase())
}

/** NO_COLOR (https://no-color.org) beats FORCE_COLOR beats what the stream is. */
export function makeColors(stream: OutStream, env: Env): Colors {
  return picocolors.createColors(wantsColors(stream, env))
}

function wantsColors(stream: OutStream, env: Env): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR === '' || isOn(env.FORCE_COLOR)
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** Columns for running text: what the terminal has, within what can be read well; 100 where nobody looks on. */
export function columnsOf(stream: OutStream): number {
  return stream.isTTY && stream.columns ? Math.min(120, Math.max(40, stream.columns)) : 100
}

/**
 * Writing that survives a reader who leaves early (`| head`): what comes after is dropped, the work goes on, and the
 * exit code is still that of the verdict. Any other failure of a stream is thrown at the next write.
 */
export class Output {
  readonly #stream: OutStream
  #gone = false
  #failure: Error | undefined
  readonly #onError = (error: Error) => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') this.#gone = true
    else this.#failure = error
  }

  constructor(stream: OutStream) {
    this.#stream = stream
    stream.on('error', this.#onError)
  }

  readonly write = (text: string): void => {
    if (this.#failure) throw this.#failure
    if (!this.#gone) this.#stream.write(text)
  }
}
