import type { EvaluatedRun, Evaluation } from '../eval/evaluation.js'
import type { CurvePoint, Spread } from '../eval/learning-curve.js'
import { isRight, type Metrics } from '../eval/metrics.js'
import { VERDICTS } from '../match/verdict.js'
import type { Colors } from './colors.js'
import { printable } from './printable.js'
import { alignColumns, count, fitTo, padTo } from './text-layout.js'

/** An evaluation for people. A figure that is not defined is shown as –. */
export function evalText(
  evaluation: Evaluation,
  { colors, columns = 100 }: { colors: Colors; columns?: number },
): string {
  const { metrics, claims, curve, training, model } = evaluation
  const by = model === null ? `learned from ${count(training.length, 'recording')}` : `model ${printable(model)}`
  const judges: [string, Metrics][] = [
    ...(metrics ? [['oracle', metrics] as [string, Metrics]] : []),
    ['agents’ claims', claims],
  ]
  const sections = [
    [colors.bold(`${count(evaluation.runs.length, 'labelled run')}, ${by}`)],
    curve === null ? runLines(evaluation.runs, colors, columns) : drawLines(evaluation, columns),
    ...(metrics ? [confusionLines(metrics, colors)] : []),
    figureLines(judges, colors),
    ...(curve ? [curveLines(curve, colors)] : []),
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function runLines(runs: readonly EvaluatedRun[], colors: Colors, columns: number): string[] {
  const rows = runs.map((run) => [
    run.right === null ? '?' : run.right ? '✓' : '✗',
    fitTo(printable(run.run), 40),
    run.label,
    run.verdict ?? '–',
    why(run),
  ])
  const [head, ...lines] = alignColumns([['', 'run', 'label', 'verdict', 'bug'], ...rows])
  const wrong = runs.filter(({ right }) => right === false)
  return [
    colors.dim(head!),
    ...lines.map((line, i) =>
      runs[i]!.right === false ? colors.red(line) : runs[i]!.right === null ? colors.yellow(line) : line,
    ),
    ...(wrong.length === 0 ? [] : ['', colors.bold('Wrong')]),
    ...wrong.map(({ run, verdict, reason }) =>
      fitTo(`  ${printable(run)} ${verdict}: ${printable(reason ?? '')}`, columns * 2),
    ),
  ]
}

/** With a learning curve: how often each run was judged right, for each size. */
function drawLines({ runs, curve }: Evaluation, columns: number): string[] {
  const points = curve?.points ?? []
  const rows = runs.map((run, i) => [
    fitTo(printable(run.run), Math.max(20, columns - 40)),
    run.label,
    ...points.map(({ draws }) => {
      const right = draws.filter(({ verdicts }) => isRight({ label: run.label, verdict: verdicts[i]! }) === true)
      return `${right.length}/${draws.length}`
    }),
    why(run),
  ])
  const sizes = points.map(({ size }) => `right, n=${size}`)
  return alignColumns(
    [['run', 'label', ...sizes, 'bug'], ...rows],
    points.map((_, i) => i + 2),
  )
}

function why({ bug, cause }: EvaluatedRun): string {
  return [bug, cause]
    .filter((text) => text !== null)
    .map((text) => printable(text, 40))
    .join(', ')
}

function confusionLines({ confusion }: Metrics, colors: Colors): string[] {
  const rows = (['pass', 'fail'] as const).map((label) => [
    `label ${label}`,
    ...VERDICTS.map((verdict) => String(confusion[label][verdict])),
  ])
  const [head, ...lines] = alignColumns([['', ...VERDICTS], ...rows], [1, 2, 3, 4])
  return [colors.dim(head!), ...lines]
}

function figureLines(judges: readonly (readonly [string, Metrics])[], colors: Colors): string[] {
  const figures: [string, (metrics: Metrics) => string][] = [
    ['accuracy (undecided counts as wrong)', ({ accuracy }) => figure(accuracy)],
    ['accuracy of those decided', ({ accuracyOfDecided }) => figure(accuracyOfDecided)],
    ['decided', ({ decided, runs }) => `${decided}/${runs}`],
    ['precision (of those called fail)', ({ precision }) => figure(precision)],
    ['recall (of those that fail)', ({ recall }) => figure(recall)],
    ['F1', ({ f1 }) => figure(f1)],
  ]
  const rows = figures.map(([name, of]) => [name, ...judges.map(([, metrics]) => of(metrics))])
  const [head, ...lines] = alignColumns(
    [['', ...judges.map(([name]) => name)], ...rows],
    judges.map((_, i) => i + 1),
  )
  return [colors.dim(head!), ...lines]
}

function curveLines({ points, seed }: NonNullable<Evaluation['curve']>, colors: Colors): string[] {
  const title = 'Learning curve: mean (worst) over training sets'
  const head = ['recordings', 'sets', 'accuracy', 'of decided', 'decided', 'F1', '']
  const rows = points.map((point) => [
    String(point.size),
    String(point.draws.length),
    spread(point.accuracy),
    spread(point.accuracyOfDecided),
    spread(point.decidedShare),
    spread(point.f1),
    bar(point),
  ])
  const [first, ...lines] = alignColumns([head, ...rows], [0, 1, 2, 3, 4, 5])
  return [
    colors.bold(title),
    colors.dim(`  ${first}`),
    ...lines.map((line) => `  ${line}`),
    colors.dim(`  seed ${seed}`),
  ]
}

function bar({ accuracy }: CurvePoint): string {
  return padTo('█'.repeat(Math.round((accuracy.mean ?? 0) * 20)), 20)
}

function spread({ mean, worst }: Spread): string {
  return `${figure(mean)} (${figure(worst)})`
}

function figure(value: number | null): string {
  return value === null ? '–' : value.toFixed(3)
}
