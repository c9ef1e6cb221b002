import { START, sameAction, wordSimilarity } from '../equivalence/action-words.js'
import { type Profile, profile, similarity } from '../equivalence/profile.js'
import { difference, signatureIndex, weightOf } from '../equivalence/signature.js'
import type { State } from '../state/state.js'
import type { TokenBag } from '../state/token-bag.js'
import type { Item } from './item.js'
import { type Cell, type PartialOrderAlignment, partialOrderAlignment } from './partial-order-alignment.js'
import { PrefixTreeAcceptor } from './prefix-tree-acceptor.js'

/**
 * How the alignment weighs its evidence. Either kind alone fails (measured on the recorded corpora's training runs); any mix
 * from 0.5 to 0.7 and any gap from 0.1 to 0.2 gives the same essential states there.
 */
export interface MergeOptions {
  /** Share of the score that what is seen has; the rest is the action's. 0 to 1. */
  readonly observationShare: number
  /** Share of the observation's part that the action's effect has; the rest is the whole observation's. 0 to 1. */
  readonly effectShare: number
  /** Cost of an item or a column without counterpart, and the score from which on an item may join a column. 0 to 1. */
  readonly gap: number
  /** Added when both the item and a member of the column end their traces. */
  readonly endBonus: number
  /** Rounds of refinement at most. */
  readonly rounds: number
  /** Share of shared words from which on two actions are taken for the same. 0 to 1. */
  readonly sameAction: number
  /** Similarity below which two groups show other things. 0 to 1. */
  readonly unlike: number
  /** Weight, in components, that must tell two groups apart on each side before they are split: one may be a caret. */
  readonly discriminating: number
}

export const MERGE_OPTIONS: MergeOptions = {
  observationShare: 0.6,
  effectShare: 0.3,
  gap: 0.15,
  endBonus: 0.25,
  rounds: 4,
  sameAction: 0.5,
  unlike: 0.2,
  discriminating: 2,
}

/**
 * Merges the prefix tree acceptor of the traces into an acyclic graph of columns: equivalent items at alignable places.
 *
 * First all traces are aligned. Columns that every trace passes are anchors; between two anchors a state may still be hidden
 * that all traces show, but in front of so different backgrounds that it was not aligned: it is looked for by what the traces
 * have in common there. Last, what is left between the anchors is aligned again.
 */
export function mergeTraces(
  traces: readonly (readonly Item[])[],
  weights: Float64Array,
  distinct: (a: State, b: State) => boolean,
  options: MergeOptions = MERGE_OPTIONS,
): PartialOrderAlignment {
  const tree = new PrefixTreeAcceptor()
  const joined = traces.map((items) => tree.addSample(items.map((item) => item.symbol)))
  const fitOf = columnScorer(weights, options)
  const refused = (cells: readonly Cell[]) => refusedMerge(cells, traces, weights, distinct, options)
  const whole = traces.map((items) => ({ from: 0, to: items.length }))
  const first = joinEnds(splitColumns(alignSegments(whole), refused), traces, weights, distinct, options)

  const full = first.columns.filter((cells) => cells.length === traces.length)
  const anchors: (readonly Cell[])[] = []
  for (let i = 0; i <= full.length; i++) {
    const [left, right] = [full[i - 1] ?? null, full[i] ?? null]
    anchors.push(...hiddenColumns(traces, weights, distinct, fitOf, left, right, options))
    if (right !== null) anchors.push(right)
  }

  const columns: Cell[][] = []
  const columnOf = traces.map((items) => new Int32Array(items.length))
  const add = (cells: readonly Cell[]) => {
    for (const { sequence, item } of cells) columnOf[sequence]![item] = columns.length
    columns.push([...cells])
  }
  const itemIn = (anchor: readonly Cell[], sequence: number) => anchor.find((cell) => cell.sequence === sequence)!.item
  for (let i = 0; i <= anchors.length; i++) {
    const [left, right] = [anchors[i - 1], anchors[i]]
    const segments = traces.map((items, sequence) => ({
      from: left === undefined ? 0 : itemIn(left, sequence) + 1,
      to: right === undefined ? items.length : itemIn(right, sequence),
    }))
    const between = splitColumns(alignSegments(segments), refused)
    for (const cells of between.columns) add(cells)
    if (right !== undefined) add(right)
  }
  return { columns, columnOf }

  function alignSegments(segments: readonly { from: number; to: number }[]): PartialOrderAlignment {
    const aligned = partialOrderAlignment({
      lengths: segments.map(({ from, to }) => to - from),
      joined: segments.map(({ from, to }, sequence) => joined[sequence]!.slice(from, to)),
      gap: options.gap,
      rounds: options.rounds,
      scorer: (members) => {
        const rate = fitOf(members.map(({ sequence, item }) => traces[sequence]![segments[sequence]!.from + item]!))
        return (sequence, item) => rate(traces[sequence]![segments[sequence]!.from + item]!)
      },
    })
    const columns = aligned.columns.map((cells) =>
      cells.map(({ sequence, item }) => ({ sequence, item: segments[sequence]!.from + item })),
    )
    return { columns, columnOf: aligned.columnOf }
  }
}

