import { join } from 'node:path'
import { fewTraceBound } from '../automaton/few-trace-bound.js'
import { InputError } from '../input-error.js'
import { essentialStates } from '../model/essential-states.js'
import type { Exemplar, Model } from '../model/model.js'
import type { Colors } from '../report/colors.js'
import { jsonText } from '../report/json-text.js'
import { boundSentence } from '../report/model-text.js'
import { printable } from '../report/printable.js'
import { alignColumns, count, fitTo, wrapTo } from '../report/text-layout.js'
import { quote } from '../trace/quote.js'
import type { Trace } from '../trace/trace.js'
import { type Context, defineCommand, EXIT } from './command.js'
import { isOn } from './io.js'
import { emptyRun, findRuns, readRuns } from './load-traces.js'
import { CACHE_OPTIONS, MODEL_DIR_OPTION, type Settings } from './option.js'
import { sameTask } from './same-task.js'
import type { Services } from './services.js'
import { usageError } from './usage-error.js'

const OPTIONS = {
  name: { type: 'string', flagOnly: true, describe: 'Name of the model [default: made from the task]' },
  ...MODEL_DIR_OPTION,
  ignoreTask: { type: 'boolean', describe: 'Learn although the recordings name different tasks' },
  force: {
    type: 'boolean',
    flagOnly: true,
    describe: 'Learn from recordings of failed runs; replace the model of another task',
  },
  allowCiWrite: { type: 'boolean', describe: 'Write the model although CI is set' },
  ...CACHE_OPTIONS,
} as const

export const learnCommand = defineCommand({
  name: 'learn',
  usage: '<trace…> [options]',
  describe: 'Learn from passing recordings what a correct run must show',
  options: OPTIONS,
  examples: [
    ['learn runs/', 'learn from all runs in a folder'],
    ["learn 'runs/*' --name search", 'the same by a glob; the model is oracle/search'],
    ['learn runs/ --json | jq .essential', 'what every recording showed'],
  ],
  async run(context, operands, settings) {
    if (operands.length === 0) {
      throw usageError(
        'learn needs recordings',
        "Name runs' folders, a folder of runs, or a glob: trace-oracle learn runs/",
      )
    }
    if (settings.name !== undefined) refuseBadName(settings.name)
    if (isOn(context.env.CI) && !settings.allowCiWrite) throw ciWrite()
    const traces = await readRecordings(context, operands, settings)
    const services = await context.services()
    const name = settings.name ?? services.modelName(taskOf(traces), operands[0]!)
    const folder = join(settings.modelDir, name)
    await refuseOtherModel(services, folder, taskOf(traces), settings)
    const model = await services.learn(traces, {
      name,
      fingerprinter: services.makeFingerprinter(settings),
      onProgress: (done, total) => {
        context.signal.throwIfAborted()
        context.progress.show('reading pictures', done, total)
      },
    })
    context.signal.throwIfAborted()
    await services.writeModel(model, folder, { pictures: picturesOf(model, traces) })
    context.progress.clear()
    const same = traces.length - model.traces.length
    if (same > 0)
      context.warn(
        `${count(same, 'recording')} of the ${traces.length} ${same === 1 ? 'is' : 'are'} the same as another: counted once`,
      )
    const summary = learnSummary(model, folder)
    context.out(settings.json ? `${jsonText(summary)}\n` : learnText(model, summary, context))
    return EXIT.pass
  },
})

async function readRecordings(
  { warn, signal }: Context,
  operands: readonly string[],
  { ignoreTask, force }: Settings<typeof OPTIONS>,
): Promise<Trace[]> {
  const traces: Trace[] = []
  for (const found of await findRuns(operands)) {
    signal.throwIfAborted()
    traces.push(...(await readRuns(found)))
  }
  for (const trace of traces) {
    const { name, steps, format, end, outcome, warnings } = trace
    if (steps.length === 0) throw emptyRun(trace)
    for (const warning of warnings) warn(`${name}: ${warning}`)
    if (outcome === 'fail' && !force) throw failedRecording(trace)
    if (outcome === 'fail') warn(`${name}: its runner says that it failed; learned from all the same`)
    else if (end?.claimed === 'fail') warn(`${name}: the agent itself claimed fail; learn from passing runs only`)
    if (!end && format === 'native') warn(`${name}: has no end, so it may have been cut off before the job was done`)
  }
  if (!ignoreTask) refuseDifferentTasks(traces)
  return traces
}

