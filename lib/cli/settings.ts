import { dirname, resolve } from 'node:path'
import { describe } from '../trace/quote.js'
import type { ConfigFile } from './config-file.js'
import { type Env, isOn } from './io.js'
import { flagOf, type Option, type Options, type Settings, variableOf } from './option.js'
import { didYouMean, usageError } from './usage-error.js'

export interface Sources {
  /** Option name -> value as it was written. */
  readonly flags: ReadonlyMap<string, boolean | string | readonly string[]>
  readonly env: Env
  readonly config: ConfigFile | undefined
  /** Names that a config file may have, although this command has no use for them. */
  readonly others: readonly string[]
}

/**
 * The value of every option: flags come before the environment, that before the config file, that before defaults.
 * Throws InputError `usage` that says where a bad value came from.
 */
export function resolveSettings<O extends Options>(options: O, { flags, env, config, others }: Sources): Settings<O> {
  if (config) refuseUnknownKeys(config, [...Object.keys(options), ...others])
  const settings: { [name: string]: unknown } = {}
  for (const [name, option] of Object.entries(options)) {
    const flag = flags.get(name)
    const variable = env[variableOf(name)]
    const configured = config && Object.hasOwn(config.values, name) ? config.values[name] : undefined
    if (flag !== undefined) settings[name] = fromText(option, flag, flagOf(name))
    else if (variable !== undefined && variable !== '' && !option.flagOnly) {
      settings[name] = option.type === 'boolean' ? isOn(variable) : fromText(option, variable, variableOf(name))
    } else if (configured !== undefined && configured !== null) {
      settings[name] = fromConfig(option, configured, `${name} in ${config!.file}`, dirname(config!.file))
    } else
      settings[name] = option.default ?? (option.type === 'boolean' ? false : option.type === 'list' ? [] : undefined)
  }
  return settings as Settings<O>
}

/** Variables that look as if they were meant for us, but are none: one sentence each. */
export function strayVariables(env: Env, names: readonly string[]): string[] {
  const known = names.map(variableOf)
  return Object.keys(env)
    .filter((name) => name.startsWith('TRACE_ORACLE_') && !known.includes(name))
    .sort()
    .map((name) => `${name} is no setting. ${didYouMean(name, known, 'It is ignored')}`)
}

function refuseUnknownKeys({ file, values }: ConfigFile, names: readonly string[]): void {
  for (const key of Object.keys(values)) {
    if (names.includes(key) || key === '$schema') continue
    throw usageError(`${file} has an unknown setting: ${key}`, didYouMean(key, names, `Known are ${names.join(', ')}`))
  }
}

function fromText(option: Option, value: boolean | string | readonly string[], origin: string): unknown {
  if (typeof value === 'boolean') return value
  if (option.type === 'list') {
    const items = typeof value === 'string' ? [value] : value
    const parts = option.commas || typeof value === 'string' ? items.flatMap((item) => item.split(',')) : items
    return parts.map((part) => oneText(option, part.trim(), origin))
  }
  const text = typeof value === 'string' ? value : value.at(-1)!
  return option.type === 'number'
    ? oneNumber(option, Number(text.trim() || Number.NaN), origin, text)
    : oneText(option, text, origin)
}

function fromConfig(option: Option, value: unknown, origin: string, folder: string): unknown {
  const at = (text: string) => (option.path ? resolve(folder, text) : text)
  switch (option.type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw bad(origin, describe(value), 'true or false')
      return value
    case 'number':
      if (typeof value !== 'number') throw bad(origin, describe(value), rangeOf(option))
      return oneNumber(option, value, origin, String(value))
    case 'list': {
      const items = typeof value === 'string' ? [value] : value
      if (!Array.isArray(items)) throw bad(origin, describe(value), 'a list of strings')
      return items.map((item) => at(configText(option, item, origin)))
    }
    default:
      return at(configText(option, value, origin))
  }
}

function configText(option: Option, value: unknown, origin: string): string {
  if (typeof value !== 'string') throw bad(origin, describe(value), 'a string')
  return oneText(option, value, origin)
}

function oneText({ choices }: Option, value: string, origin: string): string {
  if (value === '') throw bad(origin, 'empty', 'a value')
  if (choices && !choices.includes(value)) {
    throw usageError(`${origin} is "${value}"`, didYouMean(value, choices, `It must be one of ${choices.join(', ')}`))
  }
  return value
}

function oneNumber(option: Option, value: number, origin: string, text: string): number {
  const {
    least = Number.NEGATIVE_INFINITY,
    above = Number.NEGATIVE_INFINITY,
    most = Number.POSITIVE_INFINITY,
    whole,
  } = option
  if (Number.isFinite(value) && value >= least && value > above && value <= most && (!whole || Number.isInteger(value)))
    return value
  throw bad(origin, `"${text}"`, rangeOf(option))
}

function rangeOf({ least, above, most, whole }: Option): string {
  const what = whole ? 'a whole number' : 'a number'
  if (above !== undefined && most !== undefined) return `${what} above ${above} and at most ${most}`
  if (least !== undefined && most !== undefined) return `${what} from ${least} to ${most}`
  return least === undefined ? what : `${what} from ${least} up`
}

function bad(origin: string, is: string, must: string): Error {
  return usageError(`${origin} is ${is}`, `It must be ${must}`)
}