/**
 * Where some traces end in a column that all pass, and others go on and end in one that nothing tells from it (they looked round
 * a little, and came back), the last visit counts: such a run ends there too. The visits before become columns of their own.
 */
function joinEnds(
  { columns, columnOf }: PartialOrderAlignment,
  traces: readonly (readonly Item[])[],
  weights: Float64Array,
  distinct: (a: State, b: State) => boolean,
  options: MergeOptions,
): PartialOrderAlignment {
  const stateOf = ({ sequence, item }: Cell) => traces[sequence]![item]!.settled.state
  const lastOf = (sequence: number) => columnOf[sequence]![traces[sequence]!.length - 1]!
  const ends = new Set(traces.map((_, sequence) => lastOf(sequence)))
  const first = [...ends].find((column) => columns[column]!.length === traces.length)
  if (first === undefined || ends.size === 1) return { columns, columnOf }
  const signatureOf = (cells: readonly Cell[]) =>
    signatureIndex(
      cells.map(({ sequence, item }) => traces[sequence]![item]!.settled.bag),
      weights,
    )
  const signature = signatureOf(columns[first]!)
  const moved = columnOf.map((own) => own.slice())
  const result: Cell[][] = columns.map((cells) => [...cells])
  for (const end of ends) {
    if (end === first) continue
    const theirs = signatureOf(columns[end]!)
    const apart = Math.max(difference(signature, theirs, weights).weight, difference(theirs, signature, weights).weight)
    if (apart >= options.discriminating / 2) continue
    if (columns[end]!.some((cell) => columns[first]!.some((own) => distinct(stateOf(own), stateOf(cell))))) continue
    for (const cell of columns[end]!) {
      if (lastOf(cell.sequence) !== end) continue
      const visit = result[first]!.findIndex((own) => own.sequence === cell.sequence)
      const [earlier] = result[first]!.splice(visit, 1, cell)
      moved[cell.sequence]![earlier!.item] = result.length
      result.push([earlier!])
      moved[cell.sequence]![cell.item] = first
      result[end]!.splice(
        result[end]!.findIndex((own) => own.sequence === cell.sequence),
        1,
      )
    }
  }
  return { columns: result, columnOf: moved }
}

/**
 * Columns that all traces pass between two anchors, found by greedy consensus (Stormo & Hartzell 1989, who looked for
 * protein binding sites): from each item of the shortest segment, take in every other trace the item that fits those taken so
 * far best. Such a column stands when its members share something to be known by, and something tells it from both anchors:
 * what only it shows, or what only the anchor shows. The most coherent one is kept, and the search goes on at both sides.
 */
