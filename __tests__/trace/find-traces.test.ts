import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { findTraces, nameTraces } from '../../lib/trace/find-traces.js'
import { inputError } from '../helpers/input-errors.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'

const tempFolder = useTempFolder()

const TRACE = '{"type":"trace","version":1}\n{"type":"step","text":"x"}\n'

/** A folder with these files; those named `*.jsonl` hold a trace. */
async function tree(...files: string[]): Promise<string> {
  const folder = await tempFolder()
  await writeFiles(folder, Object.fromEntries(files.map((file) => [file, file.endsWith('.jsonl') ? TRACE : 'x'])))
  return folder
}

/** Finds in a folder by paths relative to it, and gives relative paths back. */
async function find(folder: string, ...paths: string[]): Promise<string[]> {
  return (await findTraces(paths.map((path) => join(folder, path)))).map((path) => relative(folder, path))
}

const RUNS = ['2', '10', '1'].flatMap((n) => [`runs/run-${n}/trace.jsonl`, `runs/run-${n}/screenshots/0.png`])

describe('findTraces', () => {
  test.each<[string, string[], string[], string[]]>([
    ['a run', RUNS, ['runs/run-1'], ['runs/run-1']],
    ['its file', RUNS, ['runs/run-1/trace.jsonl'], ['runs/run-1']],
    ['a run twice', RUNS, ['runs/run-1', 'runs/run-1/trace.jsonl', 'runs/../runs/run-1/'], ['runs/run-1']],
    ['a folder of runs, in natural order', RUNS, ['runs'], ['runs/run-1', 'runs/run-2', 'runs/run-10']],
    ['the order of paths does not matter', RUNS, ['runs/run-10', 'runs/run-2'], ['runs/run-2', 'runs/run-10']],
    ['any depth', ['a/b/c/d/trace.jsonl', 'a/e/one.jsonl'], ['.'], ['a/b/c/d', 'a/e/one.jsonl']],
    ['not inside a trace', ['a/trace.jsonl', 'a/b/trace.jsonl'], ['.'], ['a']],
    ['not in hidden folders', ['a/trace.jsonl', '.b/trace.jsonl', 'node_modules/c/trace.jsonl'], ['.'], ['a']],
    ['a hidden folder that is named', ['.b/trace.jsonl'], ['.b'], ['.b']],
    ['pictures, named', ['shots/1.png'], ['shots'], ['shots']],
    ['pictures, in a named folder', ['runs/a/1.png', 'runs/b/1.png'], ['runs'], ['runs/a', 'runs/b']],
    ['pictures deeper down are not looked for', ['runs/a/1.png', 'runs/b/c/1.png'], ['runs'], ['runs/a']],
    ['pictures of a run, named', RUNS, ['runs/run-1/screenshots'], ['runs/run-1/screenshots']],
    ['pictures above pictures', ['a/1.png', 'a/thumbs/1.png'], ['a'], ['a']],
    ['a chart beside runs', [...RUNS, 'runs/chart.png'], ['runs'], ['runs/run-1', 'runs/run-2', 'runs/run-10']],
    ['a glob', RUNS, ['runs/run-1*'], ['runs/run-1', 'runs/run-10']],
    ['a glob of files', RUNS, ['runs/*/trace.jsonl'], ['runs/run-1', 'runs/run-2', 'runs/run-10']],
    ['a glob of everything', RUNS, ['runs/**'], ['runs/run-1', 'runs/run-2', 'runs/run-10']],
    ['a glob that matches inside runs', RUNS, ['runs/*/*'], ['runs/run-1', 'runs/run-2', 'runs/run-10']],
    ['a glob of braces', RUNS, ['runs/run-{1,2}'], ['runs/run-1', 'runs/run-2']],
    [
      'a glob of pictures',
      RUNS,
      ['runs/*/screenshots'],
      ['runs/run-1', 'runs/run-2', 'runs/run-10'].map((r) => `${r}/screenshots`),
    ],
    ['a glob of folders of runs', RUNS, ['r*'], ['runs/run-1', 'runs/run-2', 'runs/run-10']],
    ['a glob beside other files', [...RUNS, 'runs/notes.txt'], ['runs/*'], ['runs/run-1', 'runs/run-2', 'runs/run-10']],
    ['brackets that exist', ['run[1]/trace.jsonl', 'run1/trace.jsonl'], ['run[1]'], ['run[1]']],
    ['brackets as a glob', ['run1/trace.jsonl', 'run2/trace.jsonl'], ['run[1]'], ['run1']],
    ['a star that exists', ['a*/trace.jsonl', 'ab/trace.jsonl'], ['a*'], ['a*']],
    ['spaces and signs', ["it's a run 🙂/trace.jsonl"], ['.'], ["it's a run 🙂"]],
    ['labels named by the shell', [...RUNS, 'runs/labels.json'], ['runs/run-1', 'runs/labels.json'], ['runs/run-1']],
  ])('%s', async (_, files, paths, expected) => {
    expect(await find(await tree(...files), ...paths)).toEqual(expected)
  })

  test('gives no traces for no paths', async () => {
    expect(await findTraces([])).toEqual([])
  })

  test('order and choice do not depend on the order of the paths', async () => {
    const folder = await tree(...RUNS, 'other/trace.jsonl')
    await symlink('run-2', join(folder, 'runs/latest'))
    const paths = ['runs', 'runs/run-1', 'runs/run-10/trace.jsonl', 'other', 'runs/latest'].map((path) =>
      join(folder, path),
    )
    const expected = await findTraces(paths)
    expect(expected).toHaveLength(4)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(paths, { minLength: paths.length }), async (shuffled) => {
        expect(await findTraces(shuffled)).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })

  test('does not follow links, but takes one that is named', async () => {
    const outside = await tree('a/trace.jsonl')
    const folder = await tree(...RUNS, 'links/notes.txt')
    await symlink(outside, join(folder, 'runs/outside'))
    await symlink('.', join(folder, 'runs/loop'))
    await symlink(outside, join(folder, 'links/outside'))
    expect(await find(folder, 'runs')).toEqual(['runs/run-1', 'runs/run-2', 'runs/run-10'])
    expect(await find(folder, 'runs/**')).toEqual(['runs/run-1', 'runs/run-2', 'runs/run-10'])
    expect(await find(folder, 'runs/outside')).toEqual(['runs/outside/a'])
    const error = await inputError(find(folder, 'links'))
    expect(error.code).toBe('no-traces')
    expect(error.advice).toContain('1 link to a folder, not followed')
  })

  test.each<[string, string[], string, string, RegExp]>([
    ['a path that does not exist', RUNS, 'elsewhere', 'path-missing', /Check the spelling/],
    ['a slip of the pen', RUNS, 'runs/rnu-1', 'path-missing', /Did you mean ".*runs\/run-1"/],
    ['a slip on the way', RUNS, 'rusn/run-1', 'path-missing', /Did you mean ".*runs\/run-1"/],
    ['a folder without traces', ['a/notes.txt'], 'a', 'no-traces', /Looked for .*trace\.jsonl.*pictures/],
    ['a file that is no trace', ['notes.txt'], 'notes.txt', 'unknown-format', /Looked for/],
    ['a single picture', ['1.png'], '1.png', 'unknown-format', /a folder of pictures/],
    ['labels alone', ['labels.json'], 'labels.json', 'unknown-format', /Looked for/],
    ['a glob without a match', RUNS, 'runs/x*', 'no-match', /Check the pattern/],
    ['a glob without a trace', ['a/1.txt', 'a/2.txt'], 'a/*.txt', 'no-traces', /Looked for/],
  ])('%s', async (_, files, path, code, advice) => {
    const error = await inputError(find(await tree(...files), path))
    expect(error.code).toBe(code)
    expect(error.advice).toMatch(advice)
  })

  const unlessRoot = process.getuid?.() === 0 ? test.skip : test
  unlessRoot('a folder that may not be read', async () => {
    const folder = await tree(...RUNS)
    await mkdir(join(folder, 'runs/secret'))
    await chmod(join(folder, 'runs/secret'), 0)
    expect((await inputError(find(folder, 'runs'))).code).toBe('path-unreadable')
  })
})

describe('nameTraces', () => {
  test.each([
    [
      ['a/run-01', 'a/run-02'],
      ['run-01', 'run-02'],
    ],
    [
      ['c/train/run-01', 'c/test/run-01', 'c/test/run-02'],
      ['train/run-01', 'test/run-01', 'run-02'],
    ],
    [
      ['x/b/c', 'y/b/c', 'z/c'],
      ['x/b/c', 'y/b/c', 'z/c'],
    ],
    [
      ['a/run-01/trace.jsonl', 'a/one.jsonl', 'a/v1.2'],
      ['run-01', 'one', 'v1.2'],
    ],
    [
      ['/a', '/b/a'],
      ['a', 'b/a'],
    ],
    [
      ['/a/b', '/a/b/'],
      ['a/b', 'a/b (2)'],
    ],
  ])('%j', (paths, names) => {
    expect(nameTraces(paths)).toEqual(names)
  })

  test('names are unique, and as short as can be', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'a (2)', 'constructor', '__proto__'), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
        const names = nameTraces(paths.map((parts) => `/${parts.join('/')}`))
        expect(new Set(names).size).toBe(paths.length)
      }),
    )
  })
})
