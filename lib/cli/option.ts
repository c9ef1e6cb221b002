/** What can be set about a command: as a flag, in the environment, or in the config file. */
export interface Option {
  readonly type: 'boolean' | 'string' | 'number' | 'list'
  readonly describe: string
  readonly choices?: readonly string[]
  readonly default?: string | number | boolean | readonly string[]
  /** For numbers. */
  readonly least?: number
  /** As `least`, but itself too little. */
  readonly above?: number
  readonly most?: number
  readonly whole?: boolean
  /** A list whose items may also be joined by commas. */
  readonly commas?: boolean
  /** A path: in a config file it is relative to that file. */
  readonly path?: boolean
  /** Only a flag: it makes no sense for every run of a command. */
  readonly flagOnly?: boolean
}

/** By name in camelCase, as in the config file. The flag is `--model-dir`, the variable `TRACE_ORACLE_MODEL_DIR`. */
export type Options = { readonly [name: string]: Option }

/** The values that options of these kinds have in the end. */
export type Settings<O extends Options = Options> = { readonly [name in keyof O]: SettingOf<O[name]> }

type SettingOf<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O['type'] extends 'list'
    ? readonly string[]
    : (O['type'] extends 'number' ? number : string) | (O extends { default: string | number } ? never : undefined)

export function flagOf(name: string): string {
  return `--${kebab(name)}`
}

export function variableOf(name: string): string {
  return `TRACE_ORACLE_${kebab(name).replaceAll('-', '_').toUpperCase()}`
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Options that every command has. */
export const COMMON_OPTIONS = {
  json: { type: 'boolean', describe: 'Print one JSON object on stdout, for programs' },
  config: {
    type: 'string',
    describe: 'Config file [default: the nearest trace-oracle.config.{js,mjs,cjs,json}]',
  },
  debug: { type: 'boolean', describe: 'Show the stack of internal errors' },
} as const satisfies Options

/** Where models and fingerprints are kept. */
export const MODEL_DIR_OPTION = {
  modelDir: { type: 'string', path: true, default: 'oracle', describe: 'Folder that holds the models' },
} as const satisfies Options

export const CACHE_OPTIONS = {
  cacheDir: {
    type: 'string',
    path: true,
    describe: 'Where fingerprints of pictures are kept between runs',
  },
  cache: {
    type: 'boolean',
    default: true,
    describe: 'Keep fingerprints of pictures between runs (--no-cache: do not)',
  },
} as const satisfies Options
