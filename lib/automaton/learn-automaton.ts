import { createHash } from 'node:crypto'
import { canonicalJson } from '../canonical-json.js'
import { sameAction } from '../equivalence/action-words.js'
import type { Judgement } from '../equivalence/judgement.js'
import { profile, similarity } from '../equivalence/profile.js'
import { difference, lacking, type SignatureIndex, signatureIndex, weightOf } from '../equivalence/signature.js'
import { tokenWeights } from '../equivalence/token-weights.js'
import type { State } from '../state/state.js'
import { type TokenBag, Vocabulary } from '../state/token-bag.js'
import type { Action } from '../trace/trace.js'
import { type Digraph, digraph } from './digraph.js'
import { dominators } from './dominators.js'
import { type Item, itemsOf, type Look } from './item.js'
import { mergeTraces } from './merge-traces.js'
import { type Cell, partialOrderAlignment } from './partial-order-alignment.js'
import { partialOrder } from './precedes.js'
import { reachableFrom } from './reachable-from.js'
import { topologicalOrder } from './topological-order.js'

/** One recording, ready to be learned from. `id` is a digest of its steps; equal recordings have equal ids. */
export interface Sample {
  readonly id: string
  readonly states: readonly State[]
}

/** The merged graph with its essential states, before it is given names, pictures and a folder. */
export interface Automaton {
  /** Indices into the samples that were given, in the canonical order that `trace` below counts in. */
  readonly order: readonly number[]
  readonly vocabulary: Vocabulary
  readonly weights: Float64Array
  readonly nodes: readonly Node[]
  readonly edges: readonly { readonly from: number; readonly to: number; readonly support: number }[]
  readonly immediateDominators: readonly (number | null)[]
  readonly chains: readonly {
    readonly terminal: number
    readonly nodes: readonly number[]
    readonly order: readonly (readonly [number, number])[]
    /** For each pair of `order`: the fewest actions, waits apart, that any recording took from the one to the other. */
    readonly leastActions: readonly number[]
  }[]
  readonly alternatives: readonly (readonly number[])[]
}

export interface Node {
  readonly kind: 'essential' | 'optional' | 'transient'
  readonly reason: string
  readonly support: number
  readonly terminal: boolean
  /** The node of which this is another place. */
  readonly sameAs: number | null
  readonly members: readonly NodeMember[]
  /** Bags of the observations that stand for the state, one a trace: what the signature is taken of. */
  readonly bags: readonly TokenBag[]
}

export interface NodeMember {
  readonly trace: number
  readonly state: State
  /** What brought it up; a wait is passed over. */
  readonly action: Action | null
  readonly judgement: Judgement
  /** Whether the agent acted on it (or the run ended there), rather than waiting on. */
  readonly settled: boolean
}

/** What members share must weigh this much, in components, for a state to be recognised by it. */
const RECOGNISABLE = 0.6
/** Share of the words from which on the actions that led to two nodes are the same. */
const SAME_ACTION = 0.5
/** Share of what all ends show that an earlier visit to the end shows, and nothing that tells the end from it. */
const SAME_END = 0.9
/** Similarity from which on two frames that were waited through are the same. */
const SAME_FRAME = 0.8

/**
 * Learns the automaton of passing samples: prefix tree acceptor, merge by partial order alignment, dominator tree, essential
 * states. `distinct` is the judgement of the local tiers on two observations: such are never merged. Pure and deterministic;
 * the order of the samples has no influence.
 */
export function learnAutomaton(
  samples: readonly Sample[],
  distinct: (a: State, b: State) => boolean = () => false,
): Automaton {
  if (samples.length === 0) throw new RangeError('Learning needs at least one sample')
  const order = [...samples.keys()].sort((a, b) => {
    const [left, right] = [samples[a]!, samples[b]!]
    return left.states.length - right.states.length || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)
  })
  const vocabulary = new Vocabulary()
  const traces = order.map((index) => itemsOf(samples[index]!.states, vocabulary))
  const weights = tokenWeights(
    traces.map((items) => items.map((item) => item.settled.bag)),
    vocabulary,
  )
  const { columns, columnOf } = mergeTraces(traces, weights, distinct)
  const places = findPlaces(columns, traces, weights)
  const graph = new GraphBuilder(traces, columns, columnOf, weights)
  return assemble(graph, places, { order, vocabulary, weights, traces })
}

