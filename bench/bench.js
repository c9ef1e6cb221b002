// What the product costs, as ratios to something everybody knows the cost of: `npm run bench [-- --json] [-- part…]`, where the
// parts are check, process, pairs, memory, learn, longLearn and dominators.
// Exits with 1 when a target is missed by more than a quarter: that much is not noise.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digraph } from '../dist/esm/automaton/digraph.js'
import { dominators } from '../dist/esm/automaton/dominators.js'
import { learn, writeModel, writeTrace } from '../dist/esm/index.js'
import { growthExponent, interleaved, median, ownClock, ratio, runProcess, sideBySide } from './measure.js'
import { corpora, longRun } from './pictures.js'
import { syntheticTrace } from './synthetic.js'

const TOLERANCE = 1.25
/** Distinct screens of the synthetic runs. */
const STATES = 40
const CLI = fileURLToPath(new URL('../bin/trace-oracle.js', import.meta.url))
const DECODE_ONLY = fileURLToPath(new URL('decode-only.js', import.meta.url))
const READ_ONLY = fileURLToPath(new URL('read-only.js', import.meta.url))
const json = process.argv.includes('--json')

const temp = mkdtempSync(join(tmpdir(), 'trace-oracle-bench-'))
let folders = 0
const newFolder = () => {
  const folder = join(temp, `f${folders++}`)
  mkdirSync(folder)
  return folder
}

const rows = []
const started = performance.now()
try {
  const sets = await corpora()
  const last = sets.at(-1)
  const parts = {
    check: async () => {
      for (const set of sets) await benchCheck(set, set === last ? [20, 200] : [20])
    },
    process: () => benchProcess(last),
    pairs: () => benchPairs(last),
    memory: () => benchMemory(last),
    learn: benchLearn,
    longLearn: benchLongLearn,
    dominators: benchDominators,
  }
  const wanted = process.argv.slice(2).filter((argument) => argument !== '--json')
  for (const [name, part] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await part()
} finally {
  rmSync(temp, { recursive: true, force: true })
}
const tookSeconds = Math.round((performance.now() - started) / 1000)
print()
if (rows.some(({ ok }) => ok === 'no')) process.exitCode = 1

/** `target` is the most that `measured` may be; null for what is only told. */
function row(name, measured, target, detail = '') {
  const ok = target === null ? '' : measured <= target ? 'yes' : measured <= target * TOLERANCE ? 'nearly' : 'no'
  rows.push({ name, measured: Number(measured.toPrecision(3)), target, ok, detail })
  if (!json) process.stderr.write('.')
}

function print() {
  if (json) {
    console.log(JSON.stringify({ schema: 'trace-oracle/bench@1', node: process.version, tookSeconds, rows }, null, 2))
    return
  }
  process.stderr.write('\n')
  const cells = rows.map(({ name, measured, target, ok, detail }) => [
    name,
    String(measured),
    target === null ? '' : `<= ${target}`,
    ok,
    detail,
  ])
  const table = [['', 'measured', 'target', 'ok', ''], ...cells]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((line) => line[column].length)))
  for (const [name, measured, target, ok, detail] of table) {
    const numbers = [measured.padStart(widths[1]), target.padStart(widths[2]), ok.padEnd(widths[3])]
    console.log([name.padEnd(widths[0]), ...numbers, detail].join('  ').trimEnd())
  }
  console.log(`\nnode ${process.version}, ${tookSeconds} s`)
}

/** A check with nothing cached, and one with everything cached, against decoding the run's pictures. */
async function benchCheck({ name, train, test }, lengths) {
  const model = join(newFolder(), 'model')
  await writeModel(await learn(train), model)
  for (const length of lengths) {
    const run = newFolder()
    const { files } = await longRun(run, test, length)
    const given = { run, model, temp }
    const { seconds, values } = await sideBySide(length > 100 ? 3 : 9, {
      decode: { files },
      coldCheck: given,
      warmCheck: given,
    })
    const each = (list) => `${((median(list) / length) * 1000).toFixed(1)} ms a picture`
    const detail = `${each(seconds.coldCheck)}; sharp ${each(seconds.decode)}`
    row(`check of ${length} steps / decoding them, ${name}`, ratio(seconds.coldCheck, seconds.decode), 1.3, detail)
    row('  again: pictures decoded', values.warmCheck, 0)
    row('  again / first', ratio(seconds.warmCheck, seconds.coldCheck), 0.5)
  }
}

/** The same for whole processes: starting up, reading the model and the trace, reporting. */
async function benchProcess({ name, train, test }) {
  const folder = join(newFolder(), 'model')
  await writeModel(await learn(train), folder)
  for (const [length, rounds] of [
    [20, 5],
    [200, 3],
  ]) {
    const run = newFolder()
    await longRun(run, test, length)
    const seconds = await interleaved(
      rounds,
      {
        decode: () => runProcess(DECODE_ONLY, [join(run, 'screenshots')]),
        check: () => runCheck([run], folder),
      },
      { warmUp: false, clock: ownClock },
    )
    const detail = `${median(seconds.check).toFixed(2)} s; sharp ${median(seconds.decode).toFixed(2)} s`
    row(`process: check of ${length} steps / decoding them, ${name}`, ratio(seconds.check, seconds.decode), 1.3, detail)
  }
}

