import { InputError } from '../input-error.js'
import type { Model } from '../model/model.js'
import { toDot } from '../report/dot.js'
import { jsonText } from '../report/json-text.js'
import { toMermaid } from '../report/mermaid.js'
import { modelText } from '../report/model-text.js'
import { modelView } from '../report/model-view.js'
import { traceText } from '../report/trace-text.js'
import type { Trace } from '../trace/trace.js'
import { type Context, defineCommand, EXIT } from './command.js'
import { findRuns, readRuns } from './load-traces.js'
import { MODEL_DIR_OPTION, type Settings } from './option.js'
import { usageError } from './usage-error.js'

const OPTIONS = {
  format: { type: 'string', choices: ['text', 'dot', 'mermaid'], default: 'text', describe: 'How to draw a model' },
  merges: { type: 'boolean', describe: 'List what was merged into each state, and why' },
  ...MODEL_DIR_OPTION,
} as const

export const showCommand = defineCommand({
  name: 'show',
  usage: '[model|run] [options]',
  describe: 'Show what a model knows, or the steps of a run',
  options: OPTIONS,
  examples: [
    ['show', 'the only model there is'],
    ['show search --merges', 'oracle/search, and why its states are what they are'],
    ['show search --format dot | dot -Tsvg > search.svg', 'a picture'],
    ['show runs/today/run-42', 'the steps of a run'],
  ],
  async run(context, operands, settings) {
    if (operands.length > 1)
      throw usageError(`show takes one model or run, not ${operands.length}`, 'Show one after the other')
    const shown = await findShown(context, operands[0], settings)
    if ('model' in shown) context.out(modelOutput(shown, context, settings))
    else {
      if (settings.format !== 'text') throw usageError(`--format ${settings.format} draws models`, 'A run has no graph')
      if (settings.merges) throw usageError('--merges is for models', 'A run has no merges')
      context.out(settings.json ? `${jsonText(runJson(shown.trace))}\n` : traceText(shown.trace, context))
    }
    return EXIT.pass
  },
})

type Shown = { readonly model: Model; readonly folder: string } | { readonly trace: Trace }

/** A model where the operand can be one: by its name, too; else a run. */
async function findShown(
  { services }: Context,
  operand: string | undefined,
  { modelDir }: Settings<typeof OPTIONS>,
): Promise<Shown> {
  const { resolveModel, readModel } = await services()
  if (operand === undefined) {
    const folder = await resolveModel(undefined, modelDir, null)
    return { folder, model: await readModel(folder) }
  }
  let noModel: InputError
  try {
    const folder = await resolveModel(operand, modelDir, null)
    return { folder, model: await readModel(folder) }
  } catch (error) {
    if (!(error instanceof InputError && error.code === 'model-missing')) throw error
    noModel = error
  }
  try {
    const traces = await findTrace(operand)
    return { trace: traces }
  } catch (error) {
    // Neither: a mistyped name of a model has no folder at all.
    if (error instanceof InputError && error.code === 'path-missing' && !/[\\/]/.test(operand)) throw noModel
    throw error
  }
}

async function findTrace(operand: string): Promise<Trace> {
  const found = await findRuns([operand])
  const traces = found.length === 1 ? await readRuns(found[0]!) : []
  if (traces.length === 1) return traces[0]!
  const what = `holds ${found.length === 1 ? traces.length : found.length} runs`
  throw new InputError('several-traces', what, { file: operand }, `Name one of them, for instance ${found[0]!.path}`)
}

function modelOutput(
  { model, folder }: { readonly model: Model; readonly folder: string },
  { colors, columns }: Context,
  { format, merges, json }: Settings<typeof OPTIONS & { json: { type: 'boolean'; describe: '' } }>,
): string {
  if (json) return `${jsonText(modelJson(model, folder))}\n`
  switch (format) {
    case 'dot':
      return toDot(modelView(model))
    case 'mermaid':
      return toMermaid(modelView(model))
    default:
      return modelText(model, { colors, columns, folder, merges })
  }
}

/** The model without the long lists of numbers that only the tiers can read. */
function modelJson(model: Model, folder: string) {
  return {
    schema: 'trace-oracle/show@1',
    kind: 'model',
    folder: folder.replaceAll('\\', '/'),
    ...model,
    states: model.states.map(({ signature, exemplar, ...state }) => ({
      ...state,
      signature: { of: signature.of, tokens: signature.tokens.length },
      ...(exemplar && { exemplar: { trace: exemplar.trace, step: exemplar.step } }),
    })),
  }
}

function runJson(trace: Trace) {
  return { schema: 'trace-oracle/show@1', kind: 'run', ...trace, folder: trace.folder.replaceAll('\\', '/') }
}
