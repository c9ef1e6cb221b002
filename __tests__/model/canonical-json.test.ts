import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { canonicalJson } from '../../lib/canonical-json.js'

const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 5 })

describe('canonicalJson', () => {
  test('says the same as JSON, on one line and laid out', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1, 2, 4), (value, indent) => {
        const text = canonicalJson(value, indent)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        if (indent === 0) expect(text).not.toMatch(/[\n\r]/)
      }),
    )
  })

  test('gives equal values equal texts, in whatever order their keys were set', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), fc.infiniteStream(fc.nat()), (value, indent, numbers) => {
        expect(canonicalJson(shuffled(value, numbers), indent)).toBe(canonicalJson(value, indent))
      }),
    )
  })

  test.each<[unknown, string]>([
    [{ b: 1, a: 2, B: 3, é: 4, '10': 5, '9': 6 }, '{"10":5,"9":6,"B":3,"a":2,"b":1,"é":4}'],
    [{ '\u{1f600}': 1, '\uffff': 2 }, '{"😀":1,"\uffff":2}'],
    [{ a: undefined, b: null }, '{"b":null}'],
    [[-0, 1e21, 0.1], '[0,1e+21,0.1]'],
    [JSON.parse('{"__proto__":{"x":1},"constructor":2}'), '{"__proto__":{"x":1},"constructor":2}'],
    ['\ud800"\n', '"\\ud800\\"\\n"'],
    [Object.create(null), '{}'],
    [runInNewContext('({ a: [1] })'), '{"a":[1]}'],
  ])('writes %p', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  test.each<[unknown, string]>([
    [{ a: Number.NaN }, 'NaN has no place in JSON'],
    [[Number.NEGATIVE_INFINITY], '-Infinity has no place in JSON'],
    [undefined, 'undefined has no place in JSON'],
    [[undefined], 'undefined has no place in JSON'],
    [new Array(1), 'undefined has no place in JSON'],
    [{ a: () => 1 }, 'has no place in JSON'],
    [[1n], '1 has no place in JSON'],
    [{ a: new Map() }, 'Map has no place in JSON'],
    [[new Date(0)], 'Date has no place in JSON'],
    [new Uint8Array(1), 'Uint8Array has no place in JSON'],
  ])('refuses %p', (value, message) => {
    for (const indent of [0, 2]) {
      expect(() => canonicalJson(value, indent)).toThrow(TypeError)
      expect(() => canonicalJson(value, indent)).toThrow(message)
    }
  })

  test('refuses what holds itself or is very deep, and takes what a trace may hold', () => {
    const cycle: unknown[] = []
    cycle.push({ cycle })
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
    for (const indent of [0, 2]) {
      expect(() => canonicalJson(cycle, indent)).toThrow('nested more than 1200 deep, or holds itself')
      expect(() => canonicalJson(nested(5000), indent)).toThrow(TypeError)
      expect(canonicalJson(nested(1000), indent).replace(/\s/g, '').length).toBe(2000)
    }
  })

  test('is laid out for people: one record a line, short things on one line', () => {
    const long = 'x'.repeat(90)
    const value = {
      short: [1, 2, { a: [] }],
      records: [
        { b: long, a: { c: long } },
        { b: 1, a: 2 },
      ],
      words: [long, long],
      nested: [{ list: [long], n: 1 }],
      empty: {},
    }
    expect(canonicalJson(value, 2)).toBe(`{
  "empty": {},
  "nested": [
    {
      "list": [
        "${long}"
      ],
      "n": 1
    }
  ],
  "records": [
    {"a": {"c": "${long}"}, "b": "${long}"},
    {"a": 2, "b": 1}
  ],
  "short": [1, 2, {"a": []}],
  "words": [
    "${long}",
    "${long}"
  ]
}`)
  })
})

/** The same value with its keys set in another order. */
function shuffled(value: unknown, numbers: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, numbers))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, field]) => [numbers.next().value, key, shuffled(field, numbers)] as const,
  )
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, key, field]) => [key, field]))
}
