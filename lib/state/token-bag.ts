/**
 * Tokens are the things in an observation that can be recognised again wherever they stand: the shape of a connected
 * component, a word. A bag says how often each occurs. Bags of one vocabulary can be compared.
 */
export interface TokenBag {
  /** Token numbers of the vocabulary, ascending. */
  readonly ids: Int32Array
  /** How often each occurs, at least 1. */
  readonly counts: Int32Array
}

/** Gives every token a number, in order of first sight. */
export class Vocabulary {
  private readonly numbers = new Map<string, number>()
  private readonly names: string[] = []

  get size(): number {
    return this.names.length
  }

  name(id: number): string {
    return this.names[id]!
  }

  /** The number of a token, or -1 when it has none. */
  find(token: string): number {
    return this.numbers.get(token) ?? -1
  }

  number(token: string): number {
    let id = this.numbers.get(token)
    if (id === undefined) {
      id = this.names.length
      this.numbers.set(token, id)
      this.names.push(token)
    }
    return id
  }

  bag(tokens: ReadonlyMap<string, number>): TokenBag {
    const pairs = [...tokens].map(([token, count]) => [this.number(token), count] as const)
    pairs.sort((a, b) => a[0] - b[0])
    return { ids: Int32Array.from(pairs, (p) => p[0]), counts: Int32Array.from(pairs, (p) => p[1]) }
  }
}

/** What `after` shows beyond `before`: tokens that are new or more frequent, with the surplus. */
export function appeared(before: TokenBag | null, after: TokenBag): TokenBag {
  if (before === null) return after
  const ids: number[] = []
  const counts: number[] = []
  let i = 0
  for (let j = 0; j < after.ids.length; j++) {
    const id = after.ids[j]!
    while (i < before.ids.length && before.ids[i]! < id) i++
    const had = i < before.ids.length && before.ids[i] === id ? before.counts[i]! : 0
    const surplus = after.counts[j]! - had
    if (surplus > 0) {
      ids.push(id)
      counts.push(surplus)
    }
  }
  return { ids: Int32Array.from(ids), counts: Int32Array.from(counts) }
}
