import { createRequire } from 'node:module'
import { InputError } from '../input-error.js'
import { jsonText } from '../report/json-text.js'
import { printable } from '../report/printable.js'
import { checkCommand } from './check-command.js'
import { type Command, type Context, EXIT, type ToldError } from './command.js'
import { loadConfigFile } from './config-file.js'
import { evalCommand } from './eval-command.js'
import { Interrupted, withInterrupts } from './interrupted.js'
import { columnsOf, type Io, isOn, makeColors, Output } from './io.js'
import { learnCommand } from './learn-command.js'
import { COMMON_OPTIONS, variableOf } from './option.js'
import { parseArguments } from './parse-arguments.js'
import { Progress } from './progress.js'
import { loadServices, type Services } from './services.js'
import { resolveSettings, strayVariables } from './settings.js'
import { showCommand } from './show-command.js'

const COMMANDS: readonly Command[] = [learnCommand, checkCommand, showCommand, evalCommand]

/** The command line: does what `argv` (without program and script) asks for and gives the exit code. Never throws. */
export async function main(argv: readonly string[], io: Io = process): Promise<number> {
  const out = new Output(io.stdout)
  const err = new Output(io.stderr)
  const errColors = makeColors(io.stderr, io.env)
  const watched = io.stderr.isTTY === true && !isOn(io.env.CI) && io.env.TERM !== 'dumb'
  const progress = new Progress(watched ? err.write : null)
  const tell = (text: string) => {
    progress.clear()
    err.write(text)
  }
  // Before the settings are known, and also when they cannot be: their own faults are told by these two.
  let wantsStack = argv.includes('--debug') || isOn(io.env[variableOf('debug')])
  let wantsJson = beforeOperands(argv).includes('--json') || isOn(io.env[variableOf('json')])

  const tellError = (error: unknown): ToldError => {
    if (!(error instanceof InputError) && wantsStack)
      tell(`${error instanceof Error ? (error.stack ?? error) : error}\n`)
    return toldError(error)
  }
  const onInterrupt = () => tell('Stopping; press Ctrl-C again to kill.\n')

  return withInterrupts(io, onInterrupt, async (signal) => {
    try {
      const parsed = await parseArguments(argv, {
        version: version(),
        commands: COMMANDS,
        columns: columnsOf(io.stdout),
      })
      if ('text' in parsed) {
        ;(parsed.isAnswer ? out : err).write(`${parsed.text}\n`)
        return parsed.isAnswer ? EXIT.pass : EXIT.error
      }
      const { command, operands, flags } = parsed
      const { env } = io
      const named = flags.get('config') ?? (env[variableOf('config')] || undefined)
      const config = await loadConfigFile(named as string | undefined, process.cwd())
      const options = { ...command.options, ...COMMON_OPTIONS }
      const settings = resolveSettings(options, { flags, env, config, others: settingNames() })
      wantsJson = settings.json
      wantsStack = settings.debug

      let services: Promise<Services> | undefined
      const context: Context = {
        env,
        out(text) {
          progress.clear()
          out.write(text)
        },
        err: tell,
        warn: (sentence) => tell(`${errColors.yellow('Warning:')} ${printable(sentence, 4000)}\n`),
        tellError,
        colors: makeColors(io.stdout, env),
        errColors,
        columns: columnsOf(io.stdout),
        errColumns: columnsOf(io.stderr),
        progress,
        signal,
        services: () => (services ??= loadServices(env, context.warn)),
      }
      for (const sentence of strayVariables(env, settingNames())) context.warn(sentence)
      const code = await command.run(context, operands, settings)
      return signal.aborted ? EXIT.interrupted : code
    } catch (error) {
      const interrupted = signal.aborted || error instanceof Interrupted
      const told = interrupted ? INTERRUPTED : tellError(error)
      if (!interrupted) tell(`${errColors.red('Error:')} ${printable(told.message, 8000)}\n`)
      if (wantsJson) out.write(`${jsonText({ schema: 'trace-oracle/error@1', error: told })}\n`)
      return interrupted ? EXIT.interrupted : EXIT.error
    } finally {
      progress.clear()
    }
  })
}

const INTERRUPTED: ToldError = { code: 'interrupted', message: 'Interrupted', file: null, line: null, step: null }

function toldError(error: unknown): ToldError {
  if (error instanceof InputError) {
    const { code, message, place } = error
    return { code, message, file: place?.file ?? null, line: place?.line ?? null, step: place?.step ?? null }
  }
  const what = error instanceof Error ? error.message : String(error)
  const message = `Internal error: ${what}. Please report it; --debug shows where it happened`
  return { code: 'internal', message, file: null, line: null, step: null }
}

function settingNames(): string[] {
  return [...new Set([...COMMANDS.flatMap(({ options }) => Object.keys(options)), ...Object.keys(COMMON_OPTIONS)])]
}

function beforeOperands(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}

function version(): string {
  return (createRequire(import.meta.url)('trace-oracle/package.json') as { version: string }).version
}
