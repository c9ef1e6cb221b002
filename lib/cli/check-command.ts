import { InputError } from '../input-error.js'
import type { RunResult } from '../match/verdict.js'
import type { Model } from '../model/model.js'
import { checkReport, errorResult, type ReportedRun } from '../report/check-report.js'
import { printable } from '../report/printable.js'
import { multiplex } from '../report/reporter.js'
import { quote } from '../trace/quote.js'
import type { Trace } from '../trace/trace.js'
import { type Context, defineCommand, EXIT } from './command.js'
import { emptyRun, type FoundRun, findRunsOrErrors, readRuns } from './load-traces.js'
import { CACHE_OPTIONS, MODEL_DIR_OPTION, type Settings } from './option.js'
import { makeReporters } from './reporter-option.js'
import { sameTask } from './same-task.js'
import type { Services } from './services.js'
import { usageError } from './usage-error.js'

const OPTIONS = {
  model: { type: 'string', describe: "Name or folder of the model [default: the only one, or that of the run's task]" },
  ...MODEL_DIR_OPTION,
  reporter: {
    type: 'list',
    commas: true,
    default: ['list'],
    describe: 'list, json, or several; name=file writes to a file: list,json=results.json',
  },
  minCoverage: {
    type: 'number',
    above: 0,
    most: 1,
    default: 1,
    describe: 'Share of the essential states that is enough',
  },
  strict: { type: 'boolean', describe: 'Require one of each set of alternatives, too' },
  ignoreTask: { type: 'boolean', describe: "Judge runs although their task is not the model's" },
  ...CACHE_OPTIONS,
} as const

export const checkCommand = defineCommand({
  name: 'check',
  usage: '<run…> [options]',
  describe: 'Judge new runs: pass, fail or inconclusive, and why',
  options: OPTIONS,
  examples: [
    ['check runs/today/run-42', 'judge one run by the only model there is'],
    ["check 'runs/*' --model search", 'judge many by oracle/search'],
    ['check runs/ --reporter list,json=r.json', 'for people, and a file for programs'],
    ['check runs/ --json | jq .verdict', 'for programs only'],
  ],
  async run(context, operands, settings) {
    if (operands.length === 0) {
      throw usageError(
        'check needs runs',
        "Name runs' folders, a folder of runs, or a glob: trace-oracle check runs/today",
      )
    }
    // The list keeps to its default where --json asks for nothing but JSON.
    const specs = settings.json && settings.reporter === OPTIONS.reporter.default ? [] : settings.reporter
    const reporters = makeReporters(specs, settings.json, context)
    let broken = false
    const reporter = multiplex(reporters, (name, error) => {
      broken = true
      context.err(`reporter ${name}: ${error instanceof InputError ? error.message : String(error)}\n`)
    })
    const judge = await makeJudge(context, settings)
    const results: ReportedRun[] = []
    for (const found of await findRunsOrErrors(operands)) {
      for (const result of await judge(found)) {
        context.progress.clear()
        reporter.runEnd(result)
        results.push(result)
      }
    }
    const report = checkReport(results)
    await reporter.end(report)
    // A report that was asked for is not there: that must not pass for a verdict.
    return broken ? EXIT.error : EXIT[report.verdict]
  },
})

type CheckSettings = Settings<typeof OPTIONS>

/** Judges what is found at one path. A run that cannot be judged gets the verdict `error`, and others can go on. */
async function makeJudge(
  context: Context,
  settings: CheckSettings,
): Promise<(found: FoundRun) => Promise<ReportedRun[]>> {
  const services = await context.services()
  const fingerprinter = services.makeFingerprinter(settings)
  const models = await loadModels(services, settings)
  const { signal, progress } = context

  const judgeTrace = async (trace: Trace): Promise<ReportedRun> => {
    if (trace.steps.length === 0) throw emptyRun(trace)
    const { folder, model } = await models.forTask(trace.task ?? null)
    if (!settings.ignoreTask && !sameTask(trace.task, model.task)) throw otherTask(trace, model)
    const result = await services.check(trace, model, {
      fingerprinter,
      minCoverage: settings.minCoverage,
      strict: settings.strict,
      onProgress: (done, total) => {
        signal.throwIfAborted()
        progress.show(`${printable(trace.name, 60)}: reading pictures`, done, total)
      },
    })
    const warnings = [...new Set([...trace.warnings, ...result.warnings])]
    return { ...result, warnings, model: slashed(folder) }
  }

  const orError = async <T>(job: () => Promise<T>, name: string, known?: Partial<RunResult>) => {
    try {
      signal.throwIfAborted()
      return await job()
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof InputError && FATAL.has(error.code)) throw error
      const { code, message } = context.tellError(error)
      const result: ReportedRun = errorResult(name, { code, message }, known)
      return models.only === undefined ? result : { ...result, model: slashed(models.only.folder) }
    }
  }

  return async (found) => {
    const traces = await orError(async () => {
      if (found.error) throw found.error
      return readRuns(found)
    }, found.name)
    if (!Array.isArray(traces)) return [traces]
    const results: ReportedRun[] = []
    for (const trace of traces) {
      const { name, end, outcome, steps } = trace
      const known = { claimed: end?.claimed ?? null, outcome, steps: steps.length }
      results.push(await orError(() => judgeTrace(trace), name, known))
    }
    return results
  }
}

/** Without any model there is nothing to say of any run. */
const FATAL = new Set(['no-model'])

interface LoadedModel {
  readonly folder: string
  readonly model: Model
}

interface Models {
  /** Where there is no choice: the one that was named, or the only one. */
  readonly only?: LoadedModel
  forTask(task: string | null): Promise<LoadedModel>
}

/** Where there is no choice the model is read at once, so that a fault in it is told once and not for every run. */
async function loadModels(
  { resolveModel, findModels, readModel }: Services,
  { model: named, modelDir }: CheckSettings,
): Promise<Models> {
  if (named !== undefined || (await findModels(modelDir)).length < 2) {
    const folder = await resolveModel(named, modelDir, null)
    const only = { folder, model: await readModel(folder) }
    return { only, forTask: async () => only }
  }
  const models = new Map<string, Promise<Model>>()
  return {
    async forTask(task) {
      const folder = await resolveModel(undefined, modelDir, task)
      const model = models.get(folder) ?? readModel(folder)
      models.set(folder, model)
      return { folder, model: await model }
    },
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

function otherTask({ folder, task }: Trace, model: Model): InputError {
  const what = `the run is of another task than the model ${model.name}: ${quote(task)}, not ${quote(model.task)}`
  return new InputError('other-task', what, { file: folder }, 'Name the right --model, or give --ignore-task')
}
