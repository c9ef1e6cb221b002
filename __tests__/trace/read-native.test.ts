import { appendFile, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { InputError } from '../../lib/input-error.js'
import { readTrace } from '../../lib/trace/read-trace.js'
import { inputError } from '../helpers/input-errors.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'

const tempFolder = useTempFolder()

const HEADER = '{"type":"trace","version":1}'
const step = (fields: object = {}) => JSON.stringify({ type: 'step', text: 'seen', ...fields })

/** A run with these lines; pictures `a.png` and `shots/b.png` are there to be named. */
async function run(...lines: string[]): Promise<string> {
  const folder = await tempFolder()
  await writeFiles(folder, { 'trace.jsonl': `${lines.join('\n')}\n`, 'a.png': 'picture', 'shots/b.png': 'picture' })
  return folder
}

const read = async (...lines: string[]) => readTrace(await run(...lines))
const fault = async (...lines: string[]) => inputError(read(...lines))

describe('a native trace', () => {
  test('is read whole, unknown fields and all', async () => {
    const folder = await run(
      '{"type":"trace","version":1,"task":"T","agent":"A","viewport":{"width":1280,"height":800,"ratio":2},"startedAt":"2026-01-01T00:00:00Z","host":"h"}',
      '{"type":"step","index":0,"at":0,"screenshot":"a.png","action":null,"url":"http://x/","title":"X","mood":1}',
      '{"type":"step","index":1,"at":18.5,"text":{"role":"main"},"result":[1],"action":{"type":"click","target":null,"x":1,"y":2,"ms":9}}',
      '{"type":"end","claimed":"pass","message":"done","tokens":7}',
    )
    expect(await readTrace(folder)).toStrictEqual({
      name: basename(folder),
      folder,
      format: 'native',
      task: 'T',
      agent: 'A',
      viewport: { width: 1280, height: 800, ratio: 2 },
      startedAt: '2026-01-01T00:00:00Z',
      steps: [
        {
          index: 0,
          at: 0,
          action: null,
          observation: { screenshot: 'a.png', url: 'http://x/', title: 'X' },
          line: 2,
          extra: { mood: 1 },
        },
        {
          index: 1,
          at: 18.5,
          action: { type: 'click', target: null, x: 1, y: 2, ms: 9 },
          observation: { text: { role: 'main' }, result: [1] },
          line: 3,
          extra: {},
        },
      ],
      end: { claimed: 'pass', message: 'done', tokens: 7 },
      outcome: null,
      warnings: [],
      extra: { host: 'h' },
    })
  })

  test('is the same by its folder and by its file, and named after the folder', async () => {
    const folder = await run(HEADER, step())
    expect(await readTrace(join(folder, 'trace.jsonl'))).toStrictEqual(await readTrace(folder))
  })

  test('may be any .jsonl file that begins with the header, named after the file', async () => {
    const folder = await tempFolder()
    await writeFiles(folder, { 'one.jsonl': `\n${HEADER}\n${step()}`, 'two.jsonl': '{"type":"log"}\n' })
    expect(await readTrace(join(folder, 'one.jsonl'))).toMatchObject({ name: 'one', folder, steps: [{ line: 3 }] })
    expect((await inputError(readTrace(join(folder, 'two.jsonl')))).code).toBe('unknown-format')
  })

  test.each([
    ['no steps', [HEADER], { steps: [] }],
    ['no end: unfinished', [HEADER, step()], { warnings: [] }],
    ['blank lines', ['', HEADER, '  ', step(), ''], { steps: [{ line: 4 }], warnings: [] }],
    ['CRLF', [`${HEADER}\r`, `${step()}\r`, '\r'], { steps: [{ line: 2 }], warnings: [] }],
    ['a byte order mark', [`\uFEFF${HEADER}`, step()], { steps: [{ line: 2 }] }],
    [
      'null fields count as absent',
      [HEADER, step({ at: null, url: null, screenshot: null })],
      { steps: [{ index: 0 }] },
    ],
    ['an empty text', [HEADER, step({ text: '' })], { steps: [{ observation: { text: '' } }] }],
    ['a result of null', [HEADER, '{"type":"step","result":null}'], { steps: [{ observation: { result: null } }] }],
    [
      "a tool call's own result",
      [HEADER, '{"type":"step","action":{"type":"tool","name":"f","result":5}}'],
      { steps: [{ observation: { result: 5 } }] },
    ],
  ])('%s', async (_, lines, expected) => {
    const trace = await read(...lines)
    expect(trace).toMatchObject(expected)
    expect(trace.end).toBeUndefined()
  })

  test.each([
    [
      ['index counts on', [{}, {}, {}]],
      [0, 1, 2],
    ],
    [
      ['gaps are allowed', [{ index: 3 }, { index: 7 }]],
      [3, 7],
    ],
    [
      ['missing ones count on from the last', [{ index: 5 }, {}, { index: 9 }]],
      [5, 6, 9],
    ],
  ] as const)('index: %s', async ([, steps], expected) => {
    expect((await read(HEADER, ...steps.map(step))).steps.map(({ index }) => index)).toEqual(expected)
  })

  test('takes the outcome from the header, or rather from the end', async () => {
    const header = (outcome: unknown) => JSON.stringify({ type: 'trace', version: 1, outcome })
    const end = (outcome: unknown) => JSON.stringify({ type: 'end', outcome })
    expect(await read(header('fail'))).toMatchObject({ outcome: 'fail', extra: {} })
    expect(await read(HEADER, end('pass'))).toMatchObject({ outcome: 'pass', end: {} })
    expect(await read(header(null), end(null))).toMatchObject({ outcome: null, warnings: [], extra: {} })
    const both = await read(header('fail'), end('pass'))
    expect(both.outcome).toBe('pass')
    expect(both.warnings).toEqual(['the header says the outcome is fail, the end line pass: the latter is used'])
    const odd = await read(header('maybe'))
    expect(odd).toMatchObject({ outcome: null, extra: { outcome: 'maybe' } })
    expect(odd.warnings).toEqual(['the outcome in the header is "maybe", neither "pass" nor "fail": taken as unknown'])
  })

  test('may have fields named like parts of an object', async () => {
    const hostile = '"__proto__":{"polluted":1},"constructor":2,"toString":3,"hasOwnProperty":4'
    const trace = await read(
      `{"type":"trace","version":1,${hostile}}`,
      `{"type":"step","text":"x",${hostile},"action":{"type":"click",${hostile}}}`,
      `{"type":"end",${hostile}}`,
    )
    for (const fields of [trace.extra, trace.steps[0]!.extra, trace.steps[0]!.action!, trace.end!]) {
      expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
      expect(Object.getOwnPropertyDescriptor(fields, '__proto__')?.value).toEqual({ polluted: 1 })
      expect(Object.getOwnPropertyDescriptor(fields, 'constructor')?.value).toBe(2)
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('of 5,000 steps', async () => {
    const trace = await read(
      HEADER,
      ...Array.from({ length: 5000 }, (_, index) => step({ index, screenshot: 'a.png' })),
    )
    expect(trace.steps).toHaveLength(5000)
    expect(trace.steps.at(-1)).toMatchObject({ index: 4999, line: 5001 })
  })
})

describe('what is passed over is told', () => {
  test('a half-written last line', async () => {
    const folder = await run(HEADER, step())
    await appendFile(join(folder, 'trace.jsonl'), '{"type":"st')
    const trace = await readTrace(folder)
    expect(trace.steps).toHaveLength(1)
    expect(trace.warnings).toEqual(['line 3 is cut off (the line is not valid JSON): what came before it is used'])
  })

  test.each([
    ['inside a character', Buffer.from('{"type":"step","text":"é').subarray(0, -1)],
    ['with zero bytes, as a file system leaves them after a crash', Buffer.alloc(4096)],
  ])('a last line cut off %s', async (_, rest) => {
    const folder = await run(HEADER, step())
    await appendFile(join(folder, 'trace.jsonl'), rest)
    expect(await readTrace(folder)).toMatchObject({
      steps: [{}],
      warnings: [expect.stringMatching(/^line 3 is cut off/)],
    })
  })

  test('lines of unknown types, in one warning', async () => {
    const note = '{"type":"note"}'
    expect((await read(HEADER, note, step(), note, note)).warnings).toEqual([
      "passed over 3 lines of unknown type 'note'",
    ])
    const types = ['a', 'b', 'c', 'd', 'e\u001b[2J', 'f', 'g', 'constructor']
    const [warning, ...others] = (await read(HEADER, ...types.map((type) => JSON.stringify({ type })))).warnings
    expect(others).toEqual([])
    expect(warning).toBe("passed over 8 lines of unknown types 'a', 'b', 'c', 'd', 'e\\u001b[2J' and 3 more")
  })

  test('steps after the end are used, and a second end replaces the first', async () => {
    const trace = await read(
      HEADER,
      step(),
      '{"type":"end","claimed":"fail"}',
      step(),
      '{"type":"end","claimed":"pass"}',
    )
    expect(trace.steps).toHaveLength(2)
    expect(trace.end).toEqual({ claimed: 'pass' })
    expect(trace.warnings).toEqual([
      'the run ends twice (lines 3 and 5): the later end is used',
      '1 step comes after an end line (from line 4 on): it is used all the same',
    ])
  })
})

describe('what cannot be used is an InputError', () => {
  test.each<[string, string[], string, number | undefined]>([
    ['nothing', [], 'trace-empty', undefined],
    ['only blank lines', ['', ' '], 'trace-empty', undefined],
    ['no header', [step()], 'trace-no-header', 1],
    ['half a header', ['{"type":"tra'], 'trace-no-header', 1],
    ['no version', ['{"type":"trace"}'], 'trace-version-missing', 1],
    ['a later version', ['{"type":"trace","version":2}'], 'trace-version-unknown', 1],
    ['a version as text', ['{"type":"trace","version":"1"}'], 'trace-version-unknown', 1],
    ['a task that is no string', ['{"type":"trace","version":1,"task":5}'], 'trace-bad-field', 1],
    ['a viewport without height', ['{"type":"trace","version":1,"viewport":{"width":5}}'], 'trace-bad-field', 1],
    ['a second header', [HEADER, step(), HEADER], 'trace-second-header', 3],
    ['bad JSON before the last line', [HEADER, '{"type":', step()], 'trace-not-json', 2],
    ['bad JSON in the first line', ['{', step()], 'trace-not-json', 1],
    ['a line that is a list', [HEADER, '[]', step()], 'trace-bad-line', 2],
    ['a line that is a number', [HEADER, '5'], 'trace-bad-line', 2],
    ['a line without a type', [HEADER, '{"index":0}'], 'trace-bad-line', 2],
    ['a type that is no string', [HEADER, '{"type":null}'], 'trace-bad-line', 2],
    ['a claim that is no string', [HEADER, '{"type":"end","claimed":true}'], 'trace-bad-field', 2],
    ['an index twice', [HEADER, step({ index: 3 }), '', step({ index: 3 })], 'trace-index-order', 4],
    ['an index that goes back', [HEADER, step({ index: 3 }), step({ index: 2 })], 'trace-index-order', 3],
  ])('%s', async (_, lines, code, line) => {
    const error = await fault(...lines)
    expect(error.code).toBe(code)
    expect(error.place?.file).toMatch(/trace\.jsonl$/)
    expect(error.place?.line).toBe(line)
  })

  test.each<[string, object]>([
    ['index', { index: 1.5 }],
    ['index', { index: -1 }],
    ['index', { index: '1' }],
    ['at', { at: -1 }],
    ['at', { at: '5' }],
    ['screenshot', { screenshot: 5 }],
    ['screenshot', { screenshot: ['a.png'] }],
    ['url', { url: 5 }],
    ['title', { title: {} }],
    ['action', { action: 'click' }],
    ['action', { action: [] }],
    ['action.type', { action: {} }],
    ['action.type', { action: { type: 5 } }],
    ['action.x', { action: { type: 'click', x: '5' } }],
    ['action.text', { action: { type: 'type', text: 5 } }],
    ['action.target', { action: { type: 'click', target: {} } }],
    ['action.isError', { action: { type: 'tool', isError: 'no' } }],
  ])('a step with a bad `%s`', async (field, fields) => {
    const error = await fault(HEADER, step(fields))
    expect(error.code).toBe('trace-bad-field')
    expect(error.place?.line).toBe(2)
    expect(error.what).toContain(`\`${field}\``)
  })

  test('a number too big to be one', async () => {
    expect((await fault(HEADER, '{"type":"step","text":"x","at":1e999}')).code).toBe('trace-bad-field')
  })

  test('messages are one sentence with the place and the remedy', async () => {
    const message = async (...lines: string[]) => (await fault(...lines)).message.replace(/^.*(?=trace\.jsonl)/, '')
    expect(await message('{"type":"trace","version":2}')).toBe(
      'trace.jsonl:1: the trace has version 2; this program reads version 1. Upgrade trace-oracle',
    )
    expect(await message(HEADER, step({ index: 4 }), step({ index: 4 }))).toBe(
      'trace.jsonl:3, step 4: step 4 on line 3 comes after step 4 on line 2. ' +
        'Steps are in the order of their `index`, each used once: leave `index` out to have them counted',
    )
    expect(await message(HEADER, step({ index: 7, url: 5 }))).toBe(
      'trace.jsonl:2, step 7: `url` is the number 5, but must be a string. Correct the recorder, or leave the field out',
    )
  })

  test('a step without an observation', async () => {
    const error = await fault(HEADER, '{"type":"step","index":4,"url":"http://x/","text":null}')
    expect(error).toMatchObject({ code: 'step-without-observation', place: { line: 2, step: 4 } })
  })

  test('text that is not UTF-8', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'trace.jsonl'), Buffer.from(`\uFEFF${HEADER}\n${step()}\n`, 'utf16le'))
    expect((await inputError(readTrace(folder))).code).toBe('trace-not-utf8')
    await writeFile(join(folder, 'trace.jsonl'), Buffer.from(`\uFEFF${HEADER}`, 'utf16le'))
    expect((await inputError(readTrace(folder))).code).toBe('trace-not-utf8')
  })

  test('a line longer than 64 MiB', async () => {
    const folder = await run(HEADER)
    await truncate(join(folder, 'trace.jsonl'), 64 * 1024 * 1024 + 1000)
    expect(await inputError(readTrace(folder))).toMatchObject({ code: 'trace-line-too-long', place: { line: 2 } })
  })

  test.each([1_001, 200_000])('JSON nested %d deep', async (depth) => {
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect((await fault(HEADER, `{"type":"step","text":${nested}}`)).code).toBe('trace-too-deep')
    expect((await fault(HEADER, `{"type":"step","text":${'{"a":'.repeat(depth)}`)).code).toBe('trace-too-deep')
  })

  test('brackets inside strings are not nesting', async () => {
    const text = `\\"${'[{'.repeat(2000)}\\`
    expect((await read(HEADER, step({ text }))).steps[0]!.observation.text).toBe(text)
  })

  test('a trace.jsonl that is a folder', async () => {
    const folder = await tempFolder()
    await mkdir(join(folder, 'trace.jsonl'))
    expect((await inputError(readTrace(folder))).code).toBe('path-unreadable')
  })
})

describe('screenshots', () => {
  test('backslashes are slashes, and dots are dropped', async () => {
    const trace = await read(HEADER, step({ screenshot: 'shots\\b.png' }), step({ screenshot: './shots//b.png' }))
    expect(trace.steps.map(({ observation }) => observation.screenshot)).toEqual(['shots/b.png', 'shots/b.png'])
  })

  test.each<[string, string]>([
    ['../a.png', 'screenshot-outside'],
    ['shots/../a.png', 'screenshot-outside'],
    ['..\\a.png', 'screenshot-outside'],
    ['/etc/hostname', 'screenshot-outside'],
    ['C:\\a.png', 'screenshot-outside'],
    ['c:a.png', 'screenshot-outside'],
    ['\\\\server\\share\\a.png', 'screenshot-outside'],
    ['file:///etc/hostname', 'screenshot-outside'],
    ['data:image/png;base64,AAAA', 'screenshot-outside'],
    ['gone.png', 'screenshot-missing'],
    ['a.png/b.png', 'screenshot-missing'],
    ['a\u0000.png', 'screenshot-missing'],
    [`${'a'.repeat(5000)}.png`, 'screenshot-missing'],
    ['', 'screenshot-not-file'],
    ['.', 'screenshot-not-file'],
    ['shots', 'screenshot-not-file'],
  ])('%j: %s', async (screenshot, code) => {
    const error = await fault(HEADER, step({ index: 6, screenshot }))
    expect(error).toMatchObject({ code, place: { line: 2, step: 6 } })
    expect(error.message.length).toBeLessThan(500)
  })

  test('an empty file', async () => {
    const folder = await run(HEADER, step({ screenshot: 'empty.png' }))
    await writeFile(join(folder, 'empty.png'), '')
    expect((await inputError(readTrace(folder))).code).toBe('screenshot-empty')
  })

  test('links may stay inside the run, not leave it', async () => {
    const outside = await tempFolder()
    await writeFiles(outside, { 'x.png': 'picture' })
    const folder = await run(HEADER, step({ screenshot: 'link.png' }), step({ screenshot: 'folder/b.png' }))
    await symlink('a.png', join(folder, 'link.png'))
    await symlink('shots', join(folder, 'folder'))
    expect((await readTrace(folder)).steps).toHaveLength(2)

    const byFile = await run(HEADER, step({ screenshot: 'link.png' }))
    await symlink(join(outside, 'x.png'), join(byFile, 'link.png'))
    expect((await inputError(readTrace(byFile))).code).toBe('screenshot-outside')

    const byFolder = await run(HEADER, step({ screenshot: 'folder/x.png' }))
    await symlink(outside, join(byFolder, 'folder'))
    expect((await inputError(readTrace(byFolder))).code).toBe('screenshot-outside')

    const dangling = await run(HEADER, step({ screenshot: 'link.png' }))
    await symlink('gone.png', join(dangling, 'link.png'))
    expect((await inputError(readTrace(dangling))).code).toBe('screenshot-missing')
  })

  test('a run reached through a link is as good', async () => {
    const folder = await run(HEADER, step({ screenshot: 'a.png' }))
    const link = join(await tempFolder(), 'link')
    await symlink(folder, link)
    expect(await readTrace(link)).toMatchObject({ name: 'link', steps: [{}] })
  })
})

test('cut off at any byte, a trace is usable or a clear InputError', async () => {
  const folder = await run(
    `\uFEFF{"type":"trace","version":1,"task":"Füge 🙂 hinzu"}\r`,
    step({ index: 0, screenshot: 'a.png', title: 'é' }),
    '{"type":"note"}',
    step({ index: 1, action: { type: 'type', text: '"\\' } }),
    '{"type":"end","claimed":"pass"}',
  )
  const file = join(folder, 'trace.jsonl')
  const whole = await readFile(file)
  const headerEnd = whole.indexOf('\r')
  let steps = 0
  for (let length = 0; length <= whole.length; length++) {
    await writeFile(file, whole.subarray(0, length))
    const outcome = await readTrace(folder).catch((error: unknown) => error)
    if (length < headerEnd) {
      expect(outcome).toBeInstanceOf(InputError)
      expect((outcome as InputError).code).toMatch(/^trace-(empty|no-header|not-utf8)$/)
    } else {
      const trace = outcome as Awaited<ReturnType<typeof readTrace>>
      expect(trace.steps.length).toBeGreaterThanOrEqual(steps)
      steps = trace.steps.length
    }
  }
  expect(steps).toBe(2)
})
