import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { runCli } from '../helpers/run-cli.js'
import { useTempFolder } from '../helpers/temp-folder.js'
import { drawRecordings } from './recordings.js'

const temp = useTempFolder()

let cwd: string
beforeAll(async () => {
  cwd = await temp()
  await drawRecordings(cwd)
  expect((await runCli(['learn', 'runs', '--name', 'screens'], { cwd })).code).toBe(0)
})

test('a model as text: states with kind and support, edges, chain', async () => {
  const { code, stdout, stderr } = await runCli(['show', 'screens'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(
    /^screens\nGo to the last screen\noracle\/screens: 5 states, 4 essential; learned from 4 record/,
  )
  expect(stdout).toMatch(/^● s1 {2}█{10} 4\/4 {2}.* {2}essential$/m)
  expect(stdout).toMatch(/^○ s3 {2}███░{7} 1\/4 {2}.* {2}optional$/m)
  expect(stdout).toMatch(/^● s5 {2}█{10} 4\/4 {2}.* {2}essential, end\n {6}by click on "to D" ×4$/m)
  expect(stdout).toMatch(/^ {2}s2 → {2}s3 ×1, s4 ×3$/m)
  expect(stdout).toMatch(/^ {2}to end in s5 ".*": s1 → s2 → s4 → s5$/m)
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

test('the only model needs no name; a folder does as well', async () => {
  const { stdout } = await runCli(['show', 'screens'], { cwd })
  for (const args of [[], ['oracle/screens'], ['oracle/screens/model.json']]) {
    expect((await runCli(['show', ...args], { cwd })).stdout).toBe(stdout)
  }
})

test('--merges says of every state what was merged into it, and why', async () => {
  const { stdout } = await runCli(['show', '--merges'], { cwd })
  expect(stdout).toMatch(/^ {6}run-2 {2}step 2 {2}equivalent \(exact\): /m)
  expect(stdout.match(/^ {6}run-\d {2}step \d {2}equivalent/gm)).toHaveLength(17)
})

test('a model as DOT and Mermaid', async () => {
  const dot = await runCli(['show', '--format', 'dot'], { cwd })
  expect(dot.stdout).toMatch(/^digraph \{/)
  expect(dot.stdout).toContain('n_s2 -> n_s3')
  const mermaid = await runCli(['show', '--format', 'mermaid'], { cwd })
  expect(mermaid.stdout).toMatch(/^flowchart TD/)
})

test('a model as JSON, without what only the tiers can read', async () => {
  const { stdout } = await runCli(['show', '--json'], { cwd })
  const model = JSON.parse(stdout)
  expect(model).toMatchObject({
    schema: 'trace-oracle/show@1',
    kind: 'model',
    folder: 'oracle/screens',
    name: 'screens',
  })
  expect(model.states[0].members).toHaveLength(4)
  expect(model.states[0].signature).toEqual({ of: 4, tokens: expect.any(Number) })
  expect(model.states[0].exemplar).toEqual({ trace: expect.any(Number), step: 0 })
})

test('a run: its steps, and how it ended', async () => {
  const { code, stdout } = await runCli(['show', 'new/modest'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^modest\nGo to the last screen\nnative format · 5 steps · agent a test · viewport 480×320\n/)
  expect(stdout).toMatch(/^ {3}2 {2}2\.0 s {2}click on "to X" {2}Screen X {2}screenshots\/0002\.png$/m)
  expect(stdout).toContain('The agent claimed fail.')
  const { stdout: json } = await runCli(['show', 'new/modest', '--json'], { cwd })
  expect(JSON.parse(json)).toMatchObject({
    schema: 'trace-oracle/show@1',
    kind: 'run',
    name: 'modest',
    task: 'Go to the last screen',
  })
})

test.each([
  ['screen', 'there is no such model. Did you mean "screens"?'],
  ['new/modst', 'does not exist. Did you mean "new/modest"?'],
  ['new', 'holds 4 runs. Name one of them, for instance new/good'],
])('%s is neither', async (name, message) => {
  const { code, stdout, stderr } = await runCli(['show', name], { cwd })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})

test('a run has no graph and no merges', async () => {
  expect((await runCli(['show', 'new/good', '--format', 'dot'], { cwd })).code).toBe(2)
  expect((await runCli(['show', 'new/good', '--merges'], { cwd })).code).toBe(2)
})

test('fits a narrow terminal as well as may be', async () => {
  const { modelText } = await import('../../lib/report/model-text.js')
  const { readModel } = await import('../../lib/model/read-model.js')
  const { NO_COLORS } = await import('../../lib/report/colors.js')
  const model = await readModel(join(cwd, 'oracle/screens'))
  const text = modelText(model, { colors: NO_COLORS, columns: 80, folder: 'oracle/screens' })
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})
