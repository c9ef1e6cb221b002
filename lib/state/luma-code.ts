/**
 * Writes a picture's luma small, with the same bytes on every machine (those of zlib depend on its version): each row as
 * its differences from the row above, and those in PackBits (Apple 1984): a byte n < 128 announces n + 1 single bytes, a
 * byte n > 128 says that the next one comes 257 - n times. Screens come down to about a fifth.
 */
export function encodeLuma(luma: Uint8Array, width: number): Uint8Array {
  const { length } = luma
  const rest = new Uint8Array(length)
  rest.set(luma.subarray(0, width))
  for (let i = width; i < length; i++) rest[i] = luma[i]! - luma[i - width]!
  const out = new Uint8Array(length + Math.ceil(length / MAX_SINGLES))
  let size = 0
  /** Where single bytes that are not written yet begin. */
  let singles = 0
  for (let i = 0; i < length; ) {
    const value = rest[i]!
    const limit = Math.min(length, i + MAX_RUN)
    let end = i + 1
    while (end < limit && rest[end] === value) end++
    if (end - i <= 2) {
      // Two equal bytes are no run, and the second may begin one.
      i++
      if (i - singles < MAX_SINGLES && i < length) continue
    }
    if (i > singles) {
      out[size++] = i - singles - 1
      while (singles < i) out[size++] = rest[singles++]!
    }
    if (end - i > 2) {
      out[size++] = 257 - (end - i)
      out[size++] = value
      i = end
      singles = i
    }
  }
  return out.slice(0, size)
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
