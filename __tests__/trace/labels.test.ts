import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { labelFor, readLabels } from '../../lib/trace/labels.js'
import { inputError } from '../helpers/input-errors.js'
import { useTempFolder } from '../helpers/temp-folder.js'

const tempFolder = useTempFolder()

async function labelsFile(content: unknown): Promise<string> {
  const file = join(await tempFolder(), 'labels.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const pass = { outcome: 'pass' }

describe('readLabels', () => {
  test('reads the known fields and keeps the others', async () => {
    const file = await labelsFile({
      task: 'T',
      essential_states: ['a', 'b'],
      scenario: 'A',
      runs: {
        './test\\run-07/': {
          outcome: 'fail',
          cause: 'product-bug',
          bug: 'x',
          claimed: 'pass',
          states: ['a'],
          steps: 17,
        },
        'test/run-08': pass,
      },
    })
    const labels = await readLabels(file)
    expect(labels).toMatchObject({ task: 'T', essentialStates: ['a', 'b'], extra: { scenario: 'A' } })
    expect([...labels.runs]).toEqual([
      ['test/run-07', { outcome: 'fail', cause: 'product-bug', bug: 'x', claimed: 'pass', states: ['a'], steps: 17 }],
      ['test/run-08', { outcome: 'pass', cause: null, bug: null, claimed: null }],
    ])
    expect(await readLabels(join(file, '..'))).toEqual(labels)
  })

  test.each<[unknown, string, RegExp]>([
    ['{', 'labels-not-json', /not valid JSON/],
    ['[]', 'labels-bad-field', /the file is a list/],
    [{}, 'labels-bad-field', /runs is missing, but must be an object/],
    [{ runs: {}, task: 5 }, 'labels-bad-field', /task is the number 5/],
    [{ runs: {}, essential_states: 'a' }, 'labels-bad-field', /essential_states is the string "a"/],
    [{ runs: { a: 5 } }, 'labels-bad-field', /runs\["a"\] is the number 5/],
    [{ runs: { a: {} } }, 'labels-bad-field', /runs\["a"\]\.outcome is missing, but must be "pass" or "fail"/],
    [{ runs: { a: { outcome: 'passed' } } }, 'labels-bad-field', /runs\["a"\]\.outcome is the string "passed"/],
    [{ runs: { a: { ...pass, cause: 'bug' } } }, 'labels-bad-field', /runs\["a"\]\.cause .* one of product-bug/],
    [{ runs: { a: { ...pass, bug: 5 } } }, 'labels-bad-field', /runs\["a"\]\.bug/],
    [{ runs: { a: { ...pass, claimed: true } } }, 'labels-bad-field', /runs\["a"\]\.claimed is the boolean true/],
    [{ runs: { a: { ...pass, states: ['a', 5] } } }, 'labels-bad-field', /runs\["a"\]\.states\[1\]/],
    [{ runs: { a: pass, './a': pass } }, 'labels-bad-field', /twice/],
  ])('%j', async (content, code, what) => {
    const file = await labelsFile(content)
    const error = await inputError(readLabels(file))
    expect(error).toMatchObject({ code, place: { file } })
    expect(error.what).toMatch(what)
  })

  test('a file that does not exist', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'labels.json'), '{}')
    const error = await inputError(readLabels(join(folder, 'label.json')))
    expect(error.code).toBe('path-missing')
    expect(error.advice).toMatch(/labels\.json/)
  })
})

describe('labelFor', () => {
  const find = async (runs: string[], run: string) => {
    const content = { runs: Object.fromEntries(runs.map((key) => [key, { ...pass, key }])) }
    const file = await labelsFile(content)
    return labelFor(await readLabels(file), file, run.startsWith('/') ? run : join(file, '..', run))?.key
  }

  test.each<[string[], string, string | undefined]>([
    [['test/run-07', 'train/run-07'], 'test/run-07', 'test/run-07'],
    [['test/run-07'], 'test/run-07/trace.jsonl', 'test/run-07'],
    [['test/run-07'], 'test/run-07/', 'test/run-07'],
    [['test/run-07'], 'train/run-07', undefined],
    [['test/run-07', 'train/run-07', 'run-07'], '/elsewhere/train/run-07', 'train/run-07'],
    [['test/run-07', 'train/run-07'], '/elsewhere/run-07', undefined],
    [['test/run-07', 'test/run-08'], '/elsewhere/run-07', 'test/run-07'],
    [['test/run-07'], '/elsewhere/prerun-07', undefined],
    [['constructor'], '__proto__', undefined],
  ])('%j, %s: %s', async (runs, run, expected) => {
    expect(await find(runs, run)).toBe(expected)
  })
})