function runCheck(runs, model) {
  const args = ['check', ...runs, '--model', model, '--cache-dir', newFolder()]
  return runProcess(CLI, args, { expected: [0, 1, 3] })
}

/** Two states by the local tiers against their two pictures by pixelmatch. */
async function benchPairs({ test }) {
  const run = newFolder()
  const { files } = await longRun(run, test, 40)
  const { seconds } = await sideBySide(7, { tiers: { run }, pixels: { files } })
  const ms = (list) => `${((median(list) / (files.length - 1)) * 1000).toFixed(2)} ms`
  const detail = `${ms(seconds.tiers)}; pixelmatch ${ms(seconds.pixels)}`
  row('a pair by fingerprints / by pixelmatch with decoding', ratio(seconds.tiers, seconds.pixels), 0.1, detail)
}

/** Many runs in one process must not take more memory than one. */
async function benchMemory({ name, train, test }) {
  const folder = join(newFolder(), 'model')
  await writeModel(await learn(train), folder)
  const runs = []
  for (let i = 0; i < 50; i++) {
    const run = test[i % test.length]
    const path = newFolder()
    await longRun(path, [run], run.steps.length, `run ${i}`)
    runs.push(path)
  }
  const longest = test.reduce((most, run, i) => (run.steps.length > test[most].steps.length ? i : most), 0)
  const one = await runCheck([runs[longest]], folder)
  const many = await runCheck(runs, folder)
  const detail = `${mb(one)} and ${mb(many)}`
  row(`peak memory of checking 50 runs / 1 run, ${name}`, many.peakBytes / one.peakBytes, 1.5, detail)
}

/** More steps over the same screens: in longer recordings, and in more of them. */
async function benchLearn() {
  for (const [what, sizes] of [
    ['steps of 3 recordings', [150, 300, 600].map((steps) => recordings(3, steps))],
    ['number of recordings of 60 steps', [5, 10, 20].map((count) => recordings(count, 60))],
  ]) {
    await learn(sizes[0])
    const jobs = Object.fromEntries(sizes.map((given, i) => [i, () => learn(given)]))
    const seconds = await interleaved(2, jobs, { warmUp: false })
    growthRow(`learning grows with the ${what} to the power of`, sizes.map(stepsOf), Object.values(seconds).map(median))
  }
}

/** 5,000 steps in three recordings, by the command line, and a quarter of it. */
async function benchLongLearn() {
  const learned = async (given) => {
    const folders = []
    for (const trace of given) {
      folders.push(newFolder())
      await writeTrace(trace, folders.at(-1))
    }
    const reading = await runProcess(READ_ONLY, folders)
    const learning = await runProcess(CLI, ['learn', ...folders, '--model-dir', newFolder(), '--allow-ci-write'])
    return { reading, learning, steps: stepsOf(given) }
  }
  const short = await learned(recordings(3, 417))
  const long = await learned(recordings(3, 1667))
  const growth = long.learning.peakBytes / short.learning.peakBytes
  const detail = `${mb(long.learning)} and ${mb(short.learning)}; only reading them ${mb(long.reading)}`
  row(`process: peak memory of learning ${long.steps} steps / ${short.steps} steps`, growth, 4, detail)
  const both = [short, long]
  const seconds = both.map(({ learning, reading }) => learning.seconds - reading.seconds)
  const steps = both.map((one) => one.steps)
  growthRow('process: learning grows with the steps of 3 recordings to the power of', steps, seconds)
}

function growthRow(name, steps, seconds) {
  const detail = steps.map((count, i) => `${count} steps ${seconds[i].toFixed(2)} s`).join(', ')
  row(name, growthExponent(steps, seconds), 1.3, detail)
}

function recordings(count, steps) {
  return Array.from({ length: count }, (_, i) => syntheticTrace({ steps, states: STATES, seed: i + 1 }))
}

function stepsOf(traces) {
  return traces.reduce((sum, trace) => sum + trace.steps.length, 0)
}

function mb({ peakBytes }) {
  return `${Math.round(peakBytes / 2 ** 20)} MB`
}

/** 100,000 nodes: one long path, and two side by side with steps between them. */
async function benchDominators() {
  const count = 100_000
  const path = Array.from({ length: count - 1 }, (_, node) => [node, node + 1])
  const ladder = []
  for (let left = 0; left < count; left += 2) {
    ladder.push([left, left + 1])
    if (left + 3 < count) ladder.push([left, left + 2], [left + 1, left + 3])
  }
  for (const [name, edges] of Object.entries({ path, ladder })) {
    const graph = digraph(count, edges)
    const seconds = await interleaved(9, {
      build: () => digraph(count, edges),
      dominators: () => dominators(graph, 0),
    })
    const detail = `${(median(seconds.dominators) * 1000).toFixed(0)} ms`
    row(`dominators of a ${name} of 100,000 nodes / building it`, ratio(seconds.dominators, seconds.build), 5, detail)
  }
}
