import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect, isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readTrace } from '../../lib/trace/read-trace.js'
import type { Step, Trace } from '../../lib/trace/trace.js'
import { TraceWriter, writeTrace } from '../../lib/trace/write-trace.js'
import { inputError } from '../helpers/input-errors.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'

const tempFolder = useTempFolder()

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')

describe('TraceWriter', () => {
  test('writes a step at a time, readable after each', async () => {
    const folder = join(await tempFolder(), 'deep/run')
    const writer = await TraceWriter.open(folder, {
      task: 'T',
      viewport: { width: 5, height: 4 },
      extra: { host: 'h' },
    })
    expect(await readTrace(folder)).toMatchObject({ task: 'T', steps: [], extra: { host: 'h' } })
    const first = await writer.step({ screenshot: PNG, at: 0 })
    expect((await readTrace(folder)).steps).toStrictEqual([first])
    await writer.step({ action: { type: 'click', x: 1, y: 2 }, text: 'é', url: 'u', extra: { mood: 1 } })
    expect((await readTrace(folder)).end).toBeUndefined()
    await writer.end({ claimed: 'pass', message: 'm' }, 'fail')
    const trace = await readTrace(folder)
    expect(trace).toMatchObject({ end: { claimed: 'pass', message: 'm' }, outcome: 'fail', warnings: [] })
    expect(trace.steps[1]).toStrictEqual({
      index: 1,
      action: { type: 'click', x: 1, y: 2 },
      observation: { text: 'é', url: 'u' },
      line: 3,
      extra: { mood: 1 },
    })
    expect(await readFile(join(folder, 'screenshots/0000.png'))).toEqual(PNG)
    expect((await readdir(folder)).sort()).toEqual(['screenshots', 'trace.jsonl'])
    expect(await readdir(join(folder, 'screenshots'))).toEqual(['0000.png'])
  })

  test('copies pictures from files and names them by what they are', async () => {
    const folder = await tempFolder()
    const kinds = {
      png: PNG,
      jpg: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      webp: Buffer.from('RIFF1234WEBP'),
      gif: Buffer.from('GIF89a'),
    }
    await writeFiles(
      folder,
      Object.fromEntries(Object.entries(kinds).map(([kind, bytes]) => [`in/${kind}.tmp`, bytes])),
    )
    await writeFiles(folder, { 'in/x.jpeg': 'unknown' })
    const writer = await TraceWriter.open(join(folder, 'run'))
    for (const kind of Object.keys(kinds)) await writer.step({ screenshot: join(folder, `in/${kind}.tmp`) })
    await writer.step({ index: 12345, screenshot: join(folder, 'in/x.jpeg') })
    await writer.step({ screenshot: Buffer.from('unknown') })
    await writer.close()
    const { steps } = await readTrace(join(folder, 'run'))
    expect(steps.map(({ observation }) => observation.screenshot)).toEqual(
      ['0000.png', '0001.jpg', '0002.webp', '0003.gif', '12345.jpeg', '12346.bin'].map((name) => `screenshots/${name}`),
    )
  })

  test('calls that overlap are done in order', async () => {
    const folder = await tempFolder()
    const writer = await TraceWriter.open(folder)
    const steps = Array.from({ length: 50 }, (_, i) => writer.step({ text: i, screenshot: PNG }))
    await Promise.all([...steps, writer.end()])
    expect((await readTrace(folder)).steps.map(({ index, observation }) => [index, observation.text])).toEqual(
      Array.from({ length: 50 }, (_, i) => [i, i]),
    )
  })

  test('refuses what could not be read back, and goes on', async () => {
    const folder = await tempFolder()
    const writer = await TraceWriter.open(folder)
    let deep: unknown = 0
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const refused: [Parameters<TraceWriter['step']>[0], string][] = [
      [{}, 'step-without-observation'],
      [{ text: 'x', index: -1 }, 'trace-bad-field'],
      [{ text: 'x', at: Number.NaN, url: 5 as never }, 'trace-bad-field'],
      [{ text: deep }, 'trace-too-deep'],
      [{ screenshot: new Uint8Array() }, 'screenshot-empty'],
      [{ screenshot: join(folder, 'gone.png') }, 'screenshot-missing'],
      [{ screenshot: PNG, screenshotName: '../x.png' }, 'screenshot-outside'],
      [{ screenshot: PNG, screenshotName: './Trace.jsonl' }, 'screenshot-name'],
    ]
    for (const [step, code] of refused) expect((await inputError(writer.step(step))).code).toBe(code)
    expect(await writer.step({ text: 'x' })).toMatchObject({ index: 0, line: 2 })
    expect((await inputError(writer.step({ text: 'x', index: 0 }))).code).toBe('trace-index-order')
    expect((await inputError(writer.end({ claimed: 5 as never }))).code).toBe('trace-bad-field')
    await writer.end()
    await writer.close()
    await expect(writer.step({ text: 'x' })).rejects.toThrow(/closed/)
    expect(await readTrace(folder)).toMatchObject({ steps: [{ index: 0 }], warnings: [] })
  })

  test('does not write over a trace, nor where it cannot', async () => {
    const folder = await tempFolder()
    await (await TraceWriter.open(folder)).close()
    expect((await inputError(TraceWriter.open(folder))).code).toBe('trace-exists')
    await writeFile(join(folder, 'file'), '')
    expect((await inputError(TraceWriter.open(join(folder, 'file/run')))).code).toBe('write-failed')
    expect((await inputError(TraceWriter.open(join(folder, 'b'), { task: 5 as never }))).code).toBe('trace-bad-field')
  })
})

