import type { Automaton, Node } from '../automaton/learn-automaton.js'
import { canonicalJson } from '../canonical-json.js'
import type { Limits } from '../equivalence/limits.js'
import { actionPhrase } from '../match/action-phrase.js'
import type { LearnedAction, LearnedState, Model, SignatureToken, TrainingTrace } from './model.js'

export interface ModelDetails {
  readonly name: string
  readonly task: string | null
  /** In the order in which the samples were given to the automaton. */
  readonly traces: readonly TrainingTrace[]
  readonly limits: Limits
}

/** Gives the automaton's nodes ids, labels and signatures. Pure. */
export function modelOfAutomaton(automaton: Automaton, details: ModelDetails): Model {
  const { nodes, edges, chains } = automaton
  const id = (node: number) => `s${node + 1}`
  const labels = uniqueLabels(nodes)
  const n = automaton.order.length
  return {
    name: details.name,
    task: details.task,
    traces: automaton.order.map((index) => details.traces[index]!),
    states: nodes.map((node, index) => {
      const exemplar = exemplarOf(node)
      return {
        id: id(index),
        label: labels[index]!,
        kind: node.kind,
        reason: node.reason,
        support: node.support,
        terminal: node.terminal,
        ...(node.sameAs === null ? {} : { sameAs: id(node.sameAs) }),
        members: node.members.map((m) => ({
          trace: m.trace,
          step: m.state.step,
          content: m.state.content,
          judgement: m.judgement,
        })),
        actions: learnedActions(node),
        signature: { of: node.bags.length, tokens: signatureTokens(node, automaton) },
        ...(exemplar === undefined ? {} : { exemplar }),
      }
    }),
    edges: edges.map(({ from, to, support }) => ({ from: id(from), to: id(to), support })),
    immediateDominators: Object.fromEntries(
      automaton.immediateDominators.map((above, node) => [id(node), above === null ? null : id(above)]),
    ),
    chains: chains.map((chain) => ({
      terminal: id(chain.terminal),
      states: chain.nodes.map(id),
      order: chain.order.map(([a, b]) => [id(a), id(b)] as const),
      leastActions: chain.leastActions,
    })),
    alternatives: automaton.alternatives.map((set) => set.map(id)),
    premises: [],
    limits: details.limits,
    notes: notesOf(automaton, n),
  }
}

function notesOf(automaton: Automaton, n: number): string[] {
  const notes: string[] = []
  if (n === 1) {
    notes.push(
      'One recording only: every state of it is required, and any other way to the same end will fail or stay open',
    )
  }
  if (automaton.chains.length > 1)
    notes.push(`Recordings end in ${automaton.chains.length} different states; each is accepted`)
  return notes
}

function signatureTokens({ bags }: Node, { vocabulary, weights }: Automaton): SignatureToken[] {
  const stats = new Map<number, { support: number; least: number; most: number }>()
  for (const { ids, counts } of bags) {
    for (let i = 0; i < ids.length; i++) {
      const count = counts[i]!
      const entry = stats.get(ids[i]!)
      if (entry === undefined) stats.set(ids[i]!, { support: 1, least: count, most: count })
      else {
        entry.support++
        entry.least = Math.min(entry.least, count)
        entry.most = Math.max(entry.most, count)
      }
    }
  }
  return [...stats]
    .filter(([token]) => weights[token]! > 0)
    .map(([token, entry]) => ({
      token: vocabulary.name(token),
      ...entry,
      weight: Math.round(weights[token]! * 1e4) / 1e4,
    }))
    .sort((a, b) => (a.token < b.token ? -1 : 1))
}

/** The settled member in the middle of the canonical order, with a picture. */
function exemplarOf(node: Node): LearnedState['exemplar'] {
  const settled = node.members.filter((m) => m.settled)
  const candidates = (settled.length > 0 ? settled : node.members).filter((m) => m.state.fingerprint !== undefined)
  const member = candidates[Math.floor((candidates.length - 1) / 2)]
  if (member === undefined) return undefined
  const { components: _components, colours: _colours, ...fingerprint } = member.state.fingerprint!
  return { trace: member.trace, step: member.state.step, fingerprint }
}

function learnedActions(node: Node): LearnedAction[] {
  const found = new Map<string, { action: Omit<LearnedAction, 'support'>; traces: Set<number> }>()
  for (const { trace, action, settled } of node.members) {
    if (action === null || (!settled && node.kind !== 'transient')) continue
    const { type, target, text, key } = action
    const said = {
      type,
      ...(target ? { target } : {}),
      ...(text && type !== 'wait' ? { text } : {}),
      ...(key ? { key } : {}),
    }
    const name = canonicalJson(said)
    if (!found.has(name)) found.set(name, { action: said, traces: new Set() })
    found.get(name)!.traces.add(trace)
  }
  return [...found]
    .sort(([a, x], [b, y]) => y.traces.size - x.traces.size || (a < b ? -1 : 1))
    .map(([, { action, traces }]) => ({ ...action, support: traces.size }))
}

/**
 * From the action that brought it up (the most frequent), else the title, else the url; told apart by a number where needed.
 * Another place of a state bears the state's name.
 */
function uniqueLabels(nodes: readonly Node[]): string[] {
  const used = new Map<string, number>()
  const labels = nodes.map((node, index) => {
    if (node.sameAs !== null) return ''
    const places = nodes.filter((other) => other.sameAs === index).flatMap((other) => other.members)
    const base = labelOf({ ...node, members: [...node.members, ...places] })
    const count = (used.get(base) ?? 0) + 1
    used.set(base, count)
    return count === 1 ? base : `${base} (${count})`
  })
  return labels.map((label, index) =>
    nodes[index]!.sameAs === null ? label : `${labels[nodes[index]!.sameAs!]!}, elsewhere`,
  )
}

function labelOf(node: Node): string {
  const members = node.members
  if (node.kind === 'transient') {
    const title = commonest(members.map((m) => m.state.title))
    return title ? `passing: ${title}` : 'passing screen'
  }
  const starts = members.filter((m) => m.settled && m.action === null).length
  if (2 * starts > members.filter((m) => m.settled).length) return 'start'
  const action = learnedActions(node)[0]
  if (action !== undefined) return `after ${actionPhrase(action)}`
  return commonest(members.map((m) => m.state.title)) ?? commonest(members.map((m) => m.state.url)) ?? 'a state'
}

function commonest(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0]
}
