/**
 * Multiple alignment of sequences into one acyclic graph of columns (partial order alignment: Lee, Grasso & Sharlow 2002,
 * "Multiple sequence alignment using partial order graphs"), then iterative refinement: each sequence in turn is
 * taken out and aligned again to the rest (Barton & Sternberg 1987). Pure: it sees lengths and a score, nothing else.
 *
 * A sequence passes a column at most once, and edges follow the sequences, so paths branch and converge and the
 * graph stays acyclic by construction: a screen that is visited again is another column.
 */
export interface Cell {
  readonly sequence: number
  readonly item: number
}

export interface AlignmentProblem {
  /** Number of items of each sequence. */
  readonly lengths: readonly number[]
  /** How well an item fits a column of these members: 0 not at all, 1 the same. */
  readonly scorer: (members: readonly Cell[]) => (sequence: number, item: number) => number
  /** Cost of an item or a column without counterpart, on the scale of the score; a score below it never joins. */
  readonly gap: number
  readonly rounds: number
  /** Items that are joined from the start because everything up to them is equal: equal numbers stay in one column. */
  readonly joined?: readonly (readonly number[])[]
}

/** For each sequence and item the number of its column; columns are numbered in a topological order. */
export interface PartialOrderAlignment {
  readonly columns: readonly (readonly Cell[])[]
  readonly columnOf: readonly Int32Array[]
}

const NEW = -1

export function partialOrderAlignment(problem: AlignmentProblem): PartialOrderAlignment {
  const { lengths, rounds } = problem
  const assigned: (Int32Array | null)[] = lengths.map(() => null)
  let alignment: PartialOrderAlignment = { columns: [], columnOf: [] }
  for (let round = 0; round < rounds; round++) {
    let changed = false
    for (let sequence = 0; sequence < lengths.length; sequence++) {
      const before = alignment.columns
      assigned[sequence] = null
      const rest = number(lengths, assigned)
      const place = alignTo(problem, rest, sequence)
      let fresh = rest.columns.length
      assigned.forEach((columns, other) => {
        if (columns !== null) assigned[other] = rest.columnOf[other]!
      })
      assigned[sequence] = place.map((column) => (column === NEW ? fresh++ : column))
      alignment = number(lengths, assigned)
      if (!sameColumns(before, alignment.columns)) changed = true
    }
    if (!changed) break
  }
  return alignment
}

function sameColumns(a: readonly (readonly Cell[])[], b: readonly (readonly Cell[])[]): boolean {
  if (a.length !== b.length) return false
  const key = (columns: readonly (readonly Cell[])[]) =>
    columns.map((column) => column.map((cell) => `${cell.sequence}:${cell.item}`).join()).join(';')
  return key(a) === key(b)
}

/** Numbers the columns in topological order (Kahn 1962), those with the earliest first member first. */
function number(lengths: readonly number[], assigned: readonly (Int32Array | null)[]): PartialOrderAlignment {
  const members = new Map<number, Cell[]>()
  const successors = new Map<number, Set<number>>()
  const indegree = new Map<number, number>()
  assigned.forEach((columns, sequence) => {
    if (columns === null) return
    for (let item = 0; item < lengths[sequence]!; item++) {
      const column = columns[item]!
      if (!members.has(column)) {
        members.set(column, [])
        successors.set(column, new Set())
        indegree.set(column, 0)
      }
      members.get(column)!.push({ sequence, item })
    }
  })
  for (const columns of assigned) {
    if (columns === null) continue
    for (let item = 1; item < columns.length; item++) {
      const next = successors.get(columns[item - 1]!)!
      if (next.has(columns[item]!)) continue
      next.add(columns[item]!)
      indegree.set(columns[item]!, indegree.get(columns[item]!)! + 1)
    }
  }
  // Ready columns leave in order of arrival, which is fixed by sequence and item: deterministic without a heap.
  const ready = [...members.keys()].filter((column) => indegree.get(column) === 0)
  const order: number[] = []
  for (let head = 0; head < ready.length; head++) {
    const column = ready[head]!
    order.push(column)
    for (const next of successors.get(column)!) {
      const left = indegree.get(next)! - 1
      indegree.set(next, left)
      if (left === 0) ready.push(next)
    }
  }
  const rank = new Map(order.map((column, index) => [column, index]))
  return {
    columns: order.map((column) => members.get(column)!),
    columnOf: assigned.map((columns) => (columns === null ? new Int32Array(0) : columns.map((c) => rank.get(c)!))),
  }
}

