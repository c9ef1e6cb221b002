import yargs, { type Options as YargsOption } from 'yargs'
import type { Command } from './command.js'
import { COMMON_OPTIONS, flagOf, kebab, type Option, type Options } from './option.js'
import { didYouMean, usageError } from './usage-error.js'

/** What a command line asks for: a text to print (help, version), or a command with what was given to it. */
export type Arguments =
  | {
      readonly text: string
      /** Whether it was asked for, or is the answer to a command line that says nothing. */
      readonly isAnswer: boolean
    }
  | {
      readonly command: Command
      readonly operands: readonly string[]
      /** Option name -> its value as it was written; of several, the last. */
      readonly flags: ReadonlyMap<string, boolean | string | readonly string[]>
    }

export interface Program {
  readonly version: string
  readonly commands: readonly Command[]
  /** Width of help texts. */
  readonly columns: number
}

/** Throws InputError `usage` for what cannot be followed, with the nearest name where one is near. */
export async function parseArguments(argv: readonly string[], program: Program): Promise<Arguments> {
  const { commands } = program
  const asked = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  refuseUnknownFlags(asked, commands)
  let text = ''
  const parsed = await makeParser(program).parseAsync([...asked], {}, (_error, _argv, output) => {
    text = output
  })
  const [name, ...operands] = parsed._.map(String)
  const command = commands.find((known) => known.name === name)
  if (name !== undefined && !command) {
    const names = commands.map((known) => known.name)
    throw usageError(`Unknown command: ${name}`, didYouMean(name, names, `Commands are ${names.join(', ')}`))
  }
  if (text !== '') return { text, isAnswer: true }
  if (!command) return { text: await makeParser(program).getHelp(), isAnswer: false }
  return { command, operands, flags: readFlags(parsed, command) }
}

function makeParser({ version, commands, columns }: Program) {
  const parser = yargs([])
    .scriptName('trace-oracle')
    .usage('Did the agent really do the job? Learns what a correct run must show, and judges new runs.\n')
    .usage('$0 <command> [options]')
    .options(yargsOptions(COMMON_OPTIONS))
    .help()
    .alias('help', 'h')
    .version(version)
    .alias('version', 'V')
    .epilogue(EPILOGUE)
    .wrap(Math.min(columns, 100))
    .detectLocale(false)
    .exitProcess(false)
    .fail(false)
    .parserConfiguration({
      'boolean-negation': true,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
  for (const { name, usage, describe, options, examples } of commands) {
    parser.command(name, describe, (command) => {
      command.usage(`$0 ${name} ${usage}\n\n${describe}`).options(yargsOptions(options)).epilogue('')
      for (const [line, meaning] of examples) command.example(`$0 ${line}`, meaning)
      return command
    })
  }
  return parser
}

const EPILOGUE = `Every option can also be set in the environment (TRACE_ORACLE_MODEL_DIR) or in
trace-oracle.config.js or .json (modelDir); flags come first, then the environment.

Exit codes: 0 all pass, 1 at least one fail, 2 usage, unreadable input or internal
error, 3 no fail but at least one inconclusive, 130 interrupted.`

function yargsOptions(options: Options): { [flag: string]: YargsOption } {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [kebab(name), yargsOption(option)]))
}

/** No defaults and no conversions here: a flag has to be told from a default, and messages say where a value came from. */
function yargsOption({ type, describe, choices, default: value }: Option): YargsOption {
  const shown =
    value === undefined || value === true ? undefined : Array.isArray(value) ? value.join(',') : String(value)
  return {
    describe: choices ? `${describe} (${choices.join(', ')})` : describe,
    defaultDescription: shown,
    ...(type === 'boolean' ? { boolean: true } : type === 'list' ? { array: true, string: true } : { string: true }),
  }
}

/**
 * Before the parser sees them: it would take any flag, and stumbles over some names. What one command knows another may
 * not; that is checked once the command is known.
 */
function refuseUnknownFlags(argv: readonly string[], commands: readonly Command[]): void {
  const end = argv.indexOf('--')
  const named = commands.find(({ name }) => argv.includes(name))
  const everywhere = new Set(commands.flatMap(flagsOf))
  for (const argument of end === -1 ? argv : argv.slice(0, end)) {
    if (!argument.startsWith('-') || argument === '-' || /^-[0-9.]/.test(argument)) continue
    const flag = argument.split('=', 1)[0]!
    if (!everywhere.has(flag)) throw unknownFlag(flag, named ? flagsOf(named) : [...everywhere], named)
  }
}

function unknownFlag(flag: string, candidates: readonly string[], command: Command | undefined): Error {
  const help = `trace-oracle ${command ? `${command.name} ` : ''}--help`
  // What follows the dashes has to be near: `--` alone is two letters that all flags share.
  const names = candidates.filter((candidate) => candidate.startsWith('--')).map((candidate) => candidate.slice(2))
  const near = didYouMean(flag.replace(/^-+/, ''), names, `Run ${help} for what there is`)
  return usageError(`Unknown option: ${flag}`, near.replace(/^(Did you mean )(?=.+\?$)/, '$1--'))
}

/** Every way to write an option of the command. */
function flagsOf({ options }: Command): string[] {
  const flags = Object.entries({ ...options, ...COMMON_OPTIONS }).flatMap(([name, { type }]) =>
    type === 'boolean' ? [flagOf(name), flagOf(name).replace('--', '--no-')] : [flagOf(name)],
  )
  return [...flags, '--help', '-h', '--version', '-V']
}

function readFlags(
  parsed: { readonly [flag: string]: unknown },
  command: Command,
): Map<string, boolean | string | readonly string[]> {
  const known = new Map<string, readonly [string, Option]>()
  for (const [name, option] of Object.entries({ ...command.options, ...COMMON_OPTIONS }))
    known.set(kebab(name), [name, option])
  const flags = new Map<string, boolean | string | readonly string[]>()
  for (const [flag, value] of Object.entries(parsed)) {
    if (['_', '$0', 'help', 'h', 'version', 'V'].includes(flag) || value === undefined) continue
    const entry = known.get(flag)
    if (!entry) throw unknownFlag(`--${flag}`, flagsOf(command), command)
    const [name, { type }] = entry
    if (type === 'boolean') flags.set(name, Array.isArray(value) ? value.at(-1) === true : value === true)
    else {
      const values = (Array.isArray(value) ? value : [value]).map(String)
      if (values.length === 0 || values.includes('')) throw usageError(`--${flag} has no value`, `Write --${flag}=…`)
      flags.set(name, type === 'list' ? values : values.at(-1)!)
    }
  }
  return flags
}
