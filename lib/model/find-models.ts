import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { InputError } from '../input-error.js'
import { closestName } from '../trace/closest-name.js'
import { errorCode, fileError, isMissing } from '../trace/file-error.js'
import { compareNatural } from '../trace/natural-order.js'
import { quote } from '../trace/quote.js'
import { learnCommand } from './learn-command.js'
import { isFields, MODEL_FILE, parseJson } from './model-format.js'

export interface FoundModel {
  readonly name: string
  readonly folder: string
}

/** The models in a folder, in the order of their names; none when the folder does not exist. Does not look into them. */
export async function findModels(folder = 'oracle'): Promise<FoundModel[]> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw fileError(error, folder)
  }
  const models: FoundModel[] = []
  for (const name of names.filter((name) => !name.startsWith('.')).sort(compareNatural)) {
    if (await isModel(join(folder, name))) models.push({ name, folder: join(folder, name) })
  }
  return models
}

/**
 * The folder of the model that a command is to use: the one that `option` names by path or by its name in `modelDir`;
 * without it the only one in `modelDir`, or the only one whose task the run has.
 *
 * Throws InputError `model-missing`, `no-model` or `model-ambiguous`. Whether the model can be read is readModel's matter.
 */
export async function resolveModel(option: string | undefined, modelDir: string, task: string | null): Promise<string> {
  if (option !== undefined) return namedModel(option, modelDir)
  if (await isModel(modelDir)) return modelDir
  const models = await findModels(modelDir)
  if (models.length === 0) {
    const advice = `Learn one from passing runs first: ${learnCommand(modelDir)}`
    throw new InputError('no-model', 'there is no model here', { file: modelDir }, advice)
  }
  if (models.length === 1) return models[0]!.folder
  const tasks = await Promise.all(models.map(({ folder }) => taskOf(folder)))
  const wanted = task === null ? undefined : plain(task)
  const fitting = models.filter((_, i) => wanted !== undefined && tasks[i] === wanted)
  if (fitting.length === 1) return fitting[0]!.folder
  const [among, why] =
    fitting.length > 1
      ? [fitting, "that have the run's task"]
      : [models, task === null ? 'and the run names no task' : `and none has the run's task ${quote(task)}`]
  const names = among.map(({ folder }) => folder).join(', ')
  const advice = `Say which with --model: ${names}`
  throw new InputError('model-ambiguous', `there are ${among.length} models ${why}`, { file: modelDir }, advice)
}

async function namedModel(option: string, modelDir: string): Promise<string> {
  const path = basename(option) === MODEL_FILE ? join(option, '..') : option
  if (await isModel(path)) return path
  const inDir = join(modelDir, option)
  if (await isModel(inDir)) return inDir
  // A path that is there, or looks like one, is for readModel, which can say what is wrong with it.
  if (/[\\/]/.test(option) || (await exists(path))) return path
  const names = (await findModels(modelDir)).map(({ name }) => name)
  const near = closestName(option, names)
  const advice =
    near !== undefined
      ? `Did you mean ${quote(near)}?`
      : names.length > 0
        ? `Name one of these: ${names.join(', ')}`
        : `Learn it from passing runs: ${learnCommand(modelDir, option)}`
  throw new InputError('model-missing', 'there is no such model', { file: inDir }, advice)
}

/** Also one that was damaged: better to hear what is wrong with it than that it is not there. */
async function isModel(folder: string): Promise<boolean> {
  return exists(join(folder, MODEL_FILE))
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    if (errorCode(error) === 'EACCES') return true
    throw fileError(error, path)
  }
}

async function taskOf(folder: string): Promise<string | undefined> {
  try {
    const model = parseJson(await readFile(join(folder, MODEL_FILE)))
    return isFields(model) && typeof model.task === 'string' ? plain(model.task) : undefined
  } catch {
    return undefined
  }
}

/** Tasks are compared without regard to blanks, which formats and shells change. */
function plain(task: string): string {
  return task.trim().replace(/\s+/g, ' ')
}