/** column -> the column of which it is another place, for states that traces reach in different order. */
function findPlaces(
  columns: readonly (readonly Cell[])[],
  traces: readonly (readonly Item[])[],
  weights: Float64Array,
): Map<number, number> {
  const places = new Map<number, number>()
  const itemOf = ({ sequence, item }: Cell) => traces[sequence]![item]!
  const required = (cells: readonly Cell[]) =>
    signatureIndex(
      cells.map((cell) => itemOf(cell).effect),
      weights,
    ).required
  // Largest first: what most traces show at one place is most likely to be completed by the others.
  const candidates = [...columns.keys()]
    .filter((c) => columns[c]!.length < traces.length && columns[c]!.length > 1)
    .sort((a, b) => columns[b]!.length - columns[a]!.length || a - b)
  const taken = new Set<number>()
  // A visit to the end before the end: the agent looked round a little and came back.
  for (const [column, cells] of columns.entries()) {
    if (cells.length < traces.length || !cells.every((cell) => itemOf(cell).last)) continue
    const signatureOf = (of: readonly Cell[]) =>
      signatureIndex(
        of.map((cell) => itemOf(cell).settled.bag),
        weights,
      )
    const end = signatureOf(cells)
    const weight = weightOf(end.required, weights)
    if (weight < RECOGNISABLE) continue
    for (const [visit, theirs] of columns.entries()) {
      if (visit === column || theirs.length === traces.length) continue
      const alike = theirs.every(
        (cell) => lacking(end.required, itemOf(cell).settled.bag, weights).weight <= (1 - SAME_END) * weight,
      )
      if (!alike || difference(end, signatureOf(theirs), weights).weight >= RECOGNISABLE / 2) continue
      places.set(visit, column)
      taken.add(visit)
    }
  }
  for (const first of candidates) {
    if (taken.has(first)) continue
    const group = [first]
    let cells = [...columns[first]!]
    for (const other of [...columns.keys()].sort((a, b) => columns[b]!.length - columns[a]!.length || a - b)) {
      if (other === first || taken.has(other) || columns[other]!.length === traces.length) continue
      const theirs = columns[other]!
      if (theirs.some((cell) => cells.some((own) => own.sequence === cell.sequence))) continue
      const alike = theirs.every((cell) =>
        cells.some((own) => sameAction(itemOf(own).words, itemOf(cell).words, SAME_ACTION)),
      )
      if (!alike || weightOf(required([...cells, ...theirs]), weights) < RECOGNISABLE) continue
      group.push(other)
      cells = [...cells, ...theirs]
      if (cells.length === traces.length) break
    }
    if (group.length < 2 || cells.length < traces.length) continue
    const [primary, ...rest] = group.sort((a, b) => a - b)
    for (const place of rest) places.set(place, primary!)
    for (const place of group) taken.add(place)
  }
  return places
}

/** Nodes and edges: the columns, and between them the frames that were only waited through. */
class GraphBuilder {
  readonly nodes: { column: number | null; members: { trace: number; look: Look; settled: boolean }[] }[] = []
  /** trace -> its nodes in order */
  readonly paths: number[][]

