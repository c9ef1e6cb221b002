/** A value from someone else's file, safe to put into a one-line message: JSON, control characters escaped, cut short. */
export function quote(value: unknown, maxLength = 60): string {
  // Cut before it is turned into JSON: a value may be as long as a line of a trace.
  const short = typeof value === 'string' && value.length > maxLength ? `${value.slice(0, maxLength - 1)}…` : value
  const text = JSON.stringify(short) ?? String(value)
  return (text.length > 2 * maxLength ? `${text.slice(0, 2 * maxLength - 1)}…` : text).replace(CONTROL, escapeUnit)
}

/** What a value is, for "is …, not …": `the number 5`, `a list`, `null`. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return `the string ${quote(value, 30)}`
  return `the ${typeof value} ${String(value)}`
}

// JSON.stringify leaves DEL, the C1 controls and the bidirectional marks as they are; a terminal obeys them.
const CONTROL = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
