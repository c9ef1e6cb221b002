import { InputError, type Place } from '../input-error.js'
import { type Fields, isFields } from './native-format.js'
import { lineTooLong, MAX_LINE_BYTES } from './read-lines.js'

/** A line's fields; `type` is known to be a string. Throws InputError `trace-not-json`, `trace-too-deep`, `trace-bad-line`. */
export function parseLine(text: string, place: Place): Fields & { readonly type: string } {
  if (nestsDeeperThan(text, MAX_DEPTH)) throw tooDeep(place)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw notJson(place, cause)
  }
  if (!isFields(value) || typeof value.type !== 'string') throw notALine(place)
  if (HUGE_EXPONENT.test(text) && !isFiniteThroughout(value)) throw notFinite(place)
  return value as Fields & { readonly type: string }
}

/** JSON.parse turns 1e999 into Infinity, which is no JSON any more. Only such texts need a look. */
const HUGE_EXPONENT = /\d[eE]\+?\d{3}|\d{300}/

function isFiniteThroughout(value: unknown): boolean {
  const open = [value]
  while (open.length > 0) {
    const inner = open.pop()
    if (typeof inner === 'number' && !Number.isFinite(inner)) return false
    if (typeof inner === 'object' && inner !== null) for (const field of Object.values(inner)) open.push(field)
  }
  return true
}

function notFinite(place: Place): InputError {
  return new InputError(
    'trace-bad-field',
    'A number is too large to be one',
    place,
    'Write numbers up to 1.8e308, or the value as a string.',
  )
}

/** The line, with its line feed, for fields. Throws InputError `trace-too-deep` or `trace-line-too-long`. */
export function formatLine(fields: Fields, place: Place): string {
  let line: string
  try {
    line = `${JSON.stringify(fields)}\n`
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(place) : error
  }
  if (Buffer.byteLength(line) > MAX_LINE_BYTES) throw lineTooLong(place)
  return line
}

/**
 * JSON.parse takes any depth, but whatever walks the value later would run out of stack. Deep document trees reach a
 * few hundred levels.
 */
const MAX_DEPTH = 1000

/** Whether brackets nest deeper than `limit` in a JSON text. Linear, and asks nothing of the stack. */
function nestsDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = closingQuote(text, i)
        if (i === -1) return false
        break
      case OPEN_BRACKET:
      case OPEN_BRACE:
        if (++depth > limit) return true
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth--
    }
  }
  return false
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Position of the quote that ends the string begun at `start`, or -1. */
function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return -1
}

function notJson(place: Place, cause: unknown): InputError {
  const advice = 'Each line is one JSON object: correct or remove this one'
  return new InputError('trace-not-json', 'the line is not valid JSON', place, advice, { cause })
}

function notALine(place: Place): InputError {
  const what = 'the line is not an object with a `type`'
  return new InputError('trace-bad-line', what, place, 'A line has "type":"trace", "step" or "end"')
}

function tooDeep(place: Place): InputError {
  const what = `the line nests deeper than ${MAX_DEPTH} levels`
  return new InputError('trace-too-deep', what, place, 'Write deep trees as text')
}
