import { describe, expect, test } from '@jest/globals'
import { canonicalJson } from '../../lib/canonical-json.js'
import { check } from '../../lib/check.js'
import { learn } from '../../lib/learn.js'
import type { Trace } from '../../lib/trace/trace.js'
import { aRun, wordsShown } from '../helpers/a-run.js'
import { inputError } from '../helpers/input-errors.js'

const SAVE = 'start | click Menu: menu | type report: named | key Enter: saved'

/** A run as it is read from a file, with text and no pictures. */
function aTrace(name: string, text: string, clock?: string, task: string | undefined = 'Save the report'): Trace {
  const steps = aRun(text, clock).map((state, index) => ({
    index,
    at: index * 1000,
    action: state.action,
    observation: { text: wordsShown(state).join(' ') },
    extra: {},
  }))
  const folder = `/nowhere/${name}`
  return {
    name,
    folder,
    format: 'native',
    task,
    steps,
    end: { claimed: 'pass' },
    outcome: null,
    warnings: [],
    extra: {},
  }
}

const traces = ['10:01', '10:02', '10:03'].map((clock, i) => aTrace(`run-${i + 1}`, SAVE, clock))

describe('learn', () => {
  test('learns from text alone what the states say', async () => {
    const model = await learn(traces, { name: 'save' })
    expect(model).toMatchObject({ name: 'save', task: 'Save the report' })
    expect(model.traces.map(({ name, steps }) => `${name} ${steps}`).sort()).toEqual(['run-1 4', 'run-2 4', 'run-3 4'])
    expect(model.chains.map(({ states }) => states)).toEqual([['s1', 's2', 's3', 's4']])
    expect(model.states.map(({ kind }) => kind)).toEqual(Array(4).fill('essential'))
  })

  test('counts the same recording once, by the first of its names', async () => {
    const again = { ...aTrace('another-name', SAVE, '10:01'), folder: '/elsewhere' }
    const model = await learn([...traces, again])
    expect(model.traces).toHaveLength(3)
    expect(model.traces.map(({ name }) => name).sort()).toEqual(['another-name', 'run-2', 'run-3'])
    expect(canonicalJson(await learn([again, ...traces]))).toBe(canonicalJson(model))
    expect((await learn([traces[0]!, traces[0]!])).traces).toHaveLength(1)
  })

  test('the order of traces changes no byte', async () => {
    const json = canonicalJson(await learn(traces))
    expect(canonicalJson(await learn([...traces].reverse()))).toBe(json)
    expect(canonicalJson(await learn(traces))).toBe(json)
  })

  test('a task is kept where all agree', async () => {
    expect((await learn([...traces, aTrace('run-4', SAVE, '10:04', 'Print it')])).task).toBeNull()
    const { task: _task, ...silent } = aTrace('run-4', SAVE, '10:04')
    expect((await learn([...traces, silent])).task).toBe('Save the report')
  })

  test('reports progress', async () => {
    const seen: string[] = []
    await learn(traces, { onProgress: (done, total) => seen.push(`${done}/${total}`) })
    expect(seen).toEqual(Array.from({ length: 12 }, (_, i) => `${i + 1}/12`))
  })

  test('refuses to learn from nothing', async () => {
    expect(await inputError(learn([]))).toMatchObject({ code: 'no-traces' })
    expect(await inputError(learn([traces[0]!, { ...traces[1]!, steps: [] }]))).toMatchObject({
      code: 'trace-without-steps',
    })
  })

  test('the model is data: it is the same after a trip through JSON', async () => {
    const model = await learn(traces)
    expect(JSON.parse(canonicalJson(model))).toEqual(model)
  })
})

describe('check', () => {
  test('passes a run of its own and every recording', async () => {
    const model = await learn(traces)
    for (const trace of [...traces, aTrace('new', SAVE, '12:34')]) {
      expect(await check(trace, model)).toMatchObject({
        run: trace.name,
        verdict: 'pass',
        claimed: 'pass',
        coverage: { matched: 4, total: 4, ratio: 1 },
        findings: [],
        steps: 4,
        cause: null,
      })
    }
  })

  test('fails a run that stopped early, and says that it was not finished', async () => {
    const model = await learn(traces)
    const { end: _end, ...cutOff } = aTrace('cut', SAVE.replace(' | key Enter: saved', ''), '12:34')
    const result = await check(cutOff, model)
    expect(result.verdict).toBe('fail')
    expect(result.claimed).toBeNull()
    expect(result.findings.map(({ kind }) => kind)).toEqual(['missing', 'unfinished'])
    expect(result.missing.map(({ label }) => label)).toEqual(['after press Enter'])
  })

  test('judges a model that was read from JSON alike', async () => {
    const model = await learn(traces)
    const read = JSON.parse(JSON.stringify(model)) as typeof model
    for (const text of [SAVE, `${SAVE} | click Close: start`, SAVE.replace('named', 'named{6=other}')]) {
      const run = aTrace('new', text, '12:34')
      expect(await check(run, read)).toEqual(await check(run, model))
    }
  })

  test('refuses what cannot be judged', async () => {
    const model = await learn(traces)
    expect(await inputError(check({ ...traces[0]!, steps: [] }, model))).toMatchObject({ code: 'run-empty' })
    for (const minCoverage of [0, -1, 1.1, Number.NaN]) {
      await expect(check(traces[0]!, model, { minCoverage })).rejects.toThrow(RangeError)
    }
  })
})
