import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InputError } from '../input-error.js'
import { errorCode } from '../trace/file-error.js'
import { missingPath } from '../trace/source.js'

export interface ConfigFile {
  readonly file: string
  /** Setting name -> value, as the file has them. */
  readonly values: { readonly [name: string]: unknown }
}

const BASE = 'trace-oracle.config'
const READ = ['.js', '.mjs', '.cjs', '.json']
const NOT_YET = ['.ts', '.mts', '.cts', '.yaml', '.yml']

/**
 * The config file that was named, or the nearest one: in `from` or a folder above it, up to the project's root (the
 * first folder with a package.json or a .git). undefined when there is none.
 *
 * Throws InputError `path-missing`, `config-unreadable`, `config-ambiguous` or `config-not-read`.
 */
export async function loadConfigFile(named: string | undefined, from: string): Promise<ConfigFile | undefined> {
  const file = named === undefined ? await findConfigFile(from) : resolve(named)
  if (file === undefined) return undefined
  if (!READ.includes(extname(file))) throw notRead(file)
  const values = extname(file) === '.json' ? await readJson(file) : await importDefault(file)
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new InputError('config-unreadable', 'is not an object of settings', { file }, 'Export an object')
  }
  return { file, values: values as ConfigFile['values'] }
}

async function findConfigFile(from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const entries = await readdir(folder).catch(() => [] as string[])
    const found = entries.filter((entry) => READ.some((extension) => entry === BASE + extension)).sort()
    if (found.length > 1) {
      const what = `there are ${found.length} config files: ${found.join(', ')}`
      throw new InputError('config-ambiguous', what, { file: folder }, 'Keep one, or name one with --config')
    }
    if (found.length === 1) return join(folder, found[0]!)
    const ignored = entries.find((entry) => NOT_YET.some((extension) => entry === BASE + extension))
    if (ignored !== undefined) throw notRead(join(folder, ignored))
    if (entries.includes('package.json') || entries.includes('.git') || dirname(folder) === folder) return undefined
  }
}

function notRead(file: string): InputError {
  const what = 'config files of this kind are not read yet'
  return new InputError('config-not-read', what, { file }, `Write it as ${BASE}.json or ${BASE}.js`)
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(async (error: unknown) => {
    if (errorCode(error) === 'ENOENT') throw await missingPath(file)
    throw unreadable(file, `cannot be read (${errorCode(error) ?? error})`, 'Check the rights to the file', error)
  })
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw unreadable(file, 'is not valid JSON', 'Correct the file', error)
  }
}

async function importDefault(file: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    return module.default
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND' && !(await readFile(file).catch(() => null)))
      throw await missingPath(file)
    const first = String(error instanceof Error ? error.message : error).split('\n', 1)[0]!
    throw unreadable(file, `cannot be loaded (${first})`, 'Correct the file', error)
  }
}

function unreadable(file: string, what: string, advice: string, cause: unknown): InputError {
  return new InputError('config-unreadable', what, { file }, advice, { cause })
}
