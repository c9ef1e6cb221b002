/** Numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

/**
 * Repeatable random numbers: mulberry32 (Tommy Ettinger, 2017; public domain), 32 bits of state, period 2^32. The same
 * seed gives the same numbers on every machine. For drawing samples, never for secrets.
 *
 * Throws RangeError unless the seed is a whole number from 0 to 2^32 - 1.
 */
export function seededRandom(seed: number): Random {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
    throw new RangeError(`The seed must be a whole number from 0 to ${0xffffffff}, not ${seed}`)
  }
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * `k` different numbers below `n`, ascending; every such set is equally likely (the first k steps of a Fisher-Yates
 * shuffle; Durstenfeld 1964).
 */
export function sample(n: number, k: number, random: Random): number[] {
  const pool = Array.from({ length: n }, (_, i) => i)
  for (let i = 0; i < k; i++) {
    const j = i + Math.floor(random() * (n - i))
    ;[pool[i], pool[j]] = [pool[j]!, pool[i]!]
  }
  return pool.slice(0, k).sort((a, b) => a - b)
}
