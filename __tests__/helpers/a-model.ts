import { createHash } from 'node:crypto'
import { DEFAULT_LIMITS, type Limits } from '../../lib/equivalence/limits.js'
import type { Exemplar, LearnedAction, LearnedState, Model, Premise, StateKind } from '../../lib/model/model.js'

export interface ModelSketch {
  readonly name?: string
  readonly task?: string | null
  /** Number of recordings; all pass through the essential states. */
  readonly traces?: number
  /** Labels of the essential states, the terminal last. */
  readonly chain?: readonly string[]
  /** Instead of `chain`, when runs may end in several ways; the same label is the same state. */
  readonly chains?: readonly (readonly string[])[]
  /** Optional state -> the states between which a recording passed it (the direct way stays). */
  readonly optional?: { readonly [label: string]: readonly [after: string, before: string] }
  /** The same for states that are always left by waiting. */
  readonly transient?: { readonly [label: string]: readonly [after: string, before: string] }
  /** Of optional states. */
  readonly alternatives?: readonly (readonly string[])[]
  /** Pairs of labels, where the order is not that of the chain from one state to the next. */
  readonly order?: readonly (readonly [string, string])[]
  /** State -> its tokens; default: one, of the label's own. */
  readonly tokens?: { readonly [label: string]: readonly string[] }
  /** State -> the action that led there; default: a click on the label. The first state has none. */
  readonly actions?: { readonly [label: string]: Omit<LearnedAction, 'support'> }
  /** Whether states have an exemplar with a (made-up) fingerprint. */
  readonly exemplars?: boolean
  readonly premises?: readonly Premise[]
  /** Essential state -> words of the actions by which recordings came to show it; default: left out. */
  readonly entering?: { readonly [label: string]: readonly (readonly string[])[] }
  readonly limits?: Partial<Limits>
  readonly notes?: readonly string[]
}

/**
 * A model in one line: `aModel({ chain: ['a', 'b', 'c'], optional: { x: ['a', 'b'] } })`. Ids are s1, s2, … in
 * topological order; `stateNamed` finds a state by its label. It is a whole model: what is written of it can be read.
 */
