import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { actionWords, wordSimilarity, words } from '../../lib/equivalence/action-words.js'
import type { Action } from '../../lib/trace/trace.js'

describe('actionWords', () => {
  test.each<[string, Action | null, string]>([
    ['where the run began', null, '(start)'],
    ['a click', { type: 'click', target: 'Save As…', x: 3, y: 4 }, 'click save as'],
    ['the same click elsewhere', { type: 'click', target: 'Save As…', x: 300, y: 400 }, 'click save as'],
    ['text', { type: 'type', target: 'Search for', text: 'calculateTotal' }, 'type search for calculatetotal'],
    ['a shortcut', { type: 'key', key: 'Control+Shift+P' }, 'key control+shift+p'],
    ['an address', { type: 'goto', url: 'http://127.0.0.1:1880/' }, 'goto http //127.0.0.1 1880/'],
    ['a tool', { type: 'tool', name: 'get_user', arguments: { id: 3 } }, 'tool get user'],
    ['a wait says only how long', { type: 'wait', text: '500 ms' }, 'wait'],
    ['no target', { type: 'click', target: null }, 'click'],
    ['a type of its own', { type: '__proto__', target: 'constructor' }, '__proto__ constructor'],
    ['other scripts', { type: 'click', target: 'Überprüfen 保存 🗂️' }, 'click überprüfen 保存'],
  ])('%s', (_, action, said) => {
    expect(actionWords(action).join(' ')).toBe(said)
  })

  test('letters are the same however they are written in Unicode', () => {
    expect(words('Übernehmen')).toEqual(words('Übernehmen'.normalize('NFD')))
  })
})

describe('wordSimilarity', () => {
  test.each([
    ['click save', 'click save', 1],
    ['click save', 'save click', 1],
    ['click save', 'key f1', 0],
    ['a b c', 'a b', 0.8],
    ['a a b', 'a b b', 2 / 3],
    ['', '', 1],
    ['', 'a', 0],
  ])('%j and %j: %d', (a, b, expected) => {
    const list = (text: string) => text.split(' ').filter((word) => word !== '')
    expect(wordSimilarity(list(a), list(b))).toBeCloseTo(expected, 12)
  })

  test('is the Dice coefficient of two bags', () => {
    const bag = fc.array(fc.constantFrom('a', 'b', 'constructor', '__proto__'), { maxLength: 6 })
    fc.assert(
      fc.property(bag, bag, (a, b) => {
        const rest = [...b]
        const shared = a.filter((word) => rest.includes(word) && rest.splice(rest.indexOf(word), 1).length === 1).length
        const expected = a.length + b.length === 0 ? 1 : (2 * shared) / (a.length + b.length)
        expect(wordSimilarity(a, b)).toBeCloseTo(expected, 12)
        expect(wordSimilarity(b, a)).toBe(wordSimilarity(a, b))
      }),
    )
  })
})