  constructor(
    traces: readonly (readonly Item[])[],
    readonly columns: readonly (readonly Cell[])[],
    columnOf: readonly Int32Array[],
    private readonly weights: Float64Array,
  ) {
    const nodeOfColumn = new Map<number, number>()
    columns.forEach((cells, column) => {
      nodeOfColumn.set(column, this.nodes.length)
      this.nodes.push({
        column,
        members: cells.map(({ sequence, item }) => ({
          trace: sequence,
          look: traces[sequence]![item]!.settled,
          settled: true,
        })),
      })
    })
    const signatures = columns.map((cells) =>
      signatureIndex(
        cells.map(({ sequence, item }) => traces[sequence]![item]!.settled.bag),
        weights,
      ),
    )
    // Frames on the way to a column: those that already (or still) show a neighbouring state belong to it.
    const onTheWay = columns.map((): { trace: number; looks: Look[] }[] => [])
    traces.forEach((items, trace) => {
      items.forEach((item, index) => {
        const column = columnOf[trace]![index]!
        const before = index > 0 ? columnOf[trace]![index - 1]! : -1
        const looks: Look[] = []
        for (const look of item.passing) {
          const home = this.shows(look, item.settled, signatures[column]!)
            ? column
            : before >= 0 && this.shows(look, items[index - 1]!.settled, signatures[before]!)
              ? before
              : -1
          if (home >= 0) this.nodes[nodeOfColumn.get(home)!]!.members.push({ trace, look, settled: false })
          else looks.push(look)
        }
        onTheWay[column]!.push({ trace, looks })
      })
    })
    const transient = new Map<string, number[]>()
    onTheWay.forEach((runs, column) => {
      const aligned = partialOrderAlignment({
        lengths: runs.map((run) => run.looks.length),
        gap: 0.1,
        rounds: 2,
        scorer: (cells) => {
          const mean = profile(cells.map(({ sequence, item }) => runs[sequence]!.looks[item]!.bag))
          return (sequence, item) => {
            const { bag } = runs[sequence]!.looks[item]!
            const value = similarity(mean, bag, weights)
            const alike = Number.isNaN(value) ? (mean.ids.length === 0) === (bag.ids.length === 0) : value >= SAME_FRAME
            return alike ? 1 : 0
          }
        },
      })
      const base = this.nodes.length
      for (const cells of aligned.columns) {
        this.nodes.push({
          column: null,
          members: cells.map(({ sequence, item }) => ({
            trace: runs[sequence]!.trace,
            look: runs[sequence]!.looks[item]!,
            settled: false,
          })),
        })
      }
      runs.forEach((run, index) => {
        transient.set(
          `${run.trace}:${column}`,
          [...aligned.columnOf[index]!].map((c) => base + c),
        )
      })
    })
    this.paths = columnOf.map((own, trace) =>
      [...own].flatMap((column) => [...(transient.get(`${trace}:${column}`) ?? []), nodeOfColumn.get(column)!]),
    )
  }

  /** Equal content, or all that the state's passing observations share and nothing of weight beyond what they show. */
  private shows(look: Look, settled: Look, signature: SignatureIndex): boolean {
    if (look.state.content === settled.state.content) return true
    if (weightOf(signature.required, this.weights) < RECOGNISABLE) return false
    return lacking(signature.required, look.bag, this.weights).count === 0
  }
}

interface Context {
  readonly order: readonly number[]
  readonly vocabulary: Vocabulary
  readonly weights: Float64Array
  readonly traces: readonly (readonly Item[])[]
}

