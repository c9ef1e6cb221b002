import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { modelName } from '../../lib/model/model-name.js'

describe('modelName', () => {
  test.each<[string | null, string | null, string]>([
    [null, 'traces/vscode-search/passing', 'vscode-search'],
    [null, 'traces/vscode-search/runs/train', 'vscode-search'],
    ['A task', './vscode_search/good-runs/', 'vscode-search'],
    [null, 'C:\\work\\Checkout Flow\\train', 'checkout-flow'],
    [null, 'login/run-01', 'login'],
    [null, 'login/2026-05-01', 'login'],
    [null, 'login/passing-traces', 'login'],
    ['Search for "TODO" in the whole workspace, then stop', 'traces/passing', 'search-for-todo-in-the-whole'],
    ['Search', '/home/me/project/traces/passing', 'search'],
    [null, '/home/me/project/traces/passing', 'project'],
    [null, '/home', 'model'],
    [null, '.', 'model'],
    [null, '..', 'model'],
    [null, null, 'model'],
    ['', '', 'model'],
    ['!?', null, 'model'],
    ["Don't save Café's file", null, 'dont-save-cafes-file'],
    ['検索して保存する', null, '検索して保存する'],
    ['हिन्दी में खोजें', null, 'हिन्दी-में-खोजें'],
    ['con', null, 'con-model'],
    [null, 'recordings/LPT1', 'lpt1-model'],
    [null, 'aux/train', 'aux-model'],
    ['.hidden', null, 'hidden'],
    [
      'Set the configuration option of the extraordinarily complicated dialog',
      null,
      'set-the-configuration-option-of-the',
    ],
    [null, 'x'.repeat(100), 'x'.repeat(60)],
    [null, 'trained-model', 'trained-model'],
    [null, 'newsletter', 'newsletter'],
    [null, 'runner/tests', 'runner'],
  ])('%j, %j: %s', (task, folder, name) => {
    expect(modelName(task, folder)).toBe(name)
  })

  test('is a file name on every system', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 200 }))
    fc.assert(
      fc.property(fc.option(text), fc.option(text), (task, folder) => {
        const name = modelName(task, folder)
        expect(name).toMatch(/^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u)
        expect(name.length).toBeLessThanOrEqual(60)
        expect(name).toBe(name.normalize('NFC'))
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)$/i)
        expect(Buffer.byteLength(name)).toBeLessThan(255)
      }),
      { numRuns: 2000 },
    )
  })

  test('stays quick on long names', () => {
    const start = performance.now()
    modelName('test'.repeat(20_000), `${'train-'.repeat(20_000)}x`)
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
