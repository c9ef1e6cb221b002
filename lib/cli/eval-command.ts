import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { evaluation } from '../eval/evaluation.js'
import { learningCurve } from '../eval/learning-curve.js'
import { InputError } from '../input-error.js'
import type { Verdict } from '../match/verdict.js'
import type { Model } from '../model/model.js'
import { evalText } from '../report/eval-text.js'
import { jsonText } from '../report/json-text.js'
import { LABELS_FILE, type Label, type Labels, labelFor, readLabels } from '../trace/labels.js'
import type { Trace } from '../trace/trace.js'
import { type Context, defineCommand, EXIT } from './command.js'
import { emptyRun, findRuns, findRunsOrErrors, readRuns } from './load-traces.js'
import { CACHE_OPTIONS, MODEL_DIR_OPTION, type Settings } from './option.js'
import { usageError } from './usage-error.js'

const OPTIONS = {
  labels: { type: 'string', path: true, describe: 'labels.json, or the folder it is in (required)' },
  model: { type: 'string', describe: 'Name or folder of the model to judge by; without it, one is learned' },
  ...MODEL_DIR_OPTION,
  train: {
    type: 'list',
    path: true,
    describe: 'Runs to learn from: folders or globs [default: those that the labels have under train/]',
  },
  trainSize: {
    type: 'list',
    commas: true,
    describe: 'Learn from so many runs, drawn at random; several (2,3,5) give a learning curve',
  },
  repeats: { type: 'number', whole: true, least: 1, default: 20, describe: 'Training sets to draw for each size' },
  seed: { type: 'number', whole: true, least: 0, most: 0xffffffff, default: 1, describe: 'Seed of the draws' },
  minCoverage: { type: 'number', above: 0, most: 1, default: 1, describe: 'As for check' },
  strict: { type: 'boolean', describe: 'As for check' },
  ...CACHE_OPTIONS,
} as const

type EvalSettings = Settings<typeof OPTIONS>

export const evalCommand = defineCommand({
  name: 'eval',
  usage: '<runs…> --labels labels.json [options]',
  describe: 'Measure verdicts against runs of which the truth is known',
  options: OPTIONS,
  examples: [
    ['eval runs/test --labels runs/labels.json', 'learn from all runs under train/, judge those under test/'],
    ['eval runs/test --labels runs/labels.json --model search', 'judge by a model that is there already'],
    ['eval runs/test --labels runs/labels.json --train-size 2,3,5', 'how good verdicts get with more recordings'],
  ],
  async run(context, operands, settings) {
    if (operands.length === 0)
      throw usageError('eval needs runs', 'Name the runs to judge: trace-oracle eval runs/test --labels …')
    if (settings.labels === undefined)
      throw usageError('eval needs --labels', 'Name the labels.json that holds the truth')
    refuseContradictions(settings)
    const labels = { ...(await readLabels(settings.labels)), path: labelsFile(settings.labels) }
    const { judgeAll, learnFrom, namedModel } = await makeJudges(context, settings)
    const training = settings.model === undefined ? await readTraining(context, labels, settings) : []
    const traces = training.map(({ trace }) => trace)
    const sizes = trainSizes(settings.trainSize, traces.length)
    const tests = await readTests(context, operands, labels, training)

    const { repeats, seed } = settings
    const points =
      sizes.length === 0
        ? null
        : await learningCurve(traces.length, { sizes, repeats, seed }, async (set) => {
            const model = await learnFrom(set.map((i) => traces[i]!))
            return (await judgeAll(tests, model)).map(({ verdict }, i) => ({ label: tests[i]!.label.outcome, verdict }))
          })
    const model = namedModel ?? (points === null ? await learnFrom(traces) : null)
    const results = model && (await judgeAll(tests, model))
    context.progress.clear()

    const evaluated = evaluation({
      labels: labels.path,
      model: namedModel?.name ?? null,
      training: traces.map(({ name }) => name),
      tests: tests.map(({ name, label, trace }) => ({
        run: name,
        label: label.outcome,
        cause: label.cause,
        bug: label.bug,
        claimed: trace?.end?.claimed ?? label.claimed,
      })),
      results: results?.map(({ verdict, reason }) => ({ verdict, reason })) ?? null,
      curve: points && { seed, repeats, points },
    })
    context.out(settings.json ? `${jsonText(evaluated)}\n` : evalText(evaluated, context))
    const unreadable =
      tests.some(({ error }) => error !== undefined) || results?.some(({ verdict }) => verdict === 'error')
    return unreadable ? EXIT.error : EXIT.pass
  },
})

interface TrainingRun {
  readonly path: string
  readonly trace: Trace
}

