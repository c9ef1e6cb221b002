import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { jsonFault } from '../../lib/model/json-fault.js'

describe('jsonFault', () => {
  test.each<[string, number, number, string]>([
    ['', 1, 1, 'it ends in the middle'],
    ['{"a": 1,\n "b": 2', 2, 8, 'it ends in the middle'],
    ['{"a": 1,\n}', 2, 1, 'unexpected "}"'],
    ['[1,]', 1, 4, 'unexpected "]"'],
    ['[1 2]', 1, 4, 'unexpected "2"'],
    ['{"a" 1}', 1, 6, 'unexpected "1"'],
    ['{a: 1}', 1, 2, 'unexpected "a"'],
    ['{1: 1}', 1, 2, 'unexpected "1"'],
    ['{"a": 1]', 1, 8, 'unexpected "]"'],
    ['[01]', 1, 2, 'unexpected "0"'],
    ['[NaN]', 1, 2, 'unexpected "N"'],
    ['{} {}', 1, 4, 'unexpected "{"'],
    ['1,', 1, 2, 'unexpected ","'],
    ['{"a": "b\nc"}', 1, 7, 'a string without an end, or with something in it that strings may not hold'],
    ['["\\x"]', 1, 2, 'a string without an end, or with something in it that strings may not hold'],
    ['{\n"a": 1,\n<<<<<<< HEAD\n"b": 2\n', 3, 1, 'a merge conflict is left in it'],
    ['[\u001b]', 1, 2, 'unexpected "\\u001b"'],
  ])('%j', (text, line, column, what) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(jsonFault(text)).toEqual({ line, column, what })
  })

  test('whatever is wrong, it ends, and what comes before the fault could be the start of JSON', () => {
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 3 }),
      put: fc.constantFrom('', '"', '{', ',', ':', '}', 'x', '1', '\n'),
    })
    fc.assert(
      fc.property(fc.json(), fc.boolean(), damage, (json, laidOut, { at, cut, put }) => {
        const text = laidOut ? JSON.stringify(JSON.parse(json), null, 2) : json
        const start = at % (text.length + 1)
        const damaged = text.slice(0, start) + put + text.slice(start + cut)
        if (isJson(damaged)) return
        const { line, column } = jsonFault(damaged)
        const position =
          damaged
            .split('\n')
            .slice(0, line - 1)
            .join('\n').length +
          (line > 1 ? 1 : 0) +
          column -
          1
        const before = damaged.slice(0, position)
        // Cut there, the text only lacks an end (or is whole, and what follows is too much).
        if (!isJson(before)) expect(jsonFault(before).what).toBe('it ends in the middle')
      }),
      { numRuns: 2000 },
    )
  })

  test('takes deep and long texts', () => {
    expect(jsonFault('['.repeat(200_000))).toMatchObject({ line: 1, column: 200_001 })
    expect(jsonFault(`["${'x'.repeat(5_000_000)}" 1]`)).toMatchObject({ line: 1, column: 5_000_005 })
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
