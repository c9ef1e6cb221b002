/**
 * Text from a trace, a model or a file name, safe to print on a terminal as part of a line. Screens and agents are
 * hostile: an escape sequence could colour, move, hide or forge what is printed after it, and a mark of direction could
 * turn it round. Such characters are shown as what they are (`\x1b`), line breaks and tabs become spaces, and what is
 * longer than `limit` characters is cut.
 */
export function printable(text: string, limit = 400): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text
  return cut
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(UNSAFE, shown)
    .trim()
}

/**
 * Control characters (C0, DEL, C1), marks of direction, and invisible characters that hide text in what looks like
 * another text (soft hyphen, zero-width spaces, tags). The joiners of emoji and of some scripts stay.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what the function is for
const UNSAFE = /[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

function shown(character: string): string {
  const code = character.codePointAt(0)!
  if (code > 0xffff) return `\\u{${code.toString(16)}}`
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