describe('writeTrace', () => {
  const bare: Trace = { name: 'n', folder: '', format: 'images', steps: [], outcome: null, warnings: [], extra: {} }

  test('makes a native run of a folder of pictures, also in its place', async () => {
    const folder = await tempFolder()
    await writeFiles(folder, { '2.png': 'b', '1.png': 'a' })
    const images = await readTrace(folder)
    await writeTrace(images, folder)
    const native = await readTrace(folder)
    expect(native).toMatchObject({ format: 'native', steps: images.steps })
    expect((await readdir(folder)).sort()).toEqual(['1.png', '2.png', 'trace.jsonl'])
  })

  test('leaves no trace.jsonl when it fails', async () => {
    const folder = await tempFolder()
    const steps: Step[] = [
      { index: 0, action: null, observation: { text: 'x' }, extra: {} },
      { index: 1, action: null, observation: { screenshot: 'gone.png' }, extra: {} },
    ]
    const error = await inputError(writeTrace({ ...bare, folder, steps }, join(folder, 'to')))
    expect(error.code).toBe('screenshot-missing')
    expect(await readdir(join(folder, 'to'))).toEqual([])
  })

  test('does not write over a trace', async () => {
    const folder = await tempFolder()
    await writeTrace(bare, folder)
    expect((await inputError(writeTrace(bare, folder))).code).toBe('trace-exists')
  })

  test('what is written is read back', async () => {
    const folder = await tempFolder()
    const from = join(folder, 'from')
    await mkdir(from)
    await writeFiles(from, Object.fromEntries(PICTURES.map((name) => [name, `picture ${name}`])))
    let count = 0
    await fc.assert(
      fc.asyncProperty(traces, async (trace) => {
        const to = join(folder, `to ${count++}`)
        await writeTrace({ ...trace, folder: from }, to)
        const { name, folder: readFrom, format, steps, ...read } = await readTrace(to)
        expect({ name, readFrom, format }).toEqual({ name: `to ${count - 1}`, readFrom: to, format: 'native' })
        const { name: _n, folder: _f, format: _t, steps: written, ...rest } = trace
        expectSame(read, rest)
        expectSame(
          steps.map(({ line: _, ...step }) => step),
          written,
        )
        expect(steps.map(({ line }) => line)).toEqual(written.map((_, i) => i + 2))
        for (const { observation } of steps)
          if (observation.screenshot !== undefined)
            expect(await readFile(join(to, observation.screenshot), 'utf8')).toBe(`picture ${observation.screenshot}`)
        // Equal bytes the second time: nothing is lost or made up on the way round.
        const again = join(folder, `again ${count}`)
        await writeTrace(await readTrace(to), again)
        expect(await readFile(join(again, 'trace.jsonl'))).toEqual(await readFile(join(to, 'trace.jsonl')))
      }),
      { numRuns: 100 },
    )
  })
})

/** Jest's own comparison stumbles over a field called `constructor`. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${inspect(actual, false, 9)}\n!=\n${inspect(expected, false, 9)}`)
}

const PICTURES = ['1.png', 'shots/a b.png', 'shots/🙂.webp', '__proto__/constructor', "it's #1?.jpg"]

const KNOWN = new Set([
  ...['type', 'version', 'task', 'agent', 'viewport', 'startedAt', 'outcome', 'extra', 'claimed', 'message'],
  ...[
    'index',
    'at',
    'screenshot',
    'action',
    'text',
    'result',
    'url',
    'title',
    'target',
    'x',
    'y',
    'key',
    'name',
    'isError',
  ],
])

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('🙂', '\n', '"', '\\', '\u2028', '\ud800', '\0'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
})
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const field = fc
  .oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', 'a b', '🙂', ''), text)
  .filter((name) => !KNOWN.has(name))
const extra = fc.array(fc.tuple(field, json), { maxLength: 4 }).map((entries) => Object.fromEntries(entries))
const pixels = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)

function optional<T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true })
}

const actions = fc
  .tuple(
    fc.constantFrom('click', 'tool', 'shake'),
    optional({
      target: fc.option(text),
      x: pixels,
      y: pixels,
      text,
      key: text,
      url: text,
      name: text,
      arguments: json,
      result: json,
      isError: fc.boolean(),
    }),
    extra,
  )
  .map(([type, known, more]) => ({ type, ...known, ...more }))

const observations = fc
  .tuple(
    optional({ screenshot: fc.constantFrom(...PICTURES), text: json.filter((value) => value !== null), result: json }),
    optional({ url: text, title: text }),
  )
  .map(([seen, place]) => ({ ...(Object.keys(seen).length > 0 ? seen : { text: '' }), ...place }))

const steps = fc
  .array(
    fc.tuple(fc.integer({ min: 1, max: 3 }), optional({ at: fc.nat() }), fc.option(actions), observations, extra),
    { maxLength: 5 },
  )
  .map((list) => {
    let index = -1
    return list.map(([gap, at, action, observation, more]): Step => {
      index += gap
      return { index, ...at, action, observation, extra: more }
    })
  })

const traces: fc.Arbitrary<Trace> = fc
  .tuple(
    optional({
      task: text,
      agent: text,
      viewport: fc.record({ width: fc.integer({ min: 1 }), height: fc.integer({ min: 1 }) }, { noNullPrototype: true }),
      startedAt: text,
    }),
    steps,
    fc.option(
      fc.tuple(optional({ claimed: text, message: text }), extra).map(([known, more]) => ({ ...known, ...more })),
    ),
    fc.constantFrom<Trace['outcome'][]>('pass', 'fail', null),
    extra,
  )
  .map(([header, list, end, outcome, more]) => ({
    name: '',
    folder: '',
    format: 'native',
    ...header,
    steps: list,
    ...(end && { end }),
    outcome,
    warnings: [],
    extra: more,
  }))
