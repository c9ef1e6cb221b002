/**
 * Order of names as people count: digits by their value (`2.png` before `10.png`), everything else by code unit.
 * No locale is asked, so every machine gives the same order; names that count alike (`01`, `1`) fall back to code units,
 * so two different names never compare as 0.
 */
export function compareNatural(a: string, b: string): number {
  const left = a.match(CHUNKS) ?? []
  const right = b.match(CHUNKS) ?? []
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareChunks(left[i]!, right[i]!)
    if (order !== 0) return order
  }
  return left.length - right.length || compareCodeUnits(a, b)
}

/** The same for paths with forward slashes, folder by folder, so that `run-1/x` stays beside `run-1/y`. */
export function comparePaths(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareNatural(left[i]!, right[i]!)
    if (order !== 0) return order
  }
  return left.length - right.length
}

const CHUNKS = /[0-9]+|[^0-9]+/g

function compareChunks(a: string, b: string): number {
  if (!isDigits(a) || !isDigits(b)) return compareCodeUnits(a, b)
  // As text, not as numbers: ids and timestamps have more digits than a double holds.
  const left = a.replace(/^0+/, '')
  const right = b.replace(/^0+/, '')
  return left.length - right.length || compareCodeUnits(left, right)
}

function isDigits(chunk: string): boolean {
  const code = chunk.charCodeAt(0)
  return code >= 48 && code <= 57
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
