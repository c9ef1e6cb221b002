// How wide text is on a terminal, and what follows from it. All text is expected to be `printable` already.

/** Columns that a text takes: wide characters (CJK, emoji) take two, marks on a letter none. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** The text with spaces after it up to `width` columns. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** The text, or as much of it as fits into `width` columns with an ellipsis. */
export function fitTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += displayWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Lines of at most `width` columns, broken at spaces; a word that is longer stands alone. */
export function wrapTo(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Rows as lines with aligned columns; the last column is left as it is. `right` are the columns of numbers. */
export function alignColumns(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell))
  }
  return rows.map((row) =>
    row
      .map((cell, i) => {
        if (right.includes(i)) return ' '.repeat(widths[i]! - displayWidth(cell)) + cell
        return i === row.length - 1 ? cell : padTo(cell, widths[i]!)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** `1 run`, `2 runs`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`
}

/** A share as whole per cent: `26 %`; a share that is not quite all or nothing is not rounded to it. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100)
  if (rounded === 100 && share < 1) return '>99 %'
  if (rounded === 0 && share > 0) return '<1 %'
  return `${rounded} %`
}

const PLAIN = /^[\x20-\x7e]*$/
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
