/**
 * What a run must show: `count` requirements, 0 … count - 1, listed in an order that extends the partial order
 * given by `pairs` [earlier, later]. The last one is the terminal, which only the run's last observation can meet.
 */
export interface Requirements {
  readonly count: number
  readonly pairs: readonly (readonly [number, number])[]
}

export interface Alignment {
  /** requirement -> observation that meets it, or -1 */
  readonly metBy: Int32Array
  readonly score: number
}

/** More order ideals than this are not enumerated: so many states that may come in any order are looked for without order. */
const MOST_IDEALS = 20_000

/**
 * The best alignment of a run of `observations` with the requirements: each observation meets at most one, met ones stand in
 * an order that the partial order allows, and the sum of `score` is greatest (a pair that scores 0 or less never meets).
 * Of equal ones the earliest observations are taken.
 *
 * Dynamic programming over the order ideals of the partial order (Birkhoff's representation: a run works its way up the
 * lattice of "done" sets). For a chain these are its prefixes, and it is the longest common subsequence; one missing
 * requirement costs one, not all after it. O(ideals * width * observations).
 */
export function alignChain(
  requirements: Requirements,
  observations: number,
  score: (requirement: number, observation: number) => number,
): Alignment {
  const { count } = requirements
  let lattice = lattices.get(requirements)
  if (lattice === undefined) lattices.set(requirements, (lattice = orderIdeals(requirements)))
  if (lattice === null) return withoutOrder(count, observations, score)
  const width = observations + 1
  const best = new Float64Array(lattice.length * width)
  const how = new Int32Array(lattice.length * width) // 0: look at the observation before; else ±(step + 1) into `below`
  for (let ideal = 1; ideal < lattice.length; ideal++) {
    const { below } = lattice[ideal]!
    for (let seen = 0; seen <= observations; seen++) {
      const at = ideal * width + seen
      let top = seen > 0 ? best[at - 1]! : Number.NEGATIVE_INFINITY
      let choice = 0
      for (let i = 0; i < below.length; i++) {
        const { ideal: previous, requirement } = below[i]!
        const skipped = best[previous * width + seen]!
        if (skipped > top) {
          top = skipped
          choice = -(i + 1)
        }
        if (seen === 0 || (requirement === count - 1 && seen !== observations)) continue
        const gain = score(requirement, seen - 1)
        if (gain > 0 && best[previous * width + seen - 1]! + gain > top) {
          top = best[previous * width + seen - 1]! + gain
          choice = i + 1
        }
      }
      best[at] = top
      how[at] = choice
    }
  }
  const metBy = new Int32Array(count).fill(-1)
  let ideal = lattice.length - 1
  let seen = observations
  while (ideal > 0) {
    const choice = how[ideal * width + seen]!
    if (choice === 0) {
      seen--
      continue
    }
    const { ideal: previous, requirement } = lattice[ideal]!.below[Math.abs(choice) - 1]!
    if (choice > 0) metBy[requirement] = --seen
    ideal = previous
  }
  return { metBy, score: best[lattice.length * width - 1] ?? 0 }
}

/** One chain is aligned with many runs, and several times with each. */
const lattices = new WeakMap<Requirements, Ideal[] | null>()

interface Ideal {
  /** The ideals that are smaller by one requirement. */
  readonly below: readonly { readonly ideal: number; readonly requirement: number }[]
}

/** All sets of requirements that are closed downwards, smaller ones first; null when there are too many. */
function orderIdeals({ count, pairs }: Requirements): Ideal[] | null {
  if (isChain(count, pairs)) {
    return Array.from({ length: count + 1 }, (_, size) => ({
      below: size === 0 ? [] : [{ ideal: size - 1, requirement: size - 1 }],
    }))
  }
  const before: number[][] = Array.from({ length: count }, () => [])
  for (const [earlier, later] of pairs) before[later]!.push(earlier)
  const ideals: { below: { ideal: number; requirement: number }[]; done: Uint8Array }[] = [
    { below: [], done: new Uint8Array(count) },
  ]
  const numbers = new Map<string, number>()
  for (let ideal = 0; ideal < ideals.length; ideal++) {
    const { done } = ideals[ideal]!
    for (let requirement = 0; requirement < count; requirement++) {
      if (done[requirement] === 1 || before[requirement]!.some((earlier) => done[earlier] === 0)) continue
      const next = done.slice()
      next[requirement] = 1
      const key = next.join('')
      let number = numbers.get(key)
      if (number === undefined) {
        if (ideals.length >= MOST_IDEALS) return null
        number = ideals.length
        numbers.set(key, number)
        ideals.push({ below: [], done: next })
      }
      ideals[number]!.below.push({ ideal, requirement })
    }
  }
  return ideals
}

function isChain(count: number, pairs: Requirements['pairs']): boolean {
  const steps = new Set(pairs.filter(([earlier, later]) => later === earlier + 1).map(([earlier]) => earlier))
  return steps.size === Math.max(count - 1, 0)
}

/** Each requirement by itself, met by its first observation: lenient, since an order that hardly exists should fail nobody. */
function withoutOrder(
  count: number,
  observations: number,
  score: (requirement: number, observation: number) => number,
): Alignment {
  const metBy = new Int32Array(count).fill(-1)
  let sum = 0
  for (let requirement = 0; requirement < count; requirement++) {
    const first = requirement === count - 1 ? Math.max(observations - 1, 0) : 0
    for (let at = first; at < observations && metBy[requirement]! < 0; at++) {
      const gain = score(requirement, at)
      if (gain <= 0) continue
      metBy[requirement] = at
      sum += gain
    }
  }
  return { metBy, score: sum }
}