function assemble(builder: GraphBuilder, places: ReadonlyMap<number, number>, context: Context): Automaton {
  const n = context.traces.length
  const edgeSupport = new Map<string, { from: number; to: number; support: number }>()
  for (const path of builder.paths) {
    for (let i = 1; i < path.length; i++) {
      const key = `${path[i - 1]}:${path[i]}`
      const edge = edgeSupport.get(key)
      if (edge === undefined) edgeSupport.set(key, { from: path[i - 1]!, to: path[i]!, support: 1 })
      else edge.support++
    }
  }
  const count = builder.nodes.length
  const raw = digraph(
    count,
    [...edgeSupport.values()].map((e) => [e.from, e.to] as const),
  )
  const sorted = topologicalOrder(raw)
  if (sorted === null) throw new Error('The merged graph has a cycle')
  const rank = new Int32Array(count)
  sorted.forEach((node, index) => {
    rank[node] = index
  })
  const edges = [...edgeSupport.values()]
    .map((e) => ({ from: rank[e.from]!, to: rank[e.to]!, support: e.support }))
    .sort((a, b) => a.from - b.from || a.to - b.to)
  const paths = builder.paths.map((path) => path.map((node) => rank[node]!))
  const nodes = [...sorted].map((node) => builder.nodes[node]!)
  const nodeOfColumn = new Map(nodes.map((node, index) => [node.column, index]))
  const sameAs = nodes.map((node) => {
    const primary = node.column === null ? undefined : places.get(node.column)
    return primary === undefined ? null : nodeOfColumn.get(primary)!
  })

  // A virtual start before all first states: runs may begin in different ones.
  const start = count
  const graph = digraph(count + 1, [
    ...edges.map((e) => [e.from, e.to] as const),
    ...paths.map((path) => [start, path[0]!] as const),
  ])
  const tree = dominators(graph, start)
  const tracesThrough = nodes.map((node) => new Set(node.members.map((m) => m.trace)))
  const terminals = [...new Set(paths.map((path) => path[path.length - 1]!))].sort((a, b) => a - b)
  const isTransient = nodes.map((node) => node.members.every((m) => !m.settled))

  const placesOf = (node: number) => nodes.map((_, i) => i).filter((i) => i === node || sameAs[i] === node)
  const reference = nodes.map((_, index) => {
    const all = placesOf(sameAs[index] ?? index)
    const members = all.flatMap((place) => nodes[place]!.members.filter((m) => m.settled || isTransient[place]))
    return onePerTrace(members).map((m) => m.look.bag)
  })
  const signatures = reference.map((bags) => signatureIndex(bags, context.weights))
  const recognisable = signatures.map(({ required }) => weightOf(required, context.weights) >= RECOGNISABLE)
  const chains = terminals.map((terminal) => {
    const chain = new Set(
      tree
        .dominators(terminal)
        .filter((node) => node === terminal || (node !== start && !isTransient[node] && recognisable[node])),
    )
    const primaryOf = (node: number) => sameAs[node] ?? node
    const ending = paths.filter((path) => path[path.length - 1] === terminal).map((path) => path.map(primaryOf))
    // A state with several places dominates nothing by any one of them, but every recording passes one.
    for (const node of new Set(sameAs.filter((primary): primary is number => primary !== null))) {
      if (ending.every((path) => path.includes(node))) chain.add(node)
    }
    const members = [...new Set([...chain].map(primaryOf))].sort((a, b) => a - b)
    const sequences = ending.map((path) => [...new Set(path.filter((node) => chain.has(node)))])
    const agreed = partialOrder(sequences)
    return {
      terminal,
      nodes: linearExtension(members, agreed.before, terminal),
      order: agreed.covers,
      leastActions: agreed.covers.map(([a, b]) => leastActions(ending, a, b, isTransient)),
    }
  })
  const essential = new Set(chains.flatMap((chain) => chain.nodes))

  return {
    order: context.order,
    vocabulary: context.vocabulary,
    weights: context.weights,
    nodes: nodes.map((node, index) => {
      const primary = sameAs[index] ?? index
      const all = placesOf(primary)
      const support = new Set(all.flatMap((place) => [...tracesThrough[place]!])).size
      const kind = isTransient[index] ? 'transient' : essential.has(primary) ? 'essential' : 'optional'
      return {
        kind,
        reason: reasonOf(kind, support, n, recognisable[index]!),
        support,
        terminal: terminals.includes(index),
        sameAs: sameAs[index]!,
        members: [...node.members]
          .sort((a, b) => a.trace - b.trace || a.look.state.step - b.look.state.step)
          .map((m) => ({
            trace: m.trace,
            state: m.look.state,
            action: m.look.action,
            settled: m.settled,
            judgement: membership(m.look, node.members[0]!.look, signatures[index]!, context.weights),
          })),
        bags: reference[index]!,
      }
    }),
    edges,
    immediateDominators: nodes.map((_, index) => {
      const above = tree.immediateDominator(index)
      return above === null || above === start ? null : above
    }),
    chains,
    alternatives: alternatives(
      nodes.map((_, i) => tracesThrough[i]!),
      essential,
      isTransient,
      sameAs,
      graph,
      n,
    ),
  }
}

