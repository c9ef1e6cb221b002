import { appendFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { drawTrace } from '../helpers/draw-trace.js'
import { runCli } from '../helpers/run-cli.js'
import { useTempFolder } from '../helpers/temp-folder.js'
import { drawRecordings } from './recordings.js'

const temp = useTempFolder()

let cwd: string
beforeAll(async () => {
  cwd = await temp()
  await drawRecordings(cwd)
  await drawTrace(join(cwd, 'more/waits'), ['A', 'B', 'D'], { clock: '11:05', actions: { D: { type: 'wait' } } })
  expect((await runCli(['learn', 'runs', '--name', 'screens'], { cwd })).code).toBe(0)
})

describe('exit code', () => {
  test.each([
    [0, ['new/good']],
    [1, ['new/stops']],
    [1, ['new/good', 'new/stops']],
    [3, ['new/skips']],
    [3, ['new/skips', 'new/good']],
    [1, ['new/skips', 'new/stops']],
    [2, ['new/good', 'new/none']],
    [2, ['new/stops', 'new/none']],
    [3, ['more/waits']],
    [0, ['more/waits', '--min-coverage', '0.7']],
    [3, ['more/waits', '--min-coverage', '0.8']],
  ])('%d for %j', async (code, args) => {
    expect((await runCli(['check', ...args], { cwd })).code).toBe(code)
  })
})

test('the list tells people what happened', async () => {
  const { stdout, stderr } = await runCli(['check', 'new'], { cwd })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^✓ good {2}PASS {2}/m)
  expect(stdout).toMatch(/^✗ stops {2}FAIL/m)
  expect(stdout).toMatch(/^\? skips {2}INCONCLUSIVE/m)
  expect(stdout).toMatch(/^ {2}coverage 4\/4 · ends where it should · 4 steps · agent claimed pass$/m)
  expect(stdout).toMatch(/- step 2, missing/)
  expect(stdout).toMatch(/nearest: step 2, distinct \(\w+\): /)
  expect(stdout).toContain('The agent claimed pass: a false success.')
  expect(stdout).toContain('The agent claimed fail, but did what the task asks.')
  expect(stdout).toMatch(/^Runs: {3}1 failed, 1 inconclusive, 2 passed, 4 total\nModel: {2}oracle\/screens\n$/m)
})

test('--json is the object of the documentation, fields in its order', async () => {
  const { code, stdout, stderr } = await runCli(['check', 'new/stops', 'new/good', '--json'], { cwd })
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout.trim().split('\n')).toHaveLength(1)
  const report = JSON.parse(stdout)
  expect(Object.keys(report)).toEqual(['schema', 'verdict', 'model', 'runs', 'summary', 'cost'])
  expect(report).toMatchObject({
    schema: 'trace-oracle/check@1',
    verdict: 'fail',
    model: 'oracle/screens',
    summary: { pass: 1, fail: 1, inconclusive: 0, error: 0 },
    cost: { calls: 0, inputTokens: 0, outputTokens: 0 },
  })
  const [good, stops] = report.runs
  expect(Object.keys(stops).slice(0, 11)).toEqual(
    'run verdict claimed outcome coverage terminal missing findings cause alignment judgements'.split(' '),
  )
  expect(good).toMatchObject({ run: 'good', verdict: 'pass', claimed: 'pass', outcome: null, cause: null, missing: [] })
  expect(good.coverage).toEqual({ matched: 4, total: 4, ratio: 1 })
  expect(stops).toMatchObject({
    run: 'stops',
    verdict: 'fail',
    coverage: { matched: 3, total: 4, ratio: 0.75 },
    terminal: { matched: false, expected: 's5' },
    missing: [{ state: 's5', label: expect.any(String), after: 's4', before: null }],
  })
  expect(Object.keys(stops.findings[0]).slice(0, 4)).toEqual(['kind', 'step', 'state', 'message'])
  expect(Object.keys(stops.judgements)).toEqual(['exact', 'visual', 'text', 'stored', 'asked'])
  expect(stops.alignment[0]).toEqual({ step: 0, state: 's1', tier: expect.any(String) })
})

