/** A strict partial order over ids: never `before(a, a)`, and `before(a, b)` with `before(b, c)` gives `before(a, c)`. */
export interface PartialOrder {
  /** False for ids that were in no sequence. O(1). */
  before(a: number, b: number): boolean
  /** The pairs with nothing between them (the Hasse diagram), sorted: `before` is their transitive closure. */
  readonly covers: readonly (readonly [before: number, after: number])[]
}

/**
 * The order that all sequences agree on; of an id that occurs twice in one sequence the first occurrence counts.
 *
 * a precedes b when some sequence holds both, and every sequence that holds both has a before b. If all sequences hold
 * the same ids this is the intersection of linear orders, which is a strict partial order already, and the answer.
 *
 * With ids that are absent here and there it need not be transitive: [a b] [b c] says nothing of a and c, and
 * [a b] [b c] [c a] goes round in a circle. Therefore
 *
 * - what follows from the pairs is added (a before c in the first example), unless a sequence shows the contrary;
 * - where a chain of pairs leads to something that a sequence contradicts (c before a, or a before itself), no pair of
 *   that chain is more credible than another, and all of them are given up.
 *
 * So every sequence given is consistent with the answer, and the order of the sequences has no influence. Doubt makes
 * the order weaker, never stronger.
 *
 * O(k²) bits of space, and time O((n + k) k² / 32) for n sequences over k ids (Warshall, "A theorem on Boolean
 * matrices", JACM 9(1), 1962, a row at a time): right for a few thousand ids.
 */
export function partialOrder(sequences: readonly (readonly number[])[]): PartialOrder {
  const ids = [...new Set(sequences.flat())].sort((a, b) => a - b)
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const firstOccurrences = sequences.map((sequence) => [...new Set(sequence)].map((id) => indexOf.get(id)!))

  const seen = seenBefore(firstOccurrences, ids.length)
  const agreed = matrix(ids.length, (a, b) => has(seen[a]!, b) && !has(seen[b]!, a))
  const everywhere = firstOccurrences.every(({ length }) => length === ids.length)
  const order = everywhere ? agreed : closureWithoutContradictions(agreed, seen)

  const covers = transitiveReduction(order).map(([a, b]) => [ids[a]!, ids[b]!] as const)
  return {
    covers,
    before(a, b) {
      const [from, to] = [indexOf.get(a), indexOf.get(b)]
      return from !== undefined && to !== undefined && has(order[from]!, to)
    },
  }
}

/** A row of a relation: bit b of row a says that a and b are related. */
type Row = Uint32Array

/** a -> all b that some sequence shows after a. */
function seenBefore(sequences: readonly (readonly number[])[], size: number): Row[] {
  const seen = matrix(size, () => false)
  for (const sequence of sequences) {
    const later = emptyRow(size)
    for (let i = sequence.length - 1; i >= 0; i--) {
      addAll(seen[sequence[i]!]!, later)
      add(later, sequence[i]!)
    }
  }
  return seen
}

/**
 * Transitive closure of the pairs (u, v), but for those by which some a at or before u would come before a c, at or
 * after v, that contradicts it: c was seen before a, or is a.
 */
function closureWithoutContradictions(agreed: readonly Row[], seen: readonly Row[]): Row[] {
  const size = agreed.length
  const closed = closure(agreed)
  const contradicted = matrix(size, (a, c) => a === c || has(seen[c]!, a))
  if (!closed.some((row, a) => intersects(row, contradicted[a]!))) return closed

  const atOrAfter = closed.map((row, v) => add(row.slice(), v))
  const forbidden = contradicted.map((row) => row.slice()) // u -> every c that contradicts an a at or before u
  for (let a = 0; a < size; a++) {
    for (let u = 0; u < size; u++) if (has(closed[a]!, u)) addAll(forbidden[u]!, contradicted[a]!)
  }
  return closure(matrix(size, (u, v) => has(agreed[u]!, v) && !intersects(atOrAfter[v]!, forbidden[u]!)))
}

/** Transitive closure (Warshall 1962). */
function closure(relation: readonly Row[]): Row[] {
  const closed = relation.map((row) => row.slice())
  for (let via = 0; via < closed.length; via++) {
    for (const row of closed) if (has(row, via)) addAll(row, closed[via]!)
  }
  return closed
}

/** The pairs of a strict partial order that do not follow from two others, sorted. */
function transitiveReduction(order: readonly Row[]): [number, number][] {
  const covers: [number, number][] = []
  for (const [a, row] of order.entries()) {
    const indirect = emptyRow(order.length)
    for (let b = 0; b < order.length; b++) if (has(row, b) && !has(indirect, b)) addAll(indirect, order[b]!)
    for (let b = 0; b < order.length; b++) if (has(row, b) && !has(indirect, b)) covers.push([a, b])
  }
  return covers
}

function matrix(size: number, related: (a: number, b: number) => boolean): Row[] {
  return Array.from({ length: size }, (_, a) => {
    const row = emptyRow(size)
    for (let b = 0; b < size; b++) if (related(a, b)) add(row, b)
    return row
  })
}

function emptyRow(size: number): Row {
  return new Uint32Array((size + 31) >>> 5)
}

function has(row: Row, bit: number): boolean {
  return ((row[bit >>> 5]! >>> (bit & 31)) & 1) === 1
}

function add(row: Row, bit: number): Row {
  row[bit >>> 5]! |= 1 << (bit & 31)
  return row
}

function addAll(row: Row, other: Row): void {
  for (let word = 0; word < row.length; word++) row[word]! |= other[word]!
}

function intersects(row: Row, other: Row): boolean {
  for (let word = 0; word < row.length; word++) if ((row[word]! & other[word]!) !== 0) return true
  return false
}
