/**
 * A value as one line of JSON for machines. JSON leaves DEL, the C1 controls and the marks of direction as they are,
 * and a terminal obeys them: they are escaped, which says the same to any reader of JSON.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(OBEYED, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const OBEYED = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
