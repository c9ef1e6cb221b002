import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { drawTrace } from '../helpers/draw-trace.js'
import { runCli } from '../helpers/run-cli.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'
import { drawRecordings } from './recordings.js'

const temp = useTempFolder()

const label = (outcome: string, bug: string | null = null) => ({
  outcome,
  cause: outcome === 'fail' ? 'agent-issue' : null,
  bug,
  claimed: 'pass',
})

let cwd: string
beforeAll(async () => {
  cwd = await temp()
  await drawRecordings(cwd)
  await cp(join(cwd, 'runs'), join(cwd, 'corpus/train'), { recursive: true })
  await cp(join(cwd, 'new'), join(cwd, 'corpus/test'), { recursive: true })
  await drawTrace(join(cwd, 'corpus/test/unlabelled'), ['A'], { clock: '1' })
  const runs = {
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [`train/run-${n}`, label('pass')])),
    'test/good': label('pass'),
    'test/modest': label('pass'),
    'test/skips': label('fail', 'skips-c'),
    'test/stops': label('fail', 'stops-early'),
  }
  await writeFile(join(cwd, 'corpus/labels.json'), JSON.stringify({ runs }))
})

const evaluate = (...args: string[]) =>
  runCli(['eval', 'corpus/test', '--labels', 'corpus/labels.json', ...args], { cwd })

describe('eval', () => {
  test('learns from what is labelled under train/, and says how good the verdicts are', async () => {
    const { code, stdout, stderr } = await evaluate()
    expect([code, stderr]).toEqual([0, 'Warning: left out, since they have no label: unlabelled\n'])
    expect(stdout).toMatch(/^4 labelled runs, learned from 4 recordings\n/)
    expect(stdout).toMatch(/^✓ {2}good {4}pass {3}pass$/m)
    expect(stdout).toMatch(/^\? {2}skips {3}fail {3}inconclusive {2}skips-c, agent-issue$/m)
    expect(stdout).toMatch(
      /^ {12}pass {2}inconclusive {2}fail {2}error\nlabel pass {5}2 {13}0 {5}0 {6}0\nlabel fail {5}0 {13}1 {5}1 {6}0$/m,
    )
    expect(stdout).toMatch(/^accuracy of those decided +1\.000 +0\.\d{3}$/m)
  })

  test('--json', async () => {
    const { code, stdout } = await evaluate('--json')
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect(Object.keys(report)).toEqual('schema labels model training runs metrics claims curve'.split(' '))
    expect(report).toMatchObject({
      schema: 'trace-oracle/eval@1',
      labels: 'corpus/labels.json',
      model: null,
      training: ['run-1', 'run-2', 'run-3', 'run-4'],
      curve: null,
      metrics: {
        runs: 4,
        decided: 3,
        decidedShare: 0.75,
        accuracy: 0.75,
        accuracyOfDecided: 1,
        precision: 1,
        recall: 0.5,
      },
      // Three claim pass, one of them rightly; the one that claims fail passes.
      claims: { runs: 4, decided: 4, accuracy: 0.25, precision: 0, recall: 0, f1: 0 },
    })
    expect(report.runs[0]).toMatchObject({
      run: 'good',
      label: 'pass',
      cause: null,
      bug: null,
      claimed: 'pass',
      verdict: 'pass',
      right: true,
    })
  })

  test('judges by a model that is there', async () => {
    await runCli(['learn', 'runs', '--name', 'screens'], { cwd })
    const { stdout } = await evaluate('--model', 'screens', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ model: 'screens', training: [], metrics: { accuracy: 0.75 } })
  })

  test('never judges what it learned from', async () => {
    const { stdout } = await runCli(
      [
        'eval',
        'corpus',
        '--labels',
        'corpus',
        '--train',
        'corpus/train/run-1',
        '--train',
        'corpus/train/run-2',
        '--json',
      ],
      { cwd },
    )
    const { runs, training } = JSON.parse(stdout)
    expect(training).toEqual(['run-1', 'run-2'])
    expect(runs.map(({ run }: { run: string }) => run)).toEqual(['good', 'modest', 'skips', 'stops', 'run-3', 'run-4'])
  })

  test('the learning curve is repeatable', async () => {
    const args = ['--train-size', '1,3', '--repeats', '2', '--seed', '7', '--json']
    const [first, second] = [await evaluate(...args), await evaluate(...args)]
    expect(first.stdout).toBe(second.stdout)
    const { curve, metrics, runs } = JSON.parse(first.stdout)
    expect([metrics, runs[0].verdict]).toEqual([null, null])
    expect(curve).toMatchObject({ seed: 7, repeats: 2 })
    expect(curve.points.map(({ size, draws }: { size: number; draws: unknown[] }) => [size, draws.length])).toEqual([
      [1, 2],
      [3, 2],
    ])
    const { training, verdicts } = curve.points[1].draws[0]
    expect([training.length, verdicts.length]).toEqual([3, 4])
  })

  test('the learning curve as text', async () => {
    const { code, stdout } = await evaluate('--train-size', '2', '--repeats', '2')
    expect(code).toBe(0)
    expect(stdout).toContain('right, n=2')
    expect(stdout).toMatch(/^ +2 +2 +\d\.\d{3} \(\d\.\d{3}\)/m)
  })

  test('an unreadable run is counted as an error, and is told by the exit code', async () => {
    const folder = await temp()
    await cp(join(cwd, 'corpus'), folder, { recursive: true })
    await writeFiles(folder, { 'test/stops/trace.jsonl': 'x\n{}\n' })
    const { code, stdout } = await runCli(['eval', `${folder}/test`, '--labels', folder, '--json'], { cwd })
    expect(code).toBe(2)
    expect(JSON.parse(stdout).metrics.confusion.fail).toEqual({ pass: 0, inconclusive: 1, fail: 0, error: 1 })
  })

  test.each([
    [['--train-size', '5'], /--train-size is "5"\. It must be whole numbers from 1 to 4/],
    [['--train-size', '2,x'], /--train-size is "x"/],
    [['--train', 'nowhere'], /nowhere: does not exist/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await evaluate(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('refuses runs of which none has a label', async () => {
    const { code, stderr } = await runCli(['eval', 'corpus/test/unlabelled', '--labels', 'corpus'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/none of the runs has a label here/)
  })
})
