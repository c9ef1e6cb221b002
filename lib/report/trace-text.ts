import { actionPhrase } from '../match/action-phrase.js'
import type { Trace } from '../trace/trace.js'
import type { Colors } from './colors.js'
import { printable } from './printable.js'
import { alignColumns, count, displayWidth, fitTo, wrapTo } from './text-layout.js'

/** A run for people to read: its steps, one line each, and how it ended. */
export function traceText(trace: Trace, { colors, columns = 100 }: { colors: Colors; columns?: number }): string {
  const { name, task, agent, viewport, startedAt, format, steps, end, outcome, warnings } = trace
  const facts = [
    `${format} format`,
    count(steps.length, 'step'),
    ...(agent === undefined ? [] : [`agent ${printable(agent, 60)}`]),
    ...(viewport === undefined ? [] : [`viewport ${viewport.width}×${viewport.height}`]),
    ...(startedAt === undefined ? [] : [`started ${printable(startedAt, 40)}`]),
  ]
  const cells = steps.map(({ index, at, action, observation }) => [
    String(index),
    at === undefined ? '' : `${(at / 1000).toFixed(1)} s`,
    action === null ? '–' : printable(actionPhrase(action), 120),
    printable(observation.title ?? observation.url ?? '', 120),
    printable(observation.screenshot ?? (observation.text !== undefined ? '(text)' : '(result)'), 120),
  ])
  const header = ['step', 'time', 'action', 'screen', 'picture']
  const widths = header.map((_, i) => Math.max(...[header, ...cells].map((row) => displayWidth(row[i]!))))
  // Where a line would be too long, the longer of action and screen gives way first.
  const room = Math.max(30, columns - widths[0]! - widths[1]! - widths[4]! - 4 * 2)
  const screenWidth = Math.min(widths[3]!, Math.max(Math.floor(room / 2), room - widths[2]!))
  const rows = cells.map(([step, at, action, screen, file]) => [
    step!,
    at!,
    fitTo(action!, room - screenWidth),
    fitTo(screen!, screenWidth),
    file!,
  ])
  const [head, ...lines] = alignColumns([header, ...rows], [0, 1])
  return [
    colors.bold(printable(name)),
    ...(task === undefined ? [] : wrapTo(printable(task, 1000), columns)),
    colors.dim(facts.join(' · ')),
    '',
    ...(steps.length === 0 ? ['(no steps)'] : [colors.dim(head!), ...lines]),
    '',
    ...wrapTo(ending(end, outcome), columns),
    ...warnings.map((warning) => colors.yellow(`Warning: ${printable(warning)}`)),
    '',
  ].join('\n')
}

function ending(end: Trace['end'], outcome: Trace['outcome']): string {
  const said = outcome === null ? '' : ` The runner said ${outcome}.`
  if (!end) return `The recording has no end: it was cut off, or its format does not say.${said}`
  const claimed =
    end.claimed === undefined ? 'The agent claimed nothing' : `The agent claimed ${printable(end.claimed, 60)}`
  return `${claimed}${end.message === undefined ? '' : `: ${printable(end.message, 1000)}`}${/[.!?]$/.test(end.message ?? '') ? '' : '.'}${said}`
}