/** A run of which the truth is known; `trace` is missing where it cannot be read. */
interface Test {
  readonly name: string
  readonly label: Label
  readonly trace?: Trace
  readonly error?: string
}

interface Said {
  readonly verdict: Verdict
  readonly reason: string
}

function refuseContradictions({ model, train, trainSize }: EvalSettings): void {
  if (model === undefined) return
  if (train.length > 0) throw usageError('--model and --train contradict each other', 'Give the one or the other')
  if (trainSize.length > 0)
    throw usageError('--model and --train-size contradict each other', 'Give the one or the other')
}

function trainSizes(texts: readonly string[], available: number): number[] {
  return texts.map((text) => {
    const size = Number(text)
    if (Number.isInteger(size) && size >= 1 && size <= available) return size
    throw usageError(
      `--train-size is "${text}"`,
      `It must be whole numbers from 1 to ${available}, the training runs there are`,
    )
  })
}

function labelsFile(path: string): string {
  return statSync(path).isDirectory() ? join(path, LABELS_FILE) : path
}

async function readTraining(
  { warn, signal }: Context,
  labels: Labels & { readonly path: string },
  { train }: EvalSettings,
): Promise<TrainingRun[]> {
  const named =
    train.length > 0
      ? train
      : [...labels.runs.keys()].filter((key) => key.startsWith('train/')).map((key) => join(dirname(labels.path), key))
  if (named.length === 0) {
    throw usageError('eval needs training runs', 'The labels have none under train/: give --train, or a --model')
  }
  const runs: TrainingRun[] = []
  for (const found of await findRuns(named)) {
    signal.throwIfAborted()
    if (labelFor(labels, labels.path, found.path)?.outcome === 'fail') {
      warn(`${found.name}: labelled fail, so not learned from`)
      continue
    }
    for (const trace of await readRuns(found)) {
      if (trace.steps.length === 0) throw emptyRun(trace)
      runs.push({ path: found.path, trace })
    }
  }
  if (runs.length === 0) throw usageError('eval needs training runs', 'All of them are labelled fail')
  return runs
}

/** The runs to judge: those that have a label and were not learned from. */
async function readTests(
  { warn, signal, tellError }: Context,
  operands: readonly string[],
  labels: Labels & { readonly path: string },
  training: readonly TrainingRun[],
): Promise<Test[]> {
  const learned = new Set(training.map(({ path }) => realpathSync(path)))
  const tests: Test[] = []
  const unlabelled: string[] = []
  for (const found of await findRunsOrErrors(operands)) {
    signal.throwIfAborted()
    if (existsSync(found.path) && learned.has(realpathSync(found.path))) continue
    const label = labelFor(labels, labels.path, found.path)
    if (!label) {
      unlabelled.push(found.name)
      continue
    }
    try {
      if (found.error) throw found.error
      for (const trace of await readRuns(found)) {
        if (trace.steps.length === 0) throw emptyRun(trace)
        tests.push({ name: trace.name, label, trace })
      }
    } catch (error) {
      tests.push({ name: found.name, label, error: tellError(error).message })
    }
  }
  if (tests.length === 0) {
    const advice = 'The keys under `runs` are paths relative to the labels; runs that were learned from do not count'
    throw new InputError('no-labelled-runs', 'none of the runs has a label here', { file: labels.path }, advice)
  }
  if (unlabelled.length > 0) warn(`left out, since they have no label: ${unlabelled.join(', ')}`)
  return tests
}

async function makeJudges(context: Context, settings: EvalSettings) {
  const { signal, progress, services, tellError } = context
  const { learn, check, resolveModel, readModel, makeFingerprinter } = await services()
  const fingerprinter = makeFingerprinter({ ...settings, memory: 2048 })
  const { model: named, modelDir, minCoverage, strict } = settings
  const namedModel = named === undefined ? null : await readModel(await resolveModel(named, modelDir, null))
  const onProgress = (done: number, total: number) => {
    signal.throwIfAborted()
    progress.show('reading pictures', done, total)
  }

  const judge = async ({ trace, error }: Test, model: Model): Promise<Said> => {
    if (!trace) return { verdict: 'error', reason: error ?? '' }
    try {
      return await check(trace, model, { fingerprinter, minCoverage, strict, onProgress })
    } catch (fault) {
      signal.throwIfAborted()
      return { verdict: 'error', reason: tellError(fault).message }
    }
  }
  return {
    namedModel,
    learnFrom: async (traces: readonly Trace[]) => {
      signal.throwIfAborted()
      return learn(traces, { fingerprinter, onProgress })
    },
    judgeAll: async (tests: readonly Test[], model: Model) => {
      const said: Said[] = []
      for (const test of tests) {
        signal.throwIfAborted()
        said.push(await judge(test, model))
      }
      return said
    },
  }
}
