/**
 * One text for one value: keys in the order of their code units, -0 as 0, no undefined fields. Equal values give equal
 * texts, whatever order their keys were set in. (In the spirit of RFC 8785, whose numbers and strings are also those of
 * `JSON.stringify`.)
 *
 * Without `indent` everything is on one line and without blanks, for digests. With it the text is for people and line by
 * line diffs: what fits into WIDTH columns is on one line, and so is each record of a list (an item that holds no list
 * itself), however long, so that a record more is a line more.
 *
 * Throws TypeError for what JSON cannot say: NaN and infinities, undefined outside of objects, functions, bigints,
 * instances of classes (a Map would silently become `{}`), and what is nested more than MAX_DEPTH deep or holds itself.
 */
export function canonicalJson(value: unknown, indent = 0): string {
  return indent === 0 ? oneLine(value, ',', ':', 0) : layOut(value, ' '.repeat(indent), '', 0, 0)
}

/** More than a trace may nest; whoever walks a value calls itself, and the stack has an end. */
const MAX_DEPTH = 1200
const WIDTH = 100

function oneLine(value: unknown, comma: string, colon: string, depth: number): string {
  if (!isContainer(value)) return scalar(value)
  const inner = deeper(depth)
  const parts: string[] = []
  if (Array.isArray(value)) {
    for (const item of value) parts.push(oneLine(item, comma, colon, inner))
    return `[${parts.join(comma)}]`
  }
  for (const [key, field] of entries(value)) parts.push(key + colon + oneLine(field, comma, colon, inner))
  return `{${parts.join(comma)}}`
}

/** `margin` is the blanks before the line that the value begins in, `column` where in it. */
function layOut(value: unknown, indent: string, margin: string, column: number, depth: number): string {
  if (!isContainer(value)) return scalar(value)
  const inner = margin + indent
  const below = deeper(depth)
  const parts: string[] = []
  if (Array.isArray(value)) {
    for (const item of value) {
      const isRecord = isContainer(item) && !holdsList(item, below)
      parts.push(isRecord ? oneLine(item, ', ', ': ', below) : layOut(item, indent, inner, inner.length, below))
    }
  } else {
    for (const [key, field] of entries(value)) {
      parts.push(`${key}: ${layOut(field, indent, inner, inner.length + key.length + 2, below)}`)
    }
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const width = parts.reduce((sum, part) => sum + part.length + 2, column)
  // A line feed is never part of a JSON string, so it shows that something inside is broken up already.
  if (width <= WIDTH && !parts.some((part) => part.includes('\n'))) return `${open}${parts.join(', ')}${close}`
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${margin}${close}`
}

function holdsList(value: object, depth: number): boolean {
  if (Array.isArray(value)) return true
  for (const field of Object.values(value)) if (isContainer(field) && holdsList(field, deeper(depth))) return true
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Keys, as JSON, and values of the fields that are there. */
function entries(value: object): [key: string, field: unknown][] {
  // The prototype's prototype, because a plain object may come from another realm (a worker, a test's sandbox).
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new TypeError(`${value.constructor?.name ?? 'An object of a class'} has no place in JSON`)
  }
  const fields = value as { [key: string]: unknown }
  return Object.keys(fields)
    .filter((key) => fields[key] !== undefined)
    .sort()
    .map((key) => [JSON.stringify(key), fields[key]])
}

function scalar(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value)
      break
    case 'object':
      return 'null'
  }
  throw new TypeError(`${String(value)} has no place in JSON`)
}

function deeper(depth: number): number {
  if (depth < MAX_DEPTH) return depth + 1
  throw new TypeError(`The value is nested more than ${MAX_DEPTH} deep, or holds itself`)
}
