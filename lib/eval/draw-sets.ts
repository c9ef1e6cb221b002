import { type Random, sample } from './random.js'

/**
 * At most `repeats` different sets of `k` of the numbers below `n`, drawn at random; when there are no more than that
 * in all, every one of them in lexicographic order, and nothing is left to chance.
 */
export function drawSets(n: number, k: number, repeats: number, random: Random): number[][] {
  if (k < 1 || k > n) throw new RangeError(`Cannot draw ${k} of ${n}`)
  if (combinations(n, k) <= repeats) return allSets(n, k)
  const sets = new Map<string, number[]>()
  while (sets.size < repeats) {
    const set = sample(n, k, random)
    sets.set(set.join(), set)
  }
  return [...sets.values()]
}

/** Binomial coefficient; beyond 2^53 only its order of magnitude. */
function combinations(n: number, k: number): number {
  let product = 1
  for (let i = 1; i <= Math.min(k, n - k); i++) product = Math.round((product * (n - i + 1)) / i)
  return product
}

function allSets(n: number, k: number): number[][] {
  const sets: number[][] = []
  const set = Array.from({ length: k }, (_, i) => i)
  for (;;) {
    sets.push([...set])
    let i = k - 1
    while (i >= 0 && set[i] === n - k + i) i--
    if (i < 0) return sets
    set[i]!++
    for (let j = i + 1; j < k; j++) set[j] = set[j - 1]! + 1
  }
}