const MATCH = 0
const SKIP_COLUMN = 1
const INSERT_ITEM = 2

/** Global alignment of one sequence with the graph of the rest (Needleman & Wunsch 1970 over a partial order). */
function alignTo(problem: AlignmentProblem, graph: PartialOrderAlignment, sequence: number): Int32Array {
  const { scorer, gap } = problem
  const items = problem.lengths[sequence]!
  const columns = graph.columns.length
  const placed = new Int32Array(items).fill(NEW)
  if (columns === 0) return placed
  const prefix = joinedPrefix(problem, graph, sequence)
  placed.set(prefix)

  const predecessors: Set<number>[] = graph.columns.map(() => new Set<number>())
  const isEnd = new Uint8Array(columns)
  for (const path of graph.columnOf) {
    if (path.length === 0) continue
    predecessors[path[0]!]!.add(0)
    for (let i = 1; i < path.length; i++) predecessors[path[i]!]!.add(path[i - 1]! + 1)
    isEnd[path[path.length - 1]!] = 1
  }

  const width = items + 1
  const best = new Float64Array((columns + 1) * width).fill(Number.NEGATIVE_INFINITY)
  const move = new Uint8Array((columns + 1) * width)
  const from = new Int32Array((columns + 1) * width)
  const firstRow = prefix.length === 0 ? 0 : prefix[prefix.length - 1]! + 1
  for (let item = prefix.length; item <= items; item++) {
    best[firstRow * width + item] = -gap * (item - prefix.length)
    move[firstRow * width + item] = INSERT_ITEM
  }
  const scores = new Float64Array(items)
  for (let row = firstRow + 1; row <= columns; row++) {
    const rate = scorer(graph.columns[row - 1]!)
    for (let item = 0; item < items; item++) scores[item] = rate(sequence, item)
    const before = [...predecessors[row - 1]!].sort((a, b) => a - b)
    for (let item = 0; item <= items; item++) {
      let top = Number.NEGATIVE_INFINITY
      let how = SKIP_COLUMN
      let source = 0
      for (const previous of before) {
        if (item > 0) {
          const matched = best[previous * width + item - 1]! + scores[item - 1]! - gap
          if (matched > top) {
            top = matched
            how = MATCH
            source = previous
          }
        }
        const skipped = best[previous * width + item]! - gap
        if (skipped > top) {
          top = skipped
          how = SKIP_COLUMN
          source = previous
        }
      }
      if (item > 0) {
        const inserted = best[row * width + item - 1]! - gap
        if (inserted > top) {
          top = inserted
          how = INSERT_ITEM
          source = row
        }
      }
      best[row * width + item] = top
      move[row * width + item] = how
      from[row * width + item] = source
    }
  }

  let row = firstRow
  for (let candidate = Math.max(firstRow, 1); candidate <= columns; candidate++) {
    if (!isEnd[candidate - 1]) continue
    if (row === 0 || !isEnd[row - 1] || best[candidate * width + items]! > best[row * width + items]!) row = candidate
  }
  let item = items
  while (row > firstRow) {
    const index = row * width + item
    const how = move[index]!
    if (how === MATCH) {
      if (scorer(graph.columns[row - 1]!)(sequence, item - 1) >= gap) placed[item - 1] = row - 1
      item--
      row = from[index]!
    } else if (how === SKIP_COLUMN) row = from[index]!
    else item--
  }
  return placed
}

/** Columns of the longest prefix of a sequence that another sequence shares from its own start on. */
function joinedPrefix(problem: AlignmentProblem, graph: PartialOrderAlignment, sequence: number): number[] {
  const own = problem.joined?.[sequence]
  if (own === undefined) return []
  let longest: number[] = []
  graph.columnOf.forEach((columns, other) => {
    if (other === sequence || columns.length === 0) return
    const theirs = problem.joined![other]!
    let length = 0
    while (length < own.length && length < theirs.length && own[length] === theirs[length]) length++
    if (length > longest.length) longest = [...columns.subarray(0, length)]
  })
  return longest
}
