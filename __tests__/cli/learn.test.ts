import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { drawTrace } from '../helpers/draw-trace.js'
import { runCli } from '../helpers/run-cli.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'
import { drawRecordings } from './recordings.js'

const temp = useTempFolder()

describe('learn', () => {
  let cwd: string
  beforeAll(async () => {
    cwd = await temp()
    await drawRecordings(cwd)
  })

  test('writes a model, and says what was learned', async () => {
    const { code, stdout, stderr } = await runCli(['learn', 'runs', '--name', 'told'], { cwd })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Learned told from 4 recordings: 5 states, 4 essential')
    expect(stdout).toMatch(/s5 {2}4\/4 {2}.*\(end\)/)
    expect(stdout).toContain('1 optional and 0 transient')
    expect(stdout.replace(/\s+/g, ' ')).toContain('at most 53 % of correct runs do without it')
    expect(stdout).toContain('Written to oracle/told.')
    expect(await readdir(join(cwd, 'oracle/told'))).toEqual(['model.json', 'states'])
    expect(await readdir(join(cwd, 'oracle/told/states'))).toContain('s1.webp')
  })

  test('--json', async () => {
    const { code, stdout, stderr } = await runCli(['learn', 'runs', '--name', 'data', '--json'], { cwd })
    expect([code, stderr]).toEqual([0, ''])
    const summary = JSON.parse(stdout)
    expect(Object.keys(summary)).toEqual(
      'schema model traces states essential optional transient terminals bound notes'.split(' '),
    )
    expect(summary).toMatchObject({
      schema: 'trace-oracle/learn@1',
      model: 'oracle/data',
      traces: 4,
      states: 5,
      optional: 1,
      transient: 0,
      terminals: ['s5'],
      bound: 0.5271,
    })
    expect(summary.essential).toHaveLength(4)
    expect(summary.essential[0]).toEqual({ id: 's1', label: expect.any(String), support: 4, of: 4 })
  })

  test('gives the same bytes whatever the order of the recordings, and by any way of naming them', async () => {
    const model = (name: string) => readFile(join(cwd, name, 'same/model.json'), 'utf8')
    const name = ['--name', 'same', '--model-dir']
    await runCli(['learn', 'runs/run-*', ...name, 'x'], { cwd })
    await runCli(['learn', ...[4, 2, 3, 1].map((n) => `runs/run-${n}`), ...name, 'y'], { cwd })
    expect(await model('x')).toBe(await model('y'))
  })

  test('names the model after the task or the folder when nobody does', async () => {
    const { code, stdout } = await runCli(['learn', 'runs', '--json', '--model-dir', 'named'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).model).toBe('named/go-to-the-last-screen')
  })

  test('works with one recording, and says what that is worth', async () => {
    const { code, stdout } = await runCli(['learn', 'runs/run-1', '--name', 'one'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('What the one recording shows may still be optional')
    expect(stdout.replace(/\s+/g, ' ')).toContain('at most 95 % of correct runs do without it')
  })

  test('counts the same recording once', async () => {
    const copy = await drawTrace(join(await temp(), 'copy'), ['A', 'B', 'C', 'D'], { clock: '10:01' })
    const { code, stdout, stderr } = await runCli(['learn', 'runs', copy, '--name', 'twice', '--json'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).traces).toBe(4)
    expect(stderr).toBe('Warning: 1 recording of the 5 is the same as another: counted once\n')
  })

  describe('under CI', () => {
    const env = { CI: 'true' }
    test('writes nothing', async () => {
      const { code, stdout, stderr } = await runCli(['learn', 'runs', '--name', 'ci'], { cwd, env })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toBe(
        'Error: CI is set, and nothing is written to a model there. Learn on your own machine and commit the model, or give --allow-ci-write\n',
      )
      expect(await readdir(join(cwd, 'oracle'))).not.toContain('ci')
    })

    test('writes when allowed to', async () => {
      const { code } = await runCli(['learn', 'runs', '--name', 'ci-allowed', '--allow-ci-write'], { cwd, env })
      expect(code).toBe(0)
    })

    test.each(['', 'false', '0'])('CI=%s is no CI', async (CI) => {
      const { code } = await runCli(['learn', 'runs', '--name', 'no-ci'], { cwd, env: { CI } })
      expect(code).toBe(0)
    })
  })
})

describe('learn refuses', () => {
  let cwd: string
  beforeAll(async () => {
    cwd = await temp()
    await drawTrace(join(cwd, 'a'), ['A', 'B'], { task: 'Find the first' })
    await drawTrace(join(cwd, 'b'), ['A', 'C'], { task: 'Find the second' })
    await drawTrace(join(cwd, 'same'), ['A', 'B', 'C'], { task: ' Find  the first ' })
    await drawTrace(join(cwd, 'failed'), ['A', 'B'], { task: 'Find the first', outcome: 'fail' })
    await drawTrace(join(cwd, 'empty'), [], { task: 'Find the first' })
    await drawTrace(join(cwd, 'modest'), ['A', 'B', 'D'], { task: 'Find the first', claimed: 'fail' })
    await drawTrace(join(cwd, 'cut'), ['A', 'B', 'E'], { task: 'Find the first', claimed: null })
    await writeFiles(cwd, { 'nothing/readme.txt': 'x' })
  })

  test.each([
    ['nothing', ['nothing'], 'no-traces', /nothing: holds no trace/],
    ['a mistyped path', ['nothign'], 'path-missing', /Did you mean "nothing"\?/],
    [
      'different tasks',
      ['a', 'b'],
      'different-tasks',
      /a is "Find the first", b is "Find the second"\. .*--ignore-task/,
    ],
    ['a run of which its runner says that it failed', ['a', 'failed'], 'failed-recording', /failed failed\. .*--force/],
    ['a run without steps', ['a', 'empty'], 'run-empty', /empty: the run has no step/],
  ])('%s', async (_, paths, code, message) => {
    const result = await runCli(['learn', ...paths, '--name', 'x', '--json'], { cwd })
    expect(result.code).toBe(2)
    expect(result.stderr).toMatch(message)
    expect(JSON.parse(result.stdout).error.code).toBe(code)
    await expect(readdir(join(cwd, 'oracle'))).rejects.toThrow('ENOENT')
  })

  test.each([
    ['different tasks with --ignore-task', ['a', 'b', '--ignore-task'], ''],
    ['tasks that differ in blanks only', ['a', 'same'], ''],
    [
      'a failed run with --force',
      ['a', 'failed', '--force'],
      'Warning: failed: its runner says that it failed; learned from all the same\n',
    ],
    [
      'a run whose agent claims fail, with a warning',
      ['a', 'modest'],
      'Warning: modest: the agent itself claimed fail; learn from passing runs only\n',
    ],
    [
      'a run without end, with a warning',
      ['a', 'cut'],
      'Warning: cut: has no end, so it may have been cut off before the job was done\n',
    ],
  ])('not %s', async (_, args, told) => {
    const { code, stderr } = await runCli(['learn', ...args, '--name', 'x', '--model-dir', 'kept'], { cwd })
    expect(code).toBe(0)
    expect(stderr.replace(/^Warning: 1 recording .*\n/m, '')).toBe(told)
  })

  test('to replace the model of another task', async () => {
    await runCli(['learn', 'a', '--name', 'mine', '--model-dir', 'm'], { cwd })
    const args = ['learn', 'b', '--name', 'mine', '--model-dir', 'm']
    const { code, stderr } = await runCli(args, { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /m\/mine: is the model of another task, "Find the first"\. Choose another --name, or give --force/,
    )
    expect((await runCli([...args, '--force'], { cwd })).code).toBe(0)
  })
})
