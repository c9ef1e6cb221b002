/**
 * Writes a picture's luma small, with the same bytes on every machine (those of zlib depend on its version): each row as
 * its differences from the row above, and those in PackBits (Apple 1984): a byte n < 128 announces n + 1 single bytes, a
 * byte n > 128 says that the next one comes 257 - n times. Screens come down to about a fifth.
 */
export function encodeLuma(luma: Uint8Array, width: number): Uint8Array {
  const rest = Uint8Array.from(luma, (value, i) => value - (luma[i - width] ?? 0))
  const out: number[] = []
  for (let i = 0; i < rest.length; ) {
    const run = runAt(rest, i)
    if (run > 2) {
      out.push(257 - run, rest[i]!)
      i += run
      continue
    }
    const start = i
    while (i < rest.length && i - start < MAX_SINGLES && runAt(rest, i) <= 2) i++
    out.push(i - start - 1, ...rest.subarray(start, i))
  }
  return Uint8Array.from(out)
}

/** The luma again, or undefined when the code is not that of `length` values. */
export function decodeLuma(code: Uint8Array, width: number, length: number): Uint8Array | undefined {
  const luma = new Uint8Array(length)
  let end = 0
  for (let i = 0; i < code.length; ) {
    const head = code[i++]!
    const [count, from] = head < 128 ? [head + 1, head + 1] : [257 - head, 1]
    if (head === 128 || end + count > length || i + from > code.length) return undefined
    if (head < 128) luma.set(code.subarray(i, i + count), end)
    else luma.fill(code[i]!, end, end + count)
    i += from
    end += count
  }
  if (end !== length) return undefined
  for (let i = width; i < length; i++) luma[i]! += luma[i - width]!
  return luma
}

const MAX_RUN = 128
const MAX_SINGLES = 128

/** How often the byte at `start` comes in a row, counted to MAX_RUN. */
function runAt(bytes: Uint8Array, start: number): number {
  let end = start + 1
  while (end < bytes.length && end - start < MAX_RUN && bytes[end] === bytes[start]) end++
  return end - start
}
