import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { runCli } from '../helpers/run-cli.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'

const temp = useTempFolder()

describe('help', () => {
  test('names the commands, and what exit codes mean', async () => {
    const { code, stdout, stderr } = await runCli(['--help'], { cwd: await temp() })
    expect(code).toBe(0)
    expect(stderr).toBe('')
    for (const word of ['learn', 'check', 'show', 'eval', 'Exit codes', '130']) expect(stdout).toContain(word)
  })

  test.each(['learn', 'check', 'show', 'eval'])('of %s has examples', async (command) => {
    const cwd = await temp()
    const { code, stdout } = await runCli([command, '--help'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('Examples:')
    expect(stdout).toContain(`trace-oracle ${command}`)
    expect(await runCli(['help', command], { cwd })).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('is the answer to saying nothing, but no success', async () => {
    const { code, stdout, stderr } = await runCli([], { cwd: await temp() })
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('Commands:')
  })
})

test('--version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(await runCli(['--version'], { cwd: await temp() })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

describe('what cannot be followed is one sentence on stderr, and exit code 2', () => {
  test.each([
    [['lern', 'runs'], 'Unknown command: lern. Did you mean learn?'],
    [['frobnicate'], 'Unknown command: frobnicate. Commands are learn, check, show, eval'],
    [['check', 'run', '--modle', 'x'], 'Unknown option: --modle. Did you mean --model?'],
    [['check', 'run', '--modle=x'], 'Unknown option: --modle. Did you mean --model?'],
    [['check', 'run', '--no-cahce'], 'Unknown option: --no-cahce. Did you mean --no-cache?'],
    [
      ['learn', 'run', '--reporter', 'list'],
      'Unknown option: --reporter. Run trace-oracle learn --help for what there is',
    ],
    [
      ['check', 'run', '--constructor=3'],
      'Unknown option: --constructor. Run trace-oracle check --help for what there is',
    ],
    [
      ['check', 'run', '--__proto__.x', '3'],
      'Unknown option: --__proto__.x. Run trace-oracle check --help for what there is',
    ],
    [['check', 'run', '-q'], 'Unknown option: -q. Run trace-oracle check --help for what there is'],
    [['check', 'run', '--model'], '--model has no value. Write --model=…'],
    [['check', 'run', '--model='], '--model has no value. Write --model=…'],
    [['check', 'run', '--min-coverage', '1.5'], '--min-coverage is "1.5". It must be a number above 0 and at most 1'],
    [['check', 'run', '--min-coverage', '0'], '--min-coverage is "0". It must be a number above 0 and at most 1'],
    [['check', 'run', '--min-coverage', 'all'], '--min-coverage is "all". It must be a number above 0 and at most 1'],
    [['check', 'run', '--reporter', 'jsn'], 'Unknown reporter: jsn. Did you mean json?'],
    [['check', 'run', '--reporter', 'json='], '--reporter json= names no file. Write --reporter json=results.json'],
    [
      ['check', 'run', '--reporter', 'json,json'],
      'Two reporters write to json on stdout. Give each a place of its own: json=results.json',
    ],
    [
      ['check', 'run', '--reporter', 'json=a,list=a'],
      'Two reporters write to a. Give each a place of its own: json=results.json',
    ],
    [['show', 'x', '--format', 'dto'], '--format is "dto". Did you mean dot?'],
    [['show', 'x', 'y'], 'show takes one model or run, not 2. Show one after the other'],
    [['learn'], "learn needs recordings. Name runs' folders, a folder of runs, or a glob: trace-oracle learn runs/"],
    [['check'], "check needs runs. Name runs' folders, a folder of runs, or a glob: trace-oracle check runs/today"],
    [['eval', 'run'], 'eval needs --labels. Name the labels.json that holds the truth'],
    [
      ['eval', 'run', '--labels', 'l', '--seed', '-1'],
      '--seed is "-1". It must be a whole number from 0 to 4294967295',
    ],
    [['eval', 'run', '--labels', 'l', '--repeats', '2.5'], '--repeats is "2.5". It must be a whole number from 1 up'],
    [
      ['eval', 'run', '--labels', 'l', '--model', 'm', '--train', 't'],
      '--model and --train contradict each other. Give the one or the other',
    ],
    [
      ['learn', 'run', '--name', '../x'],
      '--name is "../x". It becomes a folder: letters, digits, spaces and ._- only, 100 at most',
    ],
  ])('%j', async (args, sentence) => {
    const result = await runCli(args, { cwd: await temp() })
    expect(result).toEqual({ code: 2, stdout: '', stderr: `Error: ${sentence}\n` })
  })

  test('under --json as an object on stdout, too', async () => {
    const { code, stdout, stderr } = await runCli(['check', 'run', '--modle', 'x', '--json'], { cwd: await temp() })
    expect(code).toBe(2)
    expect(stderr).toBe('Error: Unknown option: --modle. Did you mean --model?\n')
    expect(JSON.parse(stdout)).toEqual({
      schema: 'trace-oracle/error@1',
      error: {
        code: 'usage',
        message: 'Unknown option: --modle. Did you mean --model?',
        file: null,
        line: null,
        step: null,
      },
    })
  })

  test('a fault in a file is told with its place', async () => {
    const cwd = await temp()
    await writeFiles(cwd, { 'run/trace.jsonl': '{"type":"trace","version":1}\n{"type":"step"}\n{"type":"end"}\n' })
    const { code, stdout } = await runCli(['show', 'run', '--json'], { cwd })
    expect(code).toBe(2)
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'step-without-observation',
      file: 'run/trace.jsonl',
      line: 2,
      step: 0,
    })
  })
})

test('what follows -- is no option', async () => {
  const { code, stderr } = await runCli(['show', '--', '--model'], { cwd: await temp() })
  expect([code, stderr]).toEqual([
    2,
    'Error: oracle/--model: there is no such model. Learn it from passing runs: trace-oracle learn <traces> --name --model\n',
  ])
})

test('of an option that is given twice, the last counts', async () => {
  const { stderr } = await runCli(['show', 'x', '--format', 'dot', '--format', 'nothing'], { cwd: await temp() })
  expect(stderr).toBe('Error: --format is "nothing". It must be one of text, dot, mermaid\n')
})
