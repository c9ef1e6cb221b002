import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { findModels, resolveModel } from '../../lib/model/find-models.js'
import { learnCommand } from '../../lib/model/learn-command.js'
import { writeModel } from '../../lib/model/write-model.js'
import { aModel } from '../helpers/a-model.js'
import { inputError } from '../helpers/input-errors.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'

const tempFolder = useTempFolder()

/** A folder with models: name -> task. */
async function models(tasks: { [name: string]: string | null }): Promise<string> {
  const folder = join(await tempFolder(), 'oracle')
  for (const [name, task] of Object.entries(tasks)) await writeModel(aModel({ name, task }), join(folder, name))
  return folder
}

describe('findModels', () => {
  test('gives the models in a folder, in the order people count in', async () => {
    const folder = await models({ 'm-10': null, 'm-9': null, constructor: null })
    await writeFiles(folder, { 'notes/x.txt': '', 'file.json': '', '.hidden/model.json': '', 'broken/model.json': '{' })
    expect((await findModels(folder)).map(({ name }) => name)).toEqual(['broken', 'constructor', 'm-9', 'm-10'])
    expect(await findModels(folder)).toContainEqual({ name: 'm-9', folder: join(folder, 'm-9') })
  })

  test('gives none where there is no such folder', async () => {
    expect(await findModels(join(await tempFolder(), 'none/here'))).toEqual([])
  })
})

describe('resolveModel', () => {
  test('takes what --model names: a path, a model.json, or a name', async () => {
    const oracle = await models({ search: 'Search', settings: 'Set' })
    for (const option of [join(oracle, 'search'), 'search', join(oracle, 'search', 'model.json')]) {
      expect(await resolveModel(option, oracle, 'Set')).toBe(join(oracle, 'search'))
    }
  })

  test('leaves a path that is something else to readModel, which says what', async () => {
    const oracle = await models({ search: 'Search' })
    await writeFiles(oracle, { '../run/trace.jsonl': '' })
    const run = join(oracle, '../run')
    expect(await resolveModel(run, oracle, null)).toBe(run)
    expect(await resolveModel('no/such', oracle, null)).toBe('no/such')
  })

  test('names what is near to a name that is not there', async () => {
    const oracle = await models({ search: 'Search', settings: 'Set' })
    const error = async (option: string, folder = oracle) => inputError(resolveModel(option, folder, null))
    expect(await error('serach')).toMatchObject({
      code: 'model-missing',
      place: { file: join(oracle, 'serach') },
      advice: 'Did you mean "search"?',
    })
    expect((await error('elsewhere')).advice).toBe('Name one of these: search, settings')
    expect((await error('a', `${oracle}-2`)).advice).toBe(
      `Learn it from passing runs: trace-oracle learn <traces> --name a --model-dir ${oracle}-2`,
    )
    expect((await error('a', 'no such')).advice).toBe(
      'Learn it from passing runs: trace-oracle learn <traces> --name a --model-dir "no such"',
    )
  })

  test('takes the only model, whatever its task', async () => {
    const oracle = await models({ search: 'Search' })
    expect(await resolveModel(undefined, oracle, 'Other')).toBe(join(oracle, 'search'))
    expect(await resolveModel(undefined, join(oracle, 'search'), null)).toBe(join(oracle, 'search'))
  })

  test("takes the one that has the run's task", async () => {
    const oracle = await models({ search: 'Search  for it\n', settings: 'Set', none: null })
    await writeFiles(oracle, { 'broken/model.json': '{' })
    expect(await resolveModel(undefined, oracle, ' Search for it')).toBe(join(oracle, 'search'))
  })

  test('lists them when it cannot choose', async () => {
    const oracle = await models({ a: 'Same', b: 'Same', c: null })
    const error = async (task: string | null) => inputError(resolveModel(undefined, oracle, task))
    const paths = (...names: string[]) =>
      `Say which with --model: ${names.map((name) => join(oracle, name)).join(', ')}`
    expect(await error('Same')).toMatchObject({
      code: 'model-ambiguous',
      what: "there are 2 models that have the run's task",
      advice: paths('a', 'b'),
    })
    expect(await error(null)).toMatchObject({
      what: 'there are 3 models and the run names no task',
      advice: paths('a', 'b', 'c'),
    })
    expect(await error('Other')).toMatchObject({ what: 'there are 3 models and none has the run\'s task "Other"' })
  })

  test('tells how to learn one when there is none', async () => {
    const folder = await tempFolder()
    expect(await inputError(resolveModel(undefined, folder, null))).toMatchObject({
      code: 'no-model',
      place: { file: folder },
      advice: `Learn one from passing runs first: trace-oracle learn <traces> --model-dir ${folder}`,
    })
    expect(learnCommand('oracle')).toBe('trace-oracle learn <traces>')
  })
})
