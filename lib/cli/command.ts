import type { Colors } from '../report/colors.js'
import type { Env } from './io.js'
import type { COMMON_OPTIONS, Options, Settings } from './option.js'
import type { Progress } from './progress.js'
import type { Services } from './services.js'

export interface Command<O extends Options = Options> {
  readonly name: string
  /** What follows the name in the usage line. */
  readonly usage: string
  readonly describe: string
  readonly options: O
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  /** Exit code of the command. */
  run(context: Context, operands: readonly string[], settings: Settings<O & typeof COMMON_OPTIONS>): Promise<number>
}

/** Gives a command the types of its own options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command
}

/** What commands may touch of the outside, and what all of them need. */
export interface Context {
  readonly env: Env
  /** For what was asked for. */
  out(text: string): void
  /** For everything else. */
  err(text: string): void
  /** One sentence on stderr. */
  warn(sentence: string): void
  /** An error as data, for reports; one that nobody expected leaves its stack on stderr when that is asked for. */
  tellError(error: unknown): ToldError
  /** For what goes to stdout, and for stderr. */
  readonly colors: Colors
  readonly errColors: Colors
  readonly columns: number
  readonly errColumns: number
  readonly progress: Progress
  readonly signal: AbortSignal
  /** The parts that read pictures; loaded when first needed, so that help is quick. */
  services(): Promise<Services>
}

export interface ToldError {
  readonly code: string
  readonly message: string
  readonly file: string | null
  readonly line: number | null
  readonly step: number | null
}

/** Exit codes, by verdict where there is one. An error never looks like a failed check. */
export const EXIT = { pass: 0, fail: 1, error: 2, inconclusive: 3, interrupted: 130 } as const