describe('reporters', () => {
  test('several at once: the list for people, JSON into a file', async () => {
    const { code, stdout } = await runCli(['check', 'new/good', '--reporter', 'list,json=out/r.json'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('✓ good')
    expect(JSON.parse(await readFile(join(cwd, 'out/r.json'), 'utf8')).verdict).toBe('pass')
    expect(await readdir(join(cwd, 'out'))).toEqual(['r.json'])
  })

  test('where JSON has stdout, the list goes to stderr', async () => {
    for (const args of [
      ['--reporter', 'list,json'],
      ['--reporter', 'list', '--json'],
      ['--reporter', 'list', '--reporter', 'json'],
    ]) {
      const { stdout, stderr } = await runCli(['check', 'new/good', ...args], { cwd })
      expect(JSON.parse(stdout).verdict).toBe('pass')
      expect(stderr).toContain('✓ good')
    }
  })

  test('the list into a file', async () => {
    const { stdout } = await runCli(['check', 'new/good', '--json', '--reporter', 'list=list.txt'], {
      cwd,
      env: { FORCE_COLOR: '1' },
    })
    expect(JSON.parse(stdout).verdict).toBe('pass')
    expect(await readFile(join(cwd, 'list.txt'), 'utf8')).toMatch(/^✓ good {2}PASS/)
  })

  test('one that cannot write is told, and is no pass', async () => {
    await writeFile(join(cwd, 'file'), '')
    const { code, stdout, stderr } = await runCli(['check', 'new/good', '--reporter', 'list,json=file/r.json'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('✓ good')
    expect(stderr).toMatch(/json: file\/r\.json: cannot be written \((ENOTDIR|EEXIST)\)/)
  })
})

describe('a run that cannot be judged is an error, and the others are judged', () => {
  async function checkJson(args: string[]) {
    const { code, stdout, stderr } = await runCli(['check', ...args, '--json'], { cwd })
    const { verdict, runs } = JSON.parse(stdout)
    const byName = Object.fromEntries(runs.map((run: { run: string }) => [run.run, run]))
    return { code, stderr, verdict, byName }
  }

  test('damaged files', async () => {
    const folder = join(await temp(), 'damaged')
    await cp(join(cwd, 'new/good'), join(folder, 'line'), { recursive: true })
    await appendFile(join(folder, 'line/trace.jsonl'), 'no json\n{"type":"step","text":"x"}\n')
    await cp(join(cwd, 'new/good'), join(folder, 'picture'), { recursive: true })
    await writeFile(join(folder, 'picture/screenshots/0002.png'), 'no picture')
    await cp(join(cwd, 'new/good'), join(folder, 'good'), { recursive: true })
    await drawTrace(join(folder, 'empty'), [])
    const { code, verdict, byName } = await checkJson([folder])
    expect([code, verdict]).toEqual([2, 'error'])
    expect(byName.line.error).toEqual({
      code: 'trace-not-json',
      message: expect.stringContaining('line/trace.jsonl:7'),
    })
    expect(byName.picture.error.message).toMatch(/step 2/)
    expect(byName.picture).toMatchObject({
      verdict: 'error',
      claimed: 'pass',
      steps: 4,
      coverage: { matched: 0, total: 0, ratio: 0 },
    })
    expect(byName.empty.error.code).toBe('run-empty')
    expect(byName.good.verdict).toBe('pass')
  })

  test('mistyped paths, and labels that a shell named along', async () => {
    await writeFile(join(cwd, 'labels.json'), '{"runs":{}}')
    const { code, byName } = await checkJson(['new/godo', 'new/good', 'labels.json'])
    expect(code).toBe(2)
    expect(Object.keys(byName)).toEqual(['good', 'new/godo'])
    expect(byName['new/godo'].error).toEqual({
      code: 'path-missing',
      message: 'new/godo: does not exist. Did you mean "new/good"?',
    })
    expect(byName.good.verdict).toBe('pass')
  })

  test('another task', async () => {
    const other = await drawTrace(join(await temp(), 'other'), ['A', 'B', 'C', 'D'], {
      task: 'Something else',
      clock: '1',
    })
    const { code, byName } = await checkJson([other, 'new/good'])
    expect(code).toBe(2)
    expect(byName.other.error).toEqual({
      code: 'other-task',
      message: expect.stringMatching(
        /the run is of another task than the model screens: "Something else", not "Go to the last screen"\. Name the right --model, or give --ignore-task$/,
      ),
    })
    expect((await checkJson([other, '--ignore-task'])).byName.other.verdict).toBe('pass')
  })

  test('one alone that is not there is a fault of the command line', async () => {
    const { code, stdout, stderr } = await runCli(['check', 'new/godo'], { cwd })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe('Error: new/godo: does not exist. Did you mean "new/good"?\n')
  })
})

describe('the model', () => {
  test('has to exist', async () => {
    const { code, stderr } = await runCli(['check', 'new/good', '--model-dir', 'none'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Error: none: there is no model here\. Learn one/)
    expect((await runCli(['check', 'new/good', '--model', 'screen'], { cwd })).stderr).toContain(
      'Did you mean "screens"?',
    )
  })

  test('goes by name or by folder', async () => {
    for (const model of ['screens', 'oracle/screens', join(cwd, 'oracle/screens'), 'oracle/screens/model.json']) {
      expect((await runCli(['check', 'new/good', '--model', model], { cwd })).code).toBe(0)
    }
  })

  test('of several is that of the task of each run', async () => {
    const folder = await temp()
    const tasks: [string, string][] = [
      ['one', 'A B C'],
      ['two', 'A P Q'],
    ]
    for (const [task, screens] of tasks) {
      for (const clock of ['1', '2', '3'])
        await drawTrace(join(folder, 'runs', task, clock), screens.split(' '), { task, clock })
      await runCli(['learn', join('runs', task), '--name', task], { cwd: folder })
      await drawTrace(join(folder, 'new', task), screens.split(' '), { task, clock: '9' })
    }
    await drawTrace(join(folder, 'new/three'), ['A'], { task: 'three' })
    const { code, stdout } = await runCli(['check', 'new', '--json'], { cwd: folder })
    expect(code).toBe(2)
    const { model, runs } = JSON.parse(stdout)
    expect(model).toBe(null)
    expect(runs.map((run: { [field: string]: unknown }) => [run.run, run.verdict, run.model])).toEqual([
      ['one', 'pass', 'oracle/one'],
      ['three', 'error', undefined],
      ['two', 'pass', 'oracle/two'],
    ])
  })

  test('that is damaged is told once', async () => {
    const folder = await temp()
    await cp(join(cwd, 'oracle/screens'), join(folder, 'oracle/screens'), { recursive: true })
    await writeFile(join(folder, 'oracle/screens/model.json'), '{')
    const { code, stdout, stderr } = await runCli(['check', join(cwd, 'new')], { cwd: folder })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Error: oracle\/screens\/model\.json:1: the model is not valid JSON.*\n$/)
  })
})

describe('text from outside', () => {
  const ESCAPE = '\u001b[2J\u001b]0;owned\u0007\u009b31m'
  const HOSTILE = `${ESCAPE} \u202egnp.exe\nRuns:   0 failed`

  test('does not reach the terminal as control characters, nor forge lines', async () => {
    const folder = join(await temp(), 'hostile')
    const name = 'run \u001b[31m\u202e'
    await drawTrace(join(folder, name), ['A', 'B', 'C'], {
      clock: '9',
      claimed: HOSTILE,
      message: HOSTILE,
      actions: { C: { type: 'click', target: HOSTILE } },
      titles: { B: HOSTILE },
    })
    await appendFile(join(folder, name, 'trace.jsonl'), `{"type":"${'\\u001b[31m'}"}\n`)
    for (const command of [
      ['check', folder],
      ['show', join(folder, name)],
      ['check', folder, '--json'],
      ['show', join(folder, name), '--json'],
      ['learn', folder, '--name', 'h', '--model-dir', 'hostile'],
    ]) {
      const { stdout, stderr } = await runCli(command, { cwd })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(stdout + stderr).not.toMatch(/^Runs: {3}0 failed/m)
    }
  })

  test('stays what it is in JSON', async () => {
    const folder = join(await temp(), 'claims')
    await drawTrace(folder, ['A', 'B', 'C', 'D'], { clock: '9', claimed: HOSTILE })
    const { stdout } = await runCli(['check', folder, '--json'], { cwd })
    expect(JSON.parse(stdout).runs[0].claimed).toBe(HOSTILE)
  })

  test('a run named __proto__ is a run like any other', async () => {
    const folder = await temp()
    await mkdir(join(folder, 'r'))
    await cp(join(cwd, 'new/good'), join(folder, 'r/__proto__'), { recursive: true })
    await cp(join(cwd, 'new/good'), join(folder, 'r/constructor'), { recursive: true })
    const { code, stdout, stderr } = await runCli(['check', join(folder, 'r')], { cwd })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('✓ __proto__  PASS')
  })
})

describe('colours', () => {
  const colored = async (env: { [name: string]: string }, args: string[] = []) =>
    (await runCli(['check', 'new/good', ...args], { cwd, env })).stdout.includes('\u001b[')

  test.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, true],
    [{ CI: '1' }, false],
  ])('%j: %p', async (env, expected) => {
    expect(await colored(env as { [name: string]: string })).toBe(expected)
  })

  test('are never in JSON', async () => {
    expect(await colored({ FORCE_COLOR: '1' }, ['--json'])).toBe(false)
  })

  test('add nothing that the words do not say', async () => {
    const plain = await runCli(['check', 'new'], { cwd })
    const painted = await runCli(['check', 'new'], { cwd, env: { FORCE_COLOR: '1' } })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(painted.stdout.replace(/\u001b\[[0-9;]*m/g, '')).toBe(plain.stdout)
  })
})