function reasonOf(kind: Node['kind'], support: number, n: number, recognisable: boolean): string {
  if (kind === 'transient') return `always left by waiting, never by an action (seen in ${support} of ${n} recordings)`
  if (kind === 'essential') return `on every path to the end (${support} of ${n} recordings)`
  if (support === n && !recognisable)
    return `${n} of ${n} recordings, but they share too little there to recognise it by`
  return `${support} of ${n} recordings pass through it; the others reach the end without it`
}

function onePerTrace<T extends { trace: number }>(members: readonly T[]): T[] {
  const last = new Map<number, T>()
  for (const member of members) last.set(member.trace, member)
  return [...last.keys()].sort((a, b) => a - b).map((trace) => last.get(trace)!)
}

function membership(look: Look, first: Look, signature: SignatureIndex, weights: Float64Array): Judgement {
  if (look === first) return { answer: 'equivalent', tier: 'exact', reason: 'the first of its state', measures: {} }
  if (look.state.content === first.state.content) {
    return { answer: 'equivalent', tier: 'exact', reason: 'the same content as the first', measures: {} }
  }
  const shared = weightOf(signature.required, weights)
  const whole = weightOf(look.bag, weights)
  return {
    answer: 'equivalent',
    tier: 'visual',
    reason: 'aligned: same place between actions and shared content',
    measures: { sharedWeight: round(shared), ownWeight: round(whole) },
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** Every settled node of a path was reached by one action. */
function leastActions(
  paths: readonly (readonly number[])[],
  a: number,
  b: number,
  isTransient: readonly boolean[],
): number {
  let least = Number.POSITIVE_INFINITY
  for (const path of paths) {
    const [from, to] = [path.indexOf(a), path.indexOf(b)]
    if (from < 0 || to < 0) continue
    least = Math.min(least, path.slice(from + 1, to + 1).filter((node) => !isTransient[node]).length)
  }
  return least
}

/** The nodes in an order that extends the partial order, smaller first where it is free, the terminal last. */
function linearExtension(
  nodes: readonly number[],
  before: (a: number, b: number) => boolean,
  terminal: number,
): number[] {
  const left = nodes.filter((node) => node !== terminal)
  const order: number[] = []
  while (left.length > 0) {
    const next = left.findIndex((node) => !left.some((other) => other !== node && before(other, node)))
    order.push(...left.splice(Math.max(next, 0), 1))
  }
  return [...order, terminal]
}

/** Pairs of optional states of which every recording passed exactly one, neither leading to the other. */
function alternatives(
  through: readonly ReadonlySet<number>[],
  essential: ReadonlySet<number>,
  isTransient: readonly boolean[],
  sameAs: readonly (number | null)[],
  graph: Digraph,
  n: number,
): number[][] {
  const optional = [...through.keys()].filter(
    (i) => !essential.has(i) && !isTransient[i] && sameAs[i] === null && through[i]!.size < n,
  )
  const found: number[][] = []
  for (let a = 0; a < optional.length; a++) {
    const left = optional[a]!
    let reachable: Uint8Array | undefined
    for (let b = a + 1; b < optional.length; b++) {
      const right = optional[b]!
      if (through[left]!.size + through[right]!.size !== n) continue
      if ([...through[left]!].some((trace) => through[right]!.has(trace))) continue
      reachable ??= reachableFrom(graph, left)
      if (reachable[right] === 1) continue
      found.push([left, right])
    }
  }
  return found
}

/** Digest of a recording's steps: what was done and what was seen. */
export function sampleId(states: readonly State[]): string {
  const hash = createHash('sha256')
  for (const { action, content } of states) hash.update(`${canonicalJson(action)}\n${content}\n`)
  return hash.digest('hex').slice(0, 16)
}
