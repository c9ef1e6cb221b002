import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readTrace } from '../../lib/trace/read-trace.js'
import { inputError } from '../helpers/input-errors.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'

const tempFolder = useTempFolder()

test('a bare folder of pictures is a trace without actions, in natural order', async () => {
  const folder = await tempFolder()
  const names = ['10.png', '2.PNG', '1.jpg', 'b 3.webp', '.hidden.png', 'notes.txt']
  await writeFiles(folder, Object.fromEntries(names.map((name) => [name, 'picture'])))
  expect(await readTrace(folder)).toStrictEqual({
    name: basename(folder),
    folder,
    format: 'images',
    steps: ['1.jpg', '2.PNG', '10.png', 'b 3.webp'].map((screenshot, index) => ({
      index,
      action: null,
      observation: { screenshot },
      extra: {},
    })),
    outcome: null,
    warnings: [],
    extra: {},
  })
})

test('pictures of kinds that are not read are told', async () => {
  const folder = await tempFolder()
  await writeFiles(folder, { '1.png': 'x', '2.bmp': 'x', '3.heic': 'x' })
  expect((await readTrace(folder)).warnings).toEqual([
    'passed over 2 pictures of a kind that is not read (.bmp, .heic): convert to png',
  ])
})

test('an empty picture is an InputError', async () => {
  const folder = await tempFolder()
  await writeFile(join(folder, '1.png'), '')
  expect(await inputError(readTrace(folder))).toMatchObject({
    code: 'screenshot-empty',
    place: { file: join(folder, '1.png') },
  })
})

test('a folder or file that is no trace says what was looked for', async () => {
  const folder = await tempFolder()
  await writeFiles(folder, { 'notes.txt': 'x' })
  for (const path of [folder, join(folder, 'notes.txt')]) {
    const error = await inputError(readTrace(path))
    expect(error.code).toBe('unknown-format')
    expect(error.advice).toMatch(/trace\.jsonl.*pictures/)
  }
})

test('a path that does not exist', async () => {
  expect((await inputError(readTrace(join(await tempFolder(), 'gone')))).code).toBe('path-missing')
  expect((await inputError(readTrace('a\u0000b'))).code).toBe('path-missing')
})