function refuseDifferentTasks(traces: readonly Trace[]): void {
  const first = traces.find(({ task }) => task !== undefined)
  const other = traces.find(({ task }) => task !== undefined && !sameTask(task, first!.task))
  if (!first || !other) return
  throw new InputError(
    'different-tasks',
    `the recordings are of different tasks: ${first.name} is ${quote(first.task)}, ${other.name} is ${quote(other.task)}`,
    undefined,
    'Learn one model for each task, or give --ignore-task if they mean the same',
  )
}

function failedRecording({ folder, name }: Trace): InputError {
  const advice = 'Learn from passing runs only; --force learns from it all the same'
  return new InputError('failed-recording', `the runner says that ${name} failed`, { file: folder }, advice)
}

function ciWrite(): InputError {
  const advice = 'Learn on your own machine and commit the model, or give --allow-ci-write'
  return new InputError('ci-write', 'CI is set, and nothing is written to a model there', undefined, advice)
}

function refuseBadName(name: string): void {
  const isName = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._-]*$/u.test(name) && name.length <= 100 && !/[ .]$/.test(name)
  if (isName) return
  throw usageError(`--name is ${quote(name)}`, 'It becomes a folder: letters, digits, spaces and ._- only, 100 at most')
}

/** Two tasks may come to the same name; the model of one must not silently take the place of the other. */
async function refuseOtherModel(
  { readModel }: Services,
  folder: string,
  task: string | null,
  { force, ignoreTask }: Settings<typeof OPTIONS>,
): Promise<void> {
  if (force || ignoreTask) return
  let existing: Model
  try {
    existing = await readModel(folder)
  } catch (error) {
    // To learn it anew is the remedy for a damaged model; one from the future is another matter.
    if (error instanceof InputError && error.code !== 'model-schema-newer') return
    throw error
  }
  if (existing.task === null || task === null || sameTask(existing.task, task)) return
  const what = `is the model of another task, ${quote(existing.task)}`
  throw new InputError(
    'model-of-other-task',
    what,
    { file: folder },
    'Choose another --name, or give --force to replace it',
  )
}

function taskOf(traces: readonly Trace[]): string | null {
  return traces.find(({ task }) => task !== undefined)?.task ?? null
}

function picturesOf(model: Model, traces: readonly Trace[]) {
  const byName = new Map(traces.map((trace) => [trace.name, trace]))
  return async ({ trace, step }: Exemplar): Promise<string | undefined> => {
    const recording = byName.get(model.traces[trace]?.name ?? '')
    const screenshot = recording?.steps.find(({ index }) => index === step)?.observation.screenshot
    return recording && screenshot !== undefined ? join(recording.folder, screenshot) : undefined
  }
}

/** What `learn --json` prints. */
export function learnSummary(model: Model, folder: string) {
  const { traces, states, chains, notes } = model
  const ofKind = (kind: string) => states.filter((state) => state.kind === kind)
  return {
    schema: 'trace-oracle/learn@1',
    model: folder.replaceAll('\\', '/'),
    traces: traces.length,
    states: states.length,
    essential: essentialStates(model).map(({ id, label, support }) => ({ id, label, support, of: traces.length })),
    optional: ofKind('optional').length,
    transient: ofKind('transient').length,
    terminals: chains.map(({ terminal }) => terminal),
    bound: traces.length > 0 ? Math.round(fewTraceBound(traces.length) * 1e4) / 1e4 : null,
    notes,
  } as const
}

function learnText(model: Model, summary: ReturnType<typeof learnSummary>, { colors, columns }: Context): string {
  const { essential, optional, transient, terminals, notes } = summary
  const rows = essential.map(({ id, label, support, of }) => [
    printable(id, 40),
    `${support}/${of}`,
    fitTo(printable(label) || '(no name)', columns - 24) + (terminals.includes(id) ? ' (end)' : ''),
  ])
  const others = `${optional} optional and ${transient} transient; ${count(terminals.length, 'way', 'ways')} to end`
  return [
    `Learned ${colors.bold(printable(model.name))} from ${count(summary.traces, 'recording')}: ${count(summary.states, 'state')}, ${essential.length} essential`,
    '',
    ...alignColumns(rows).map((line) => `  ${line}`),
    '',
    `Besides: ${others}.`,
    ...wrapTo(boundSentence(summary.traces), columns),
    ...noteLines(notes, columns, colors),
    '',
    `Written to ${printable(summary.model, 4000)}. See it with: trace-oracle show ${printable(summary.model, 4000)}`,
    '',
  ].join('\n')
}

function noteLines(notes: readonly string[], columns: number, colors: Colors): string[] {
  if (notes.length === 0) return []
  const lines = notes.flatMap((note) =>
    wrapTo(printable(note, 1000), columns - 4).map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`),
  )
  return ['', colors.bold('Notes'), ...lines]
}
