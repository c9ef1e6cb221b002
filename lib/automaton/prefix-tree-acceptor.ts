/**
 * The tree of the training traces: equal prefixes are joined, ends are marked (Trakhtenbrot & Barzdin 1973; de la Higuera,
 * "Grammatical Inference", 2010, ch. 12). A data structure only: it does not know how it will be learned from.
 */
export class PrefixTreeAcceptor {
  /** Node 0 is the root, before anything was seen. */
  private readonly children: Map<string, number>[] = [new Map()]
  private readonly ends: number[] = [0]
  private readonly supports: number[] = [0]

  get nodeCount(): number {
    return this.children.length
  }

  /** Adds a sequence of symbols and returns the node after each of them. */
  addSample(symbols: readonly string[]): number[] {
    let node = 0
    this.supports[0]!++
    const path = symbols.map((symbol) => {
      let next = this.children[node]!.get(symbol)
      if (next === undefined) {
        next = this.children.length
        this.children[node]!.set(symbol, next)
        this.children.push(new Map())
        this.ends.push(0)
        this.supports.push(0)
      }
      node = next
      this.supports[node]!++
      return node
    })
    this.ends[node]!++
    return path
  }

  /** Samples that pass through a node. */
  support(node: number): number {
    return this.supports[node]!
  }

  /** Samples that end at a node: it accepts when there is one. */
  endsAt(node: number): number {
    return this.ends[node]!
  }

  accepts(symbols: readonly string[]): boolean {
    let node: number | undefined = 0
    for (const symbol of symbols) {
      node = this.children[node]!.get(symbol)
      if (node === undefined) return false
    }
    return this.ends[node]! > 0
  }

  /** One node a line, indented by depth, with support and an `*` where samples end. */
  toString(): string {
    const lines: string[] = []
    const open: { node: number; symbol: string; depth: number }[] = [{ node: 0, symbol: '(root)', depth: 0 }]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      lines.push(`${'  '.repeat(at.depth)}${at.symbol} ${this.supports[at.node]}${this.ends[at.node]! > 0 ? '*' : ''}`)
      for (const [symbol, node] of [...this.children[at.node]!].reverse())
        open.push({ node, symbol, depth: at.depth + 1 })
    }
    return lines.join('\n')
  }
}