function hiddenColumns(
  traces: readonly (readonly Item[])[],
  weights: Float64Array,
  distinct: (a: State, b: State) => boolean,
  fitOf: ReturnType<typeof columnScorer>,
  left: readonly Cell[] | null,
  right: readonly Cell[] | null,
  options: MergeOptions,
): (readonly Cell[])[] {
  const itemIn = (anchor: readonly Cell[], sequence: number) => anchor.find((cell) => cell.sequence === sequence)!.item
  const segments = traces.map((items, sequence) => ({
    from: left === null ? 0 : itemIn(left, sequence) + 1,
    to: right === null ? items.length : itemIn(right, sequence),
  }))
  if (segments.some(({ from, to }) => from >= to)) return []
  const itemOf = ({ sequence, item }: Cell) => traces[sequence]![item]!
  const signatureOf = (cells: readonly Cell[]) =>
    signatureIndex(
      cells.map((cell) => itemOf(cell).settled.bag),
      weights,
    )
  const anchors = [left, right].filter((anchor) => anchor !== null).map(signatureOf)

  let best: { coherence: number; cells: Cell[] } | null = null
  const lengths = segments.map(({ from, to }) => to - from)
  const shortest = lengths.indexOf(Math.min(...lengths))
  for (let seed = segments[shortest]!.from; seed < segments[shortest]!.to; seed++) {
    const cells: Cell[] = [{ sequence: shortest, item: seed }]
    let coherence = 0
    for (let sequence = 0; sequence < traces.length; sequence++) {
      if (sequence === shortest) continue
      const rate = fitOf(cells.map(itemOf))
      let pick = { score: Number.NEGATIVE_INFINITY, item: -1 }
      for (let item = segments[sequence]!.from; item < segments[sequence]!.to; item++) {
        const score = rate(traces[sequence]![item]!)
        if (score > pick.score) pick = { score, item }
      }
      coherence += pick.score
      cells.push({ sequence, item: pick.item })
    }
    const signature = signatureOf(cells)
    const compatible = withoutDistinctPairs(cells, (a, b) => distinct(itemOf(a).settled.state, itemOf(b).settled.state))
    const stands =
      compatible.length === 1 &&
      weightOf(signature.required, weights) >= options.discriminating &&
      anchors.every(
        (anchor) =>
          difference(signature, anchor, weights).weight + difference(anchor, signature, weights).weight >=
          options.discriminating,
      )
    if (stands && (best === null || coherence > best.coherence)) best = { coherence, cells }
  }
  if (best === null) return []
  const column = best.cells.sort((a, b) => a.sequence - b.sequence)
  return [
    ...hiddenColumns(traces, weights, distinct, fitOf, left, column, options),
    column,
    ...hiddenColumns(traces, weights, distinct, fitOf, column, right, options),
  ]
}

/**
 * Scores an item against the mean of a column's members. Columns of equal members have one scorer, and it knows its answers: long
 * runs show few screens many times.
 */
function columnScorer(weights: Float64Array, options: MergeOptions) {
  const numbers = new Map<string, number>()
  const numberOf = ({ symbol }: Item) => {
    let number = numbers.get(symbol)
    if (number === undefined) numbers.set(symbol, (number = numbers.size))
    return number
  }
  const scorers = new Map<string, (item: Item) => number>()
  return (members: readonly Item[]): ((item: Item) => number) => {
    const key = members
      .map(numberOf)
      .sort((a, b) => a - b)
      .join()
    let score = scorers.get(key)
    if (score === undefined) {
      const fresh = scoreAgainst(members, weights, options)
      const known = new Map<number, number>()
      score = (item) => {
        const number = numberOf(item)
        let value = known.get(number)
        if (value === undefined) known.set(number, (value = fresh(item)))
        return value
      }
      scorers.set(key, score)
    }
    const plain = score
    const ending = members.some((m) => m.last)
    return ending ? (item) => (item.last ? plain(item) + options.endBonus : plain(item)) : plain
  }
}

function scoreAgainst(members: readonly Item[], weights: Float64Array, options: MergeOptions) {
  const { observationShare, effectShare } = options
  const bags = profile(members.map((m) => m.settled.bag))
  const effects = profile(members.map((m) => m.effect))
  return (item: Item): number => {
    const whole = wholeSimilarity(bags, item.settled.bag, weights)
    const effect = similarity(effects, item.effect, weights)
    const seen = Number.isNaN(effect) ? whole : (1 - effectShare) * whole + effectShare * effect
    let sum = 0
    for (const member of members) {
      // That a run began here and another came here by an action says nothing: only what is seen can speak.
      const share = (member.words === START) === (item.words === START) ? observationShare : 1
      sum += share * seen + (1 - share) * wordSimilarity(member.words, item.words)
    }
    return sum / members.length
  }
}

