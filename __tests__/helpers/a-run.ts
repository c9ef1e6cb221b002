import { createHash } from 'node:crypto'
import { learnAutomaton, type Sample, sampleId } from '../../lib/automaton/learn-automaton.js'
import { DEFAULT_LIMITS, type Limits } from '../../lib/equivalence/limits.js'
import { locallyDistinct } from '../../lib/equivalence/pair-tiers.js'
import { type Judged, judgeRun } from '../../lib/match/judge-run.js'
import { learnActions } from '../../lib/match/learn-actions.js'
import { ModelIndex } from '../../lib/match/model-index.js'
import type { LearnedState, Model } from '../../lib/model/model.js'
import { modelOfAutomaton } from '../../lib/model/model-of-automaton.js'
import type { State } from '../../lib/state/state.js'
import type { Action } from '../../lib/trace/trace.js'

type JudgeOptions = Parameters<typeof judgeRun>[2]

/** Words that stand on every screen. */
export const CHROME = ['File', 'Edit', 'View', 'Help']
/** Words that a screen has of its own: menu1 … menu6. */
export const OWN_WORDS = 6

/**
 * A run in one line: `aRun('start | click Menu: menu | click Save: saved | wait: saved')`. What stands after the colon
 * is what was to be seen after the action; the first screen has no action. A screen is known by its name: it shows the words of
 * CHROME and some of its own, always the same ones. Variations:
 *
 *     menu+toast        with the word `toast` too
 *     menu&panel        with the words of the screen `panel` too
 *     menu{6=other}     `other` stands where menu6 did; nothing does in `menu{6=}`
 *
 * `clock` is one more word on every screen of the run, as no two recordings are quite the same.
 */
export function aRun(text: string, clock?: string): State[] {
  return text.split('|').map((part, step) => {
    const [, said = '', screen = ''] = /^(?:(.*):)?\s*(\S+)$/su.exec(part.trim()) ?? []
    if (screen === '' || (said === '') !== (step === 0)) throw new Error(`This is no step of a run: ${part}`)
    const state = aState(step, said === '' ? null : anAction(said), wordsOf(screen, clock))
    screens.set(state.content, screen.replace(/[{+].*$/su, ''))
    return state
  })
}

/** Content of what `aRun` made -> the screen it was. */
const screens = new Map<string, string>()

/** The same way several times, each with a clock of its own; several ways in turn. */
export function recordings(count: number, ...ways: readonly string[]): State[][] {
  return Array.from({ length: count }, (_, i) => aRun(ways[i % ways.length]!, `10:0${i}`))
}

/** A state that shows these words. */
export function aState(step: number, action: Action | null, words: readonly string[]): State {
  const tokens = new Map<string, number>()
  for (const word of words) tokens.set(`w${word}`, (tokens.get(`w${word}`) ?? 0) + 1)
  const content = createHash('sha256')
    .update(JSON.stringify([...tokens].sort()))
    .digest('hex')
    .slice(0, 32)
  return { step, at: step * 1000, action, content, tokens, fingerprint: undefined, title: undefined, url: undefined }
}

/** The run with other words on every screen. */
export function withWords(
  states: readonly State[],
  change: (words: readonly string[], step: number) => string[],
): State[] {
  return states.map((state) => aState(state.step, state.action, change(wordsShown(state), state.step)))
}

/** The steps in another order, or some of them: numbered anew. */
export function numberedAnew(states: readonly State[]): State[] {
  return states.map((state, step) => ({ ...state, step, at: step * 1000, ...(step === 0 ? { action: null } : {}) }))
}

export function wordsShown({ tokens }: State): string[] {
  return [...tokens].flatMap(([token, count]) => Array<string>(count).fill(token.slice(1)))
}

function wordsOf(screen: string, clock: string | undefined): string[] {
  const [, names = '', changes = '', extras = ''] = /^([^{+]+)(?:\{(.*)\})?(\+.+)?$/u.exec(screen) ?? []
  if (names === '') throw new Error(`This is no screen: ${screen}`)
  const own = names.split('&').flatMap((name) => Array.from({ length: OWN_WORDS }, (_, i) => `${name}${i + 1}`))
  for (const change of changes === '' ? [] : changes.split(',')) {
    const [place, other] = change.split('=')
    own[Number(place) - 1] = other!
  }
  const all = [...CHROME, ...own, ...extras.split('+'), clock ?? '']
  return all.filter((word) => word !== '')
}

function anAction(said: string): Action {
  const [type, ...rest] = said.trim().split(' ')
  const what = rest.join(' ')
  if (what === '') return { type: type! }
  const field = { type: 'text', key: 'key', goto: 'url', tool: 'name' }[type as 'type'] ?? 'target'
  return { type: type!, [field]: what }
}

export function samplesOf(runs: readonly (readonly State[])[]): Sample[] {
  return runs.map((states) => ({ id: sampleId(states), states }))
}

/** The model of passing runs, as `learn` makes it: the same recording twice counts once. */
export function learned(...runs: readonly (readonly State[])[]): Model {
  const samples = [...new Map(samplesOf(runs).map((sample) => [sample.id, sample])).values()]
  const model = modelOfAutomaton(learnAutomaton(samples, locallyDistinct(DEFAULT_LIMITS)), {
    name: 'model',
    task: null,
    traces: samples.map(({ id, states }) => ({ id, name: `run-${id}`, steps: states.length })),
    limits: DEFAULT_LIMITS satisfies Limits,
  })
  return learnActions(
    model,
    samples.map(({ states }) => states),
  )
}

export function judged(model: Model, run: readonly State[], options: Partial<JudgeOptions> = {}): Judged {
  return judgeRun(new ModelIndex(model), run, { minCoverage: 1, strict: false, ...options })
}

export function verdict(model: Model, run: readonly State[], options: Partial<JudgeOptions> = {}): Judged['verdict'] {
  return judged(model, run, options).verdict
}

/** The screens that were merged into a learned state: `menu`, or `menu/page` where two were taken for one. */
export function screenOf({ members }: LearnedState): string {
  return [...new Set(members.map(({ content }) => screens.get(content) ?? '?'))].sort().join('/')
}

/** The chains in words, terminal last: `['start menu saved']`. */
export function chainsOf(model: Model): string[] {
  return model.chains.map(({ states }) => states.map((id) => screenOf(stateOf(model, id))).join(' '))
}

/** The pairs of all chains: `['start<menu', 'menu<saved']`. */
export function orderOf(model: Model): string[] {
  const name = (id: string) => screenOf(stateOf(model, id))
  return model.chains.flatMap(({ order }) => order.map(([a, b]) => `${name(a)}<${name(b)}`))
}

/** The screens of a kind of state. */
export function screensOf(model: Model, kind: LearnedState['kind']): string[] {
  return model.states.filter((state) => state.kind === kind).map(screenOf)
}

export function stateOf(model: Model, id: string): LearnedState {
  return model.states.find((state) => state.id === id)!
}

/** The id of the first learned state that is known by a screen. */
export function idOf(model: Model, screen: string): string {
  const state = model.states.find((candidate) => screenOf(candidate) === screen)
  if (state === undefined) throw new Error(`No state shows ${screen}: ${model.states.map(screenOf).join(', ')}`)
  return state.id
}
