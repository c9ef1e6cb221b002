import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { check } from '../../lib/check.js'
import { sample, seededRandom } from '../../lib/eval/random.js'
import { learn } from '../../lib/learn.js'
import type { RunResult } from '../../lib/match/verdict.js'
import type { Model } from '../../lib/model/model.js'
import { FingerprintCache } from '../../lib/state/fingerprint-cache.js'
import { Fingerprinter } from '../../lib/state/fingerprinter.js'
import { findTraces } from '../../lib/trace/find-traces.js'
import { labelFor, readLabels } from '../../lib/trace/labels.js'
import { readTrace } from '../../lib/trace/read-trace.js'
import type { Step, Trace } from '../../lib/trace/trace.js'
import { compileLib } from '../helpers/compiled-lib.js'
import { describeIfCorpora } from '../helpers/corpora.js'
import { useTempFolder } from '../helpers/temp-folder.js'

const TASKS = ['vscode-search', 'editor-replace', 'nodered-flow'] as const

interface Run {
  readonly trace: Trace
  readonly name: string
  readonly outcome: string
  /** The true name of the state at each step. */
  readonly states: readonly string[]
}

interface Corpus {
  readonly essential: readonly string[]
  readonly train: readonly Trace[]
  readonly test: readonly Run[]
  readonly model: Model
  /** Verdicts on the test runs as they are, in their order. */
  readonly verdicts: readonly RunResult['verdict'][]
}