export function aModel(sketch: ModelSketch = {}): Model {
  const { traces = 3, chains = [sketch.chain ?? ['start', 'end']] } = sketch
  const detours = [...Object.entries(sketch.optional ?? {}), ...Object.entries(sketch.transient ?? {})]
  const arrows = [
    ...chains.flatMap((chain) => chain.slice(1).map((label, i) => [chain[i]!, label] as const)),
    ...detours.flatMap(([label, [after, before]]) => [[after, label] as const, [label, before] as const]),
  ]
  const labels = inOrder([...new Set([...chains.flat(), ...detours.map(([label]) => label)])], arrows)
  const idOf = (label: string) => {
    if (!labels.includes(label)) throw new Error(`The sketch has no state ${label}`)
    return `s${labels.indexOf(label) + 1}`
  }
  const kindOf = (label: string): StateKind =>
    own(sketch.optional, label) ? 'optional' : own(sketch.transient, label) ? 'transient' : 'essential'
  const sorted = (pairs: readonly (readonly [string, string])[]) =>
    [...new Set(pairs.map(([a, b]) => `${labels.indexOf(a)} ${labels.indexOf(b)}`))]
      .map((key) => key.split(' ').map(Number))
      .sort(([a, b], [c, d]) => a! - c! || b! - d!)
      .map(([a, b]) => [labels[a!]!, labels[b!]!] as const)
  const states = labels.map((label, i): LearnedState => {
    const kind = kindOf(label)
    const support = kind === 'essential' ? traces : 1
    const action = own(sketch.actions, label) ?? { type: 'click', target: label }
    return {
      id: idOf(label),
      label,
      kind,
      reason: kind === 'essential' ? `All ${traces} recordings pass it` : `${support} of ${traces} recordings pass it`,
      support,
      terminal: chains.some((chain) => chain.at(-1) === label),
      members: Array.from({ length: support }, (_, trace) => ({
        trace,
        step: i,
        content: digest(`${label} ${trace}`),
        judgement: { answer: 'equivalent', tier: 'exact', reason: 'same content', measures: {} },
      })),
      actions: i === 0 ? [] : [{ ...action, support }],
      signature: {
        of: support,
        tokens: [...(own(sketch.tokens, label) ?? [`word:${label}`])]
          .sort((a, b) => (a < b ? -1 : 1))
          .map((token) => ({ token, support, least: 1, most: 1, weight: 2.5 })),
      },
      ...(own(sketch.entering, label) === undefined ? {} : { entering: own(sketch.entering, label) }),
      ...(sketch.exemplars ? { exemplar: anExemplar(label, i) } : {}),
    }
  })
  return {
    name: sketch.name ?? 'sketch',
    task: sketch.task === undefined ? 'Do it' : sketch.task,
    traces: Array.from({ length: traces }, (_, i) => ({
      name: `run-${i + 1}`,
      id: digest(`run ${i}`),
      steps: labels.length,
    })),
    states,
    edges: sorted(arrows).map(([from, to]) => {
      const optional = kindOf(from) !== 'essential' || kindOf(to) !== 'essential'
      return { from: idOf(from), to: idOf(to), support: optional ? 1 : traces }
    }),
    immediateDominators: Object.fromEntries(
      labels.map((label) => {
        const above = immediateDominator(label, labels, arrows)
        return [idOf(label), above === null ? null : idOf(above)]
      }),
    ),
    chains: chains.map((chain) => {
      const pairs = sketch.order ?? chain.slice(1).map((label, i) => [chain[i]!, label] as const)
      const order = pairs.filter((pair) => pair.every((label) => chain.includes(label)))
      return {
        terminal: idOf(chain.at(-1)!),
        states: chain.map(idOf),
        order: order.map(([earlier, later]) => [idOf(earlier), idOf(later)] as const),
        leastActions: order.map(() => 1),
      }
    }),
    alternatives: (sketch.alternatives ?? []).map((set) => set.map(idOf)),
    premises: sketch.premises ?? [],
    limits: { ...DEFAULT_LIMITS, ...sketch.limits },
    notes: sketch.notes ?? [],
  }
}

export function stateNamed(model: Model, label: string): LearnedState {
  const state = model.states.find((candidate) => candidate.label === label)
  if (state === undefined) throw new Error(`The model has no state ${label}`)
  return state
}

/** Made up from a word: the same word gives the same. */
export function anExemplar(word: string, step: number): Exemplar {
  const [width, height] = [16, 10]
  const luma = Uint8Array.from({ length: width * height }, (_, i) =>
    i < 2 * width ? 40 : word.charCodeAt(i % word.length),
  )
  const fingerprint = { sha256: digest(word), width: 160, height: 100, scale: 1, blockhash: digest(`${word}'s blocks`) }
  return { trace: 0, step, fingerprint: { ...fingerprint, thumbnail: { width, height, luma } } }
}

/** Labels such as `constructor` are labels. */
function own<T>(dictionary: { readonly [label: string]: T } | undefined, label: string): T | undefined {
  return dictionary !== undefined && Object.hasOwn(dictionary, label) ? dictionary[label] : undefined
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Topological order, as near to the given one as the arrows allow. */
function inOrder(labels: readonly string[], arrows: readonly (readonly [string, string])[]): string[] {
  const done: string[] = []
  while (done.length < labels.length) {
    const next = labels.find(
      (label) => !done.includes(label) && arrows.every(([from, to]) => to !== label || done.includes(from)),
    )
    if (next === undefined) throw new Error('The sketch has a cycle')
    done.push(next)
  }
  return done
}

/** The last state, in topological order, without which there is no way from a first state to this one. */
function immediateDominator(
  label: string,
  labels: readonly string[],
  arrows: readonly (readonly [string, string])[],
): string | null {
  const reachable = (without: string): boolean => {
    const reached = labels.filter((start) => start !== without && arrows.every(([, to]) => to !== start))
    for (const at of reached) {
      for (const [from, to] of arrows) if (from === at && to !== without && !reached.includes(to)) reached.push(to)
    }
    return reached.includes(label)
  }
  const above = labels.slice(0, labels.indexOf(label)).filter((candidate) => !reachable(candidate))
  return above.at(-1) ?? null
}
