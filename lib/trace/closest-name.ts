import { compareNatural } from './natural-order.js'

/**
 * The candidate that `name` was most likely meant to be, or undefined when none is near: at most a third of its letters
 * wrong, where a missing, extra, other or swapped letter counts one (optimal string alignment distance).
 */
export function closestName(name: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of [...candidates].sort(compareNatural)) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1)
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[b.length]!
}
