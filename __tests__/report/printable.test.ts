import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { jsonText } from '../../lib/report/json-text.js'
import { printable } from '../../lib/report/printable.js'

describe('printable', () => {
  test.each([
    ['plain text', 'plain text'],
    ['\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['\u009b31m', '\\x9b31m'],
    ['one\r\ntwo\tthree\u2028four', 'one two three four'],
    ['exe.\u202egnp', 'exe.\\u202egnp'],
    ['zero\u200bwidth\u00adhidden\ufeff', 'zero\\u200bwidth\\xadhidden\\ufeff'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['lone \ud800 half', 'lone \ufffd half'],
    ['👩‍👩‍👧 日本語 é', '👩‍👩‍👧 日本語 é'],
    ['  edges\n', 'edges'],
  ])('%j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  test('cuts what is too long', () => {
    expect(printable('x'.repeat(1_000_000), 10)).toBe('xxxxxxxxx…')
  })

  test('leaves nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })
})

describe('jsonText', () => {
  test('says the same as JSON, in characters that no terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = jsonText({ [text]: text })
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ [text]: text })))
        expect(json).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })
})