/** The truth is in the labels: `wrong_count:result_open` only looks like `result_open`. */
describeIfCorpora('models of the recorded corpora', (root) => {
  const tempFolder = useTempFolder()
  const corpora = new Map<string, Corpus>()
  let fingerprinter: Fingerprinter
  const judge = (run: Trace, model: Model): Promise<RunResult> => check(run, model, { fingerprinter })

  beforeAll(async () => {
    const dir = await tempFolder()
    await decodePictures(await tempFolder(), dir)
    fingerprinter = new Fingerprinter({ cache: new FingerprintCache({ dir, memory: 4096 }) })
    for (const task of TASKS) corpora.set(task, await readCorpus(join(root, 'recorded', task)))
  }, 300_000)

  /** In a process of its own: in the contexts that tests run in, decoding takes ten times as long. */
  async function decodePictures(folder: string, cacheDir: string): Promise<void> {
    await compileLib(folder)
    await writeFile(join(folder, 'decode.js'), DECODE)
    await promisify(execFile)(
      process.execPath,
      ['decode.js', cacheDir, ...TASKS.map((task) => join(root, 'recorded', task))],
      {
        cwd: folder,
      },
    )
  }

  test('no picture is decoded twice', () => {
    expect(fingerprinter.decodes).toBe(0)
  })

  async function readCorpus(folder: string): Promise<Corpus> {
    const labels = await readLabels(join(folder, 'labels.json'))
    const runs = await Promise.all(
      (await findTraces([folder])).map(async (path) => {
        const { outcome, states } = labelFor(labels, join(folder, 'labels.json'), path)!
        return { path, trace: await readTrace(path), outcome: outcome!, states: states! }
      }),
    )
    const train = runs.filter(({ path }) => path.startsWith(join(folder, 'train'))).map(({ trace }) => trace)
    const test = runs.filter(({ path }) => path.startsWith(join(folder, 'test')))
    const model = await learn(train, { fingerprinter })
    const verdicts: RunResult['verdict'][] = []
    for (const { trace } of test) verdicts.push((await judge(trace, model)).verdict)
    return {
      essential: labels.essentialStates!,
      train,
      test: test.map((run) => ({ ...run, name: run.path.slice(folder.length + 1) })),
      model,
      verdicts,
    }
  }

  test('at least half of all test runs are decided', () => {
    const verdicts = [...corpora.values()].flatMap((corpus) => corpus.verdicts)
    const decided = verdicts.filter((verdict) => verdict !== 'inconclusive')
    expect(decided.length).toBeGreaterThanOrEqual(verdicts.length / 2)
  })

  describe.each(TASKS)('%s', (task) => {
    const corpus = () => corpora.get(task)!

    /** Names of those of the runs, each changed by `change`, that get the verdict; a change of null leaves a run out. */
    async function runsWith(
      wanted: RunResult['verdict'],
      change: (run: Run) => readonly Step[] | null,
      runs = corpus().test.filter(({ outcome }) => outcome === 'pass'),
    ): Promise<string[]> {
      const found: string[] = []
      for (const run of runs) {
        const steps = change(run)
        if (steps === null) continue
        const { verdict } = await judge({ ...run.trace, steps: numberedAnew(steps) }, corpus().model)
        if (verdict === wanted) found.push(run.name)
      }
      return found
    }

    test('the recordings themselves pass', async () => {
      for (const trace of corpus().train) {
        expect([trace.name, (await judge(trace, corpus().model)).verdict]).toEqual([trace.name, 'pass'])
      }
    })

    test('no test run gets a wrong verdict', () => {
      const { test: runs, verdicts } = corpus()
      const wrong = runs.filter(({ outcome }, i) => verdicts[i] === (outcome === 'pass' ? 'fail' : 'pass'))
      expect(wrong.map(({ name }) => name)).toEqual([])
    })

    test('a good run without one of the essential states never passes', async () => {
      const passed: string[] = []
      for (const state of corpus().essential) {
        const left = await runsWith('pass', ({ trace, states }) => trace.steps.filter((_, i) => states[i] !== state))
        passed.push(...left.map((run) => `${run} without ${state}`))
      }
      expect(passed).toEqual([])
    })

    test('a good run with two essential states swapped, and what follows each, never passes', async () => {
      const found: string[] = []
      for (let i = 0; i + 1 < corpus().essential.length; i++) {
        const [first, second, third] = corpus().essential.slice(i)
        const left = await runsWith('pass', ({ trace: { steps }, states }) => {
          const [a, b] = [states.indexOf(first!), states.indexOf(second!)]
          const c = third === undefined ? steps.length : states.indexOf(third)
          if (a < 0 || b < a || c < b) throw new Error(`The labels do not have ${first}, ${second}, ${third} in order`)
          return [...steps.slice(0, a), ...steps.slice(b, c), ...steps.slice(a, b), ...steps.slice(c)]
        })
        found.push(...left.map((run) => `${run} with ${first} and ${second} swapped`))
      }
      expect(found).toEqual([])
    })

    test('a good run without its last three steps never passes', async () => {
      const end = corpus().essential.at(-1)!
      const cut = ({ trace, states }: Run) => {
        let length = states.length - 3
        while (states[length - 1] === end) length--
        return trace.steps.slice(0, length)
      }
      expect(await runsWith('pass', cut)).toEqual([])
    })

    test('a run that passes does so with every step repeated', async () => {
      const { test, verdicts } = corpus()
      const runs = test.filter((_, i) => verdicts[i] === 'pass')
      const passing = runs.map(({ name }) => name)
      expect(passing.length).toBeGreaterThan(0)
      const waiting = ({ trace: { steps } }: Run) => steps.flatMap((s) => [s, { ...s, action: { type: 'wait' } }])
      expect(await runsWith('pass', waiting, runs)).toEqual(passing)
      const again = ({ trace: { steps } }: Run) => steps.flatMap((s) => [s, s])
      expect(await runsWith('pass', again, runs)).toEqual(passing)
    })

    test('the order of the recordings changes no byte of the model', async () => {
      const random = seededRandom(task.length)
      const json = jsonOf(corpus().model)
      for (let i = 0; i < 2; i++) {
        const shuffled = corpus()
          .train.map((trace) => [random(), trace] as const)
          .sort(([a], [b]) => a - b)
          .map(([, trace]) => trace)
        expect(jsonOf(await learn(shuffled, { fingerprinter }))).toBe(json)
      }
    })

    test('three recordings drawn at random make no bad run pass', async () => {
      const { train, test: runs } = corpus()
      const three = sample(train.length, 3, seededRandom(3)).map((i) => train[i]!)
      const model = await learn(three, { fingerprinter })
      const passed: string[] = []
      for (const { trace, name, outcome } of runs) {
        if (outcome === 'fail' && (await judge(trace, model)).verdict === 'pass') passed.push(name)
      }
      expect(passed).toEqual([])
    })
  })
})

/** A run begins with no action, and its steps are counted from 0. */
function numberedAnew(steps: readonly Step[]): Step[] {
  return steps.map((step, index) => ({ ...step, index, ...(index === 0 ? { action: null } : {}) }))
}

function jsonOf(model: Model): string {
  return JSON.stringify(model, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value))
}

const DECODE = `
import { FingerprintCache } from './lib/state/fingerprint-cache.js'
import { Fingerprinter } from './lib/state/fingerprinter.js'
import { statesOfTrace } from './lib/state/states-of-trace.js'
import { findTraces } from './lib/trace/find-traces.js'
import { readTrace } from './lib/trace/read-trace.js'

const [dir, ...folders] = process.argv.slice(2)
const fingerprinter = new Fingerprinter({ cache: new FingerprintCache({ dir, memory: 8 }) })
for (const path of await findTraces(folders)) await statesOfTrace(await readTrace(path), fingerprinter)
`
