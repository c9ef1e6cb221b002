/** Bits in which two hashes differ, given as hex digits of the same number. */
export function hammingDistance(a: string, b: string): number {
  if (a.length !== b.length) throw new RangeError(`hashes of ${a.length} and ${b.length} hex digits cannot be compared`)
  let distance = 0
  for (let i = 0; i < a.length; i++) {
    const differ = Number.parseInt(a[i]!, 16) ^ Number.parseInt(b[i]!, 16)
    distance += (differ & 1) + ((differ >> 1) & 1) + ((differ >> 2) & 1) + (differ >> 3)
  }
  return distance
}
