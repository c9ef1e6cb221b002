import { quote } from '../trace/quote.js'

/** Where a text stops being JSON: line and column count from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly what: string
}

/**
 * The first fault of a text that JSON.parse refused. (Its own message has no position for short texts, and different
 * words in every engine.) Linear, and does not call itself.
 */
export function jsonFault(text: string): JsonFault {
  const open: ('{' | '[')[] = []
  let expected: 'value' | 'first item' | 'first key' | 'key' | 'colon' | 'comma' = 'value'
  for (let position = 0; ; ) {
    const start = position + take(BLANKS, text, position).length
    const token = take(TOKEN, text, start)
    const container = open.at(-1)
    const closes = (container === '{' && token === '}') || (container === '[' && token === ']')
    const isValue = expected === 'value' || expected === 'first item'
    if (closes && (expected === 'comma' || expected === 'first item' || expected === 'first key')) {
      open.pop()
      expected = 'comma'
    } else if (expected === 'comma' && token === ',' && container !== undefined) {
      expected = container === '{' ? 'key' : 'value'
    } else if (expected === 'colon' && token === ':') {
      expected = 'value'
    } else if ((expected === 'key' || expected === 'first key') && token.startsWith('"')) {
      expected = 'colon'
    } else if (isValue && (token === '{' || token === '[')) {
      open.push(token)
      expected = token === '{' ? 'first key' : 'first item'
    } else if (isValue && /^["\w-]/.test(token)) {
      expected = 'comma'
    } else {
      return faultAt(text, start)
    }
    position = start + token.length
  }
}

/** What the pattern finds at the position; nothing is ''. */
function take(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0] ?? ''
}

const BLANKS = /[ \t\n\r]+/y
const STRING = /"[^"\\\p{Cc}]*(?:(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\u007f-\u009f])[^"\\\p{Cc}]*)*"/u
const OTHER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)\b|[{}[\],:]/u
const TOKEN = new RegExp(`${STRING.source}|${OTHER.source}`, 'uy')

function faultAt(text: string, position: number): JsonFault {
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const [first] = text.slice(position, position + 2)
  const what = /^(?:<{7}|={7}|>{7})/.test(text.slice(position, position + 7))
    ? 'a merge conflict is left in it'
    : first === undefined
      ? 'it ends in the middle'
      : first === '"' && take(TOKEN, text, position) === ''
        ? 'a string without an end, or with something in it that strings may not hold'
        : `unexpected ${quote(first)}`
  return { line, column, what }
}