/** Weighted where there is anything of weight, else plain: two blank screens are alike. */
function wholeSimilarity(mean: Profile, bag: TokenBag, weights: Float64Array): number {
  const weighted = similarity(mean, bag, weights)
  if (!Number.isNaN(weighted)) return weighted
  if (mean.ids.length === 0 && bag.ids.length === 0) return 1
  const plain = similarity(mean, bag, new Float64Array(weights.length).fill(1))
  return Number.isNaN(plain) ? 0 : plain
}

/**
 * A merge is refused when the members fall into groups that different actions led to and that show different things
 * throughout: every member of the one shows tokens that no member of the other does, and the other way round. The alignment
 * joins such groups where runs do two things in different order. It is refused too when any two members are judged distinct.
 * Returns the groups, or null to let the merge stand.
 */
function refusedMerge(
  cells: readonly Cell[],
  traces: readonly (readonly Item[])[],
  weights: Float64Array,
  distinct: (a: State, b: State) => boolean,
  options: MergeOptions,
): Cell[][] | null {
  const itemOf = ({ sequence, item }: Cell) => traces[sequence]![item]!
  const groups: Cell[][] = []
  for (const cell of cells) {
    const home = groups.find((group) =>
      group.some((other) => sameAction(itemOf(other).words, itemOf(cell).words, options.sameAction)),
    )
    if (home === undefined) groups.push([cell])
    else home.push(cell)
  }
  // Groups that nothing tells apart belong together after all: one situation, reached in several ways.
  const bagsOf = (group: readonly Cell[]) =>
    signatureIndex(
      group.map((cell) => itemOf(cell).settled.bag),
      weights,
    )
  // One run alone may have gone about it in its own way; it is told from all others only where it shows something else.
  const unlike = (a: readonly Cell[], b: readonly Cell[]) => {
    const mean = profile(a.map((cell) => itemOf(cell).settled.bag))
    return b.every((cell) => wholeSimilarity(mean, itemOf(cell).settled.bag, weights) < options.unlike)
  }
  for (let merged = true; merged; ) {
    merged = false
    for (let a = 0; a < groups.length && !merged; a++) {
      for (let b = a + 1; b < groups.length && !merged; b++) {
        const [left, right] = [bagsOf(groups[a]!), bagsOf(groups[b]!)]
        const [own, theirs] = [difference(left, right, weights).weight, difference(right, left, weights).weight]
        const several = cells.length < traces.length || (groups[a]!.length > 1 && groups[b]!.length > 1)
        const apart =
          (several && Math.min(own, theirs) >= options.discriminating) ||
          (Math.max(own, theirs) >= options.discriminating && unlike(groups[a]!, groups[b]!))
        if (apart) continue
        groups[a]!.push(...groups.splice(b, 1)[0]!)
        merged = true
      }
    }
  }
  const compatible = groups.flatMap((group) =>
    withoutDistinctPairs(group, (a, b) => distinct(itemOf(a).settled.state, itemOf(b).settled.state)),
  )
  return compatible.length > 1 ? compatible : null
}

/** Each cell joins the first class in which no pair with it is distinct. */
function withoutDistinctPairs(cells: readonly Cell[], distinct: (a: Cell, b: Cell) => boolean): Cell[][] {
  const classes: Cell[][] = []
  for (const cell of cells) {
    const home = classes.find((members) => !members.some((member) => distinct(member, cell)))
    if (home === undefined) classes.push([cell])
    else home.push(cell)
  }
  return classes
}

/** Splits columns into parallel ones; the graph stays acyclic, since every path goes on through the same places. */
function splitColumns(
  alignment: PartialOrderAlignment,
  split: (cells: readonly Cell[]) => Cell[][] | null,
): PartialOrderAlignment {
  const columns: Cell[][] = []
  const columnOf = alignment.columnOf.map((column) => new Int32Array(column.length))
  for (const cells of alignment.columns) {
    for (const group of split(cells) ?? [cells]) {
      for (const { sequence, item } of group) columnOf[sequence]![item] = columns.length
      columns.push([...group])
    }
  }
  return { columns, columnOf }
}
