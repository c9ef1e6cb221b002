import { fewTraceBound } from '../automaton/few-trace-bound.js'
import { actionPhrase } from '../match/action-phrase.js'
import { essentialStates } from '../model/essential-states.js'
import type { Chain, LearnedState, Model } from '../model/model.js'
import type { Colors } from './colors.js'
import { judgementLine } from './list-reporter.js'
import { printable } from './printable.js'
import { alignColumns, count, fitTo, padTo, percent, wrapTo } from './text-layout.js'

export interface ModelTextOptions {
  readonly colors: Colors
  readonly columns?: number
  /** Folder of the model, for people. */
  readonly folder: string
  /** List for every state the observations that were merged into it, and why. */
  readonly merges?: boolean
}

/** A model for people to read, as plain lines: what it knows, in the order in which a run meets it. */
export function modelText(model: Model, options: ModelTextOptions): string {
  const { colors, columns = 100 } = options
  const sections = [
    heading(model, options),
    model.states.flatMap((state) => stateLines(state, model, options)),
    titled('Edges', edgeLines(model), colors),
    titled(
      'What a run must show',
      model.chains.flatMap((chain) => chainLines(chain, model)),
      colors,
    ),
    titled(
      'Alternatives (every recording passed exactly one)',
      model.alternatives.map((set) => set.map(printableId).join(' or ')),
      colors,
    ),
    titled(
      'Notes',
      model.notes.flatMap((note) => bullet(printable(note, 1000), columns)),
      colors,
    ),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

/** What a kind of state looks like in front of its line. */
export const STATE_MARKS = { essential: '●', optional: '○', transient: '◌' } as const

function heading(model: Model, { colors, columns = 100, folder }: ModelTextOptions): string[] {
  const n = model.traces.length
  const essential = essentialStates(model).length
  const names = model.traces.map(({ name, steps }) => `${printable(name, 60)} (${count(steps, 'step')})`).join(', ')
  return [
    colors.bold(printable(model.name)),
    ...(model.task === null ? [] : wrapTo(printable(model.task, 1000), columns)),
    ...wrapTo(
      `${printable(folder, 4000)}: ${count(model.states.length, 'state')}, ${essential} essential; learned from ${count(n, 'recording')}: ${names}`,
      columns,
    ).map(colors.dim),
    ...wrapTo(boundSentence(n), columns).map(colors.dim),
  ]
}

/** What so few recordings are worth. */
export function boundSentence(n: number): string {
  if (n < 1) return 'Learned from no recording.'
  const chance = percent(fewTraceBound(n))
  const shown = n === 1 ? 'the one recording shows' : n === 2 ? 'both recordings show' : `all ${n} recordings show`
  return `What ${shown} may still be optional: with 95 % confidence, at most ${chance} of correct runs do without it.`
}

function stateLines(
  state: LearnedState,
  model: Model,
  { colors, columns = 100, merges = false }: ModelTextOptions,
): string[] {
  const { id, label, kind, support, terminal, actions, reason, sameAs } = state
  const of = model.traces.length
  const idWidth = Math.max(...model.states.map((other) => other.id.length))
  const ratio = `${String(support).padStart(String(of).length)}/${of}`
  const marks = [
    kind,
    ...(terminal ? ['end'] : []),
    ...(sameAs === undefined ? [] : [`as ${printable(sameAs, 40)}`]),
  ].join(', ')
  const start = `${STATE_MARKS[kind]} ${padTo(printable(id, 40), idWidth)}  ${bar(support, of)} ${ratio}  `
  const room = Math.max(20, columns - start.length - marks.length - 2)
  const name = fitTo(printable(label) || '(no name)', room)
  const lines = [`${start}${kind === 'essential' ? colors.bold(name) : name}  ${colors.dim(marks)}`]
  const indent = ' '.repeat(idWidth + 4)
  const ways = actions.map((action) => `${printable(actionPhrase(action), 80)} ×${action.support}`)
  if (ways.length > 0)
    lines.push(...wrapTo(`by ${ways.join(', ')}`, columns - indent.length).map((line) => colors.dim(indent + line)))
  if (merges) {
    lines.push(...wrapTo(printable(reason), columns - indent.length).map((line) => indent + line))
    const rows = state.members.map(({ trace, step, judgement }) => [
      printable(model.traces[trace]?.name ?? `recording ${trace}`, 60),
      `step ${step}`,
      judgementLine(judgement),
    ])
    lines.push(...alignColumns(rows).map((line) => `${indent}${line}`))
  }
  return lines
}

function edgeLines({ states, edges }: Model): string[] {
  const rows = states.map(({ id }) => {
    const out = edges.filter(({ from }) => from === id).map(({ to, support }) => `${printableId(to)} ×${support}`)
    return [`${printableId(id)} →`, out.join(', ')]
  })
  return alignColumns(rows.filter(([, out]) => out !== ''))
}

function chainLines({ terminal, states, order }: Chain, model: Model): string[] {
  const ids = states.map(printableId)
  const isLine =
    order.length === states.length - 1 && order.every(([a, b], i) => a === states[i] && b === states[i + 1])
  const label = model.states.find(({ id }) => id === terminal)?.label ?? ''
  const lines = [
    `to end in ${printableId(terminal)} "${fitTo(printable(label), 60)}": ${ids.join(isLine ? ' → ' : ', ')}`,
  ]
  if (!isLine) {
    const pairs = order.map(([a, b]) => `${printableId(a)} before ${printableId(b)}`)
    lines.push(`  ${pairs.length === 0 ? 'in any order' : `in any order with ${pairs.join(', ')}`}`)
  }
  return lines
}

function titled(title: string, lines: readonly string[], colors: Colors): string[] {
  return lines.length === 0 ? [] : [colors.bold(title), ...lines.map((line) => `  ${line}`)]
}

function bullet(text: string, columns: number): string[] {
  return wrapTo(text, columns - 4).map((line, i) => `${i === 0 ? '- ' : '  '}${line}`)
}

function bar(part: number, whole: number): string {
  const full = whole === 0 ? 0 : Math.round((part / whole) * BAR_WIDTH)
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
}

const BAR_WIDTH = 10

function printableId(id: string): string {
  return printable(id, 40)
}
