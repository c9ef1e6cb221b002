import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import sharp from 'sharp'
import type { Exemplar, Model } from '../../lib/model/model.js'
import { formatModelFile, sha256 } from '../../lib/model/model-format.js'
import { readExemplar, readModel } from '../../lib/model/read-model.js'
import { claim } from '../../lib/model/staging.js'
import { type Upgrade, upgradeModel } from '../../lib/model/upgrade-model.js'
import { writeModel } from '../../lib/model/write-model.js'
import { aModel } from '../helpers/a-model.js'
import { inputError } from '../helpers/input-errors.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'
import { arbitraryModel } from './arbitrary-model.js'

const tempFolder = useTempFolder()

const MODEL = aModel({
  name: 'search',
  chain: ['start', 'open', 'done'],
  optional: { toast: ['start', 'open'] },
  exemplars: true,
})

describe('writeModel, readModel', () => {
  test('give the model back', async () => {
    const folder = join(await tempFolder(), 'm')
    await fc.assert(
      fc.asyncProperty(arbitraryModel, async (model) => {
        await writeModel(model, folder)
        expect(await readModel(folder)).toStrictEqual(model)
      }),
      { numRuns: 150 },
    )
  })

  test('equal models give equal bytes, whatever order their keys were set in, and are not written again', async () => {
    const folder = await tempFolder()
    await fc.assert(
      fc.asyncProperty(arbitraryModel, async (model) => {
        const [a, b] = [join(folder, 'a'), join(folder, 'b')]
        await writeModel(model, a)
        await writeModel(reversed(model), b)
        expect(await contents(b)).toEqual(await contents(a))
        const before = await stat(join(a, 'model.json'))
        await writeModel(reversed(model), a)
        expect((await stat(join(a, 'model.json'))).ino).toBe(before.ino)
      }),
      { numRuns: 40 },
    )
  })

  test('the folder is for people: names, layout, digests that common tools can check', async () => {
    const folder = join(await tempFolder(), 'oracle/search')
    await writeModel(MODEL, folder, { pictures: async ({ step }) => picture(step) })
    expect(await names(folder)).toEqual([
      'model.json',
      ...['s1', 's2', 's3', 's4'].flatMap((id) => [`states/${id}.json`, `states/${id}.webp`]),
    ])
    const text = await readFile(join(folder, 'model.json'), 'utf8')
    const lines = text.split('\n')
    expect(lines.slice(0, 2)).toEqual(['{', '  "schema": "trace-oracle/model@1",'])
    const rest = lines.filter((line) => !line.startsWith('  "checksum"')).join('\n')
    expect(lines[2]).toBe(`  "checksum": "sha256:${createHash('sha256').update(rest).digest('hex')}",`)
    expect(lines).toContain('    {"from": "s1", "support": 1, "to": "s2"},')
    expect(lines).toContain(`    "states/s1.json": "${sha256(await readFile(join(folder, 'states/s1.json')))}",`)
    expect(text).not.toMatch(/luma|tokens/)
    const state = await readFile(join(folder, 'states/s2.json'), 'utf8')
    expect(state.replace(/"luma": "[A-Za-z0-9+/=]*"/, '"luma": "…"')).toBe(
      '{\n  "thumbnail": {\n    "height": 10,\n    "luma": "…",\n    "width": 16\n  },\n' +
        '  "tokens": [["word:toast", 1, 1, 1, 2.5]]\n}\n',
    )
  })

  test('pictures are kept without loss, from bytes and from files', async () => {
    const folder = await tempFolder()
    const bytes = await picture(3)
    await writeFile(join(folder, 'shot.png'), bytes)
    const asked: Exemplar[] = []
    await writeModel(MODEL, join(folder, 'm'), {
      pictures: async (exemplar) => {
        asked.push(exemplar)
        return [bytes, join(folder, 'shot.png'), undefined][exemplar.step]
      },
    })
    expect(asked.sort((a, b) => a.step - b.step)).toEqual(MODEL.states.map((state) => state.exemplar))
    const pixels = (image: Uint8Array | undefined) => sharp(image).raw().toBuffer()
    for (const id of ['s1', 's2']) {
      const webp = await readExemplar(join(folder, 'm'), id)
      expect((await sharp(webp).metadata()).format).toBe('webp')
      expect(await pixels(webp)).toEqual(await pixels(bytes))
    }
    expect(await readExemplar(join(folder, 'm'), 's3')).toBeUndefined()
    expect(await readExemplar(join(folder, 'm'), '__proto__')).toBeUndefined()
  })

  test('a picture that is there is kept by its screenshot, also under another id, and stale ones go', async () => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(MODEL, folder, { pictures: async ({ step }) => picture(step) })
    const done = await readExemplar(folder, 's4')
    const shorter = aModel({ chain: ['start', 'done'], exemplars: true })
    await writeModel(shorter, folder)
    expect(await names(folder)).toEqual([
      'model.json',
      ...['s1', 's2'].flatMap((id) => [`states/${id}.json`, `states/${id}.webp`]),
    ])
    expect(await readExemplar(folder, 's2')).toEqual(done)
    expect(await readModel(folder)).toEqual(shorter)
  })

  test("other people's files in the folder stay as they are", async () => {
    const folder = join(await tempFolder(), 'm')
    const own = { 'judgements.jsonl': '{"a":1}\n', 'review.json': '{}', 'states/notes.txt': 'n', 'README.md': 'r' }
    await writeModel(MODEL, folder)
    await writeFiles(folder, own)
    await writeModel(aModel({ chain: ['x', 'y'] }), folder)
    for (const [path, content] of Object.entries(own)) expect(await readFile(join(folder, path), 'utf8')).toBe(content)
    // Judgements are stored while learning, so they may be there before any model is.
    const fresh = join(await tempFolder(), 'm')
    await writeFiles(fresh, { 'judgements.jsonl': '{}\n', '.gitattributes': '* -text', '.DS_Store': '' })
    await writeModel(MODEL, fresh)
    expect(await readModel(fresh)).toEqual(MODEL)
  })

  test('layout is not content: formatters, CRLF and a byte order mark are no edits', async () => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(MODEL, folder)
    for (const file of ['model.json', 'states/s1.json', 'states/s2.json']) {
      const text = await readFile(join(folder, file), 'utf8')
      await writeFile(join(folder, file), `\ufeff${JSON.stringify(JSON.parse(text), null, 4).replaceAll('\n', '\r\n')}`)
    }
    expect(await readModel(folder)).toEqual(MODEL)
  })

  test('a model is found by its file, by a trailing slash and through a link', async () => {
    const parent = await tempFolder()
    const folder = join(parent, 'm')
    await writeModel(MODEL, folder)
    await symlink(folder, join(parent, 'link'), 'junction')
    for (const path of [`${folder}/`, join(folder, 'model.json'), join(parent, 'link')]) {
      expect(await readModel(path)).toEqual(MODEL)
    }
    await writeModel(aModel(), join(parent, 'link'))
    expect(await readModel(folder)).toEqual(aModel())
  })

  test('hostile names are only names', async () => {
    const folder = join(await tempFolder(), 'm')
    const words = ['__proto__', 'constructor', '../../../x', 'a\u0000b\n', '\u202e', '\ud800']
    const model = aModel({
      name: '../..',
      task: words.join(),
      chain: words,
      tokens: { constructor: words },
      notes: words,
    })
    await writeModel(model, folder)
    expect(await readModel(folder)).toStrictEqual(model)
    expect(await readdir(join(folder, '..'))).toEqual(['m'])
  })

  test.each<[string, Partial<Model>, string]>([
    ['an id that is no safe file name', { states: [{ ...MODEL.states[0]!, id: '../x' }] }, 'states[0].id'],
    ['an edge to nowhere', { edges: [{ from: 's1', to: 's9', support: 1 }] }, 'edges[0] is s9'],
    [
      'NaN',
      { limits: { ...MODEL.limits, ssim: Number.NaN } },
      'limits.ssim must be a finite number, not the number NaN',
    ],
  ])('%s is refused before anything is written', async (_, fault, message) => {
    const folder = join(await tempFolder(), 'm')
    await expect(writeModel({ ...MODEL, ...fault }, folder)).rejects.toThrow(TypeError)
    await expect(writeModel({ ...MODEL, ...fault }, folder)).rejects.toThrow(message)
    expect(await readdir(join(folder, '..'))).toEqual([])
  })
})

describe('writeModel, when it cannot', () => {
  test('does not write into a folder that is something else', async () => {
    const folder = await tempFolder()
    await writeFiles(folder, { 'trace.jsonl': '{}' })
    expect(await inputError(writeModel(MODEL, folder))).toMatchObject({
      code: 'not-a-model-folder',
      place: { file: folder },
      message: expect.stringMatching(
        /other files in it \("trace\.jsonl"\) and no model\.json\. Choose another name.*--name/,
      ),
    })
    expect(await names(folder)).toEqual(['trace.jsonl'])
  })

  test('says so where a file is in the way, and leaves nothing behind', async () => {
    const folder = await tempFolder()
    await writeFiles(folder, { file: 'x', 'm/states': 'a file' })
    for (const path of ['file', 'file/m', 'm']) {
      const error = await inputError(writeModel(MODEL, join(folder, path)))
      expect(error).toMatchObject({ code: 'write-failed', advice: 'Choose another folder: a file has that name' })
      expect(error.cause).toHaveProperty('code')
    }
    expect(await names(folder)).toEqual(['file', 'm/states'])
  })

  test('keeps the old model, and no rest of the new, when writing fails on the way', async () => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(MODEL, folder)
    await rm(join(folder, 'states/s1.json'))
    await mkdir(join(folder, 'states/s1.json'))
    const error = await inputError(writeModel(MODEL, folder))
    expect(error).toMatchObject({ code: 'write-failed', what: 'the model cannot be written (EISDIR)' })
    expect((await readdir(folder)).sort()).toEqual(['model.json', 'states'])
  })

  test('leaves no empty folders when a first model cannot be written', async () => {
    const parent = await tempFolder()
    const unreadable = async () => Buffer.from('no picture')
    const error = await inputError(writeModel(MODEL, join(parent, 'a/b/m'), { pictures: unreadable }))
    expect(error).toMatchObject({
      code: 'screenshot-unreadable',
      advice: expect.stringContaining('Keep the recordings'),
    })
    const gone = join(parent, 'gone.png')
    const missing = await inputError(writeModel(MODEL, join(parent, 'a/b/m'), { pictures: async () => gone }))
    expect(missing).toMatchObject({ code: 'screenshot-unreadable', place: { file: gone } })
    expect(await readdir(parent)).toEqual([])
  })
})

describe('readModel, when it cannot', () => {
  test('model-missing: near names, or the command that learns one', async () => {
    const folder = await tempFolder()
    await writeModel(MODEL, join(folder, 'oracle/search'))
    await writeFiles(folder, { 'run/trace.jsonl': '', 'empty/x': '', file: '' })
    const told = async (path: string) => {
      const error = await inputError(readModel(join(folder, path)))
      expect(error.code).toBe('model-missing')
      return `${error.what}. ${error.advice}`.replaceAll(folder, '@')
    }
    expect(await told('oracle/serach')).toMatch(
      /^there is no such model\. Did you mean "@.oracle.search"\? Learn it from passing runs: trace-oracle learn <traces> --name serach --model-dir @.oracle$/,
    )
    expect(await told('other/deep/one')).toMatch(
      /^there is no such model\. Learn it from passing runs: trace-oracle learn/,
    )
    expect(await told('oracle')).toMatch(/^is a folder of models, not a model\. Name one of them: "@.oracle.search"$/)
    expect(await told('run')).toBe('is a recorded run, not a model. Learn a model from passing runs first')
    expect(await told('empty')).toMatch(/^is not a model: it has no model\.json\. Learn it/)
    expect(await told('file')).toBe(
      'is a file, and a model is a folder. Name the folder that `trace-oracle learn` wrote',
    )
    expect(await told('file/m')).toMatch(/^there is no such model/)
    const relative = await inputError(readModel('oracle/no such'))
    expect(relative.advice).toBe('Learn it from passing runs: trace-oracle learn <traces> --name "no such"')
  })

  test('model-incomplete: names the file', async () => {
    const folder = join(await tempFolder(), 'm')
    for (const file of ['states/s2.json', 'states/s3.webp', 'model.json']) {
      await writeModel(MODEL, folder, { pictures: async ({ step }) => picture(step) })
      await rm(join(folder, file))
      expect(await inputError(readModel(folder))).toMatchObject({
        code: 'model-incomplete',
        place: { file: join(folder, file) },
        advice: expect.stringMatching(/Write the model anew \(trace-oracle learn <traces> --name m .*version control/),
      })
    }
    await writeModel(MODEL, folder, { pictures: async ({ step }) => picture(step) })
    await writeFile(join(folder, 'states/s3.webp'), 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n')
    expect(await inputError(readModel(folder))).toMatchObject({
      code: 'model-incomplete',
      advice: 'Fetch it (git lfs pull)',
    })
  })

  test('model-not-json: line and column, and what a merge conflict is called', async () => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(MODEL, folder)
    const file = join(folder, 'model.json')
    const text = await readFile(file, 'utf8')
    const told = async (damaged: string) => {
      await writeFile(file, damaged)
      const error = await inputError(readModel(folder))
      expect(error).toMatchObject({ code: 'model-not-json', advice: expect.stringContaining('trace-oracle learn') })
      return [error.place, error.what]
    }
    expect(await told(text.replace('"schema":', '"schema"'))).toEqual([
      { file, line: 2 },
      'the model is not valid JSON: unexpected "\\"" (column 12)',
    ])
    expect(await told(text.replace('  "checksum"', '<<<<<<< HEAD\n  "checksum"'))).toEqual([
      { file, line: 3 },
      'the model is not valid JSON: a merge conflict is left in it (column 1)',
    ])
    expect((await told(text.slice(0, -3)))[1]).toMatch(/it ends in the middle/)
    expect(await told('')).toEqual([{ file, line: 1 }, 'the model is not valid JSON: it ends in the middle (column 1)'])
  })

  test('model-schema-newer and model-schema-unknown', async () => {
    const folder = join(await tempFolder(), 'm')
    const told = async (content: unknown) => {
      await writeFiles(folder, { 'model.json': JSON.stringify(content) })
      const { code, what, advice } = await inputError(readModel(folder))
      return [code, what, advice]
    }
    expect(await told({ schema: 'trace-oracle/model@12', checksum: 'of another kind' })).toEqual([
      'model-schema-newer',
      'the model has schema version 12, and this version of trace-oracle knows 1',
      'Upgrade trace-oracle (npm install trace-oracle@latest)',
    ])
    const learn = expect.stringContaining('trace-oracle learn <traces> --name m')
    expect(await told({ schema: 'x/y@1' })).toEqual([
      'model-schema-unknown',
      'the schema is "x/y@1", not trace-oracle/model@1',
      learn,
    ])
    for (const content of [{}, [], null, 5]) {
      expect(await told(content)).toEqual([
        'model-schema-unknown',
        'the file does not say which schema it follows',
        learn,
      ])
    }
    await writeModel(MODEL, folder)
    await writeModelJson(
      folder,
      () => {},
      (text) => text.replace('model@1', 'model@0'),
    )
    expect(await inputError(readModel(folder))).toMatchObject({ code: 'model-schema-unknown' })
  })

  test('model-edited: any change in any file is noticed', async () => {
    const folder = join(await tempFolder(), 'm')
    const told = async (file: string, change: (content: string) => string) => {
      await writeModel(MODEL, folder, { pictures: async ({ step }) => picture(step) })
      const path = join(folder, file)
      const before = await readFile(path, 'latin1')
      const after = change(before)
      expect(after).not.toBe(before)
      await writeFile(path, after, 'latin1')
      const error = await inputError(readModel(folder))
      expect(error).toMatchObject({ code: 'model-edited', place: { file: path } })
      expect(error.advice).toMatch(/^Put decisions of your own into review\.json.*trace-oracle learn <traces> --name m/)
    }
    await told('model.json', (text) => text.replace('"essential"', '"optional"'))
    await told('model.json', (text) => text.replace('trace-oracle/model@1', 'trace-oracle/model@01'))
    await told('model.json', (text) => text.replace(/"checksum": "sha256:./, '"checksum": "sha256:x'))
    await told('model.json', (text) => text.replace(/ {2}"checksum".*\n/, ''))
    await told('model.json', (text) => text.replace('"notes": []', '"notes": [1e999]'))
    await told('states/s1.json', (text) => text.replace('2.5', '2.6'))
    await told('states/s1.json', () => '{')
    await told('states/s2.webp', (bytes) => `${bytes}\u0000`)
  })

  test.each<[string, (model: Json) => unknown, string]>([
    ['a missing field', (model) => delete model.task, 'task is missing: it must be a string'],
    [
      'a wrong kind',
      (model) => (model.states[1].kind = 'vital'),
      'states[1].kind must be one of essential, optional, transient, not the string "vital"',
    ],
    [
      'an unsafe id',
      (model) => (model.states[0].id = '../s1'),
      'states[0].id must be a state\'s id (s and a number), not the string "../s1"',
    ],
    ['an id twice', (model) => (model.states[1].id = 's1'), 'states[1].id is s1 a second time'],
    ['a state without a file', (model) => (model.states[1].id = 's7'), 'states has no file s7.json'],
    ['an edge to nowhere', (model) => (model.edges[0].to = 's9'), 'edges[0] is s9, which is none of the states'],
    [
      'an edge back',
      (model) => (model.edges[0] = { from: 's4', to: 's1', support: 1 }),
      'edges[0] has s4 before s1, the list of states has not',
    ],
    ['an edge twice', (model) => model.edges.push(model.edges[0]), 'edges[4] is from s1 to s2 a second time'],
    [
      'a dominator of nobody',
      (model) => (model.immediateDominators = { ...model.immediateDominators, x: null }),
      'immediateDominators["x"] is x, which is none of the states',
    ],
    ['no dominator', (model) => delete model.immediateDominators.s2, 'immediateDominators has nothing for s2'],
    [
      'a dominator after its state',
      (model) => (model.immediateDominators.s2 = 's3'),
      'immediateDominators["s2"] has s3 before s2',
    ],
    ['a chain to nowhere', (model) => (model.chains[0].states[0] = 's8'), 'chains[0].states[0] is s8'],
    [
      'a chain with a state twice',
      (model) => (model.chains[0].states[0] = 's3'),
      'chains[0].states[1] is s3 a second time',
    ],
    [
      'a terminal that is none',
      (model) => (model.chains[0].terminal = 's1'),
      'chains[0].terminal is s1, which is no terminal',
    ],
    ['a chain without its end', (model) => model.chains[0].states.pop(), 'chains[0].states is without its terminal s4'],
    [
      'an order of strangers',
      (model) => (model.chains[0].order[0] = ['s1', 's2']),
      'chains[0].order[0] has s2, which is not in the chain',
    ],
    ['an order of three', (model) => model.chains[0].order[0].push('s1'), 'chains[0].order[0] must be a list of two'],
    [
      'counts for no pairs',
      (model) => (model.chains[0].leastActions = []),
      'chains[0].leastActions has 0 numbers for 2 pairs',
    ],
    ['alternatives to nowhere', (model) => (model.alternatives = [['s1', 's0']]), 'alternatives[0][1] is s0'],
    [
      'more support than traces',
      (model) => (model.states[0].support = 4),
      'states[0].support is 4, but there are 3 traces',
    ],
    [
      'a member of no trace',
      (model) => (model.states[0].members[2].trace = 3),
      'states[0].members[2].trace is 3, but there are 3 traces',
    ],
    ['an exemplar of no trace', (model) => (model.states[0].exemplar.trace = 7), 'states[0].exemplar.trace is 7'],
    ['another place of nothing', (model) => (model.states[0].sameAs = 's99'), 'states[0].sameAs is s99'],
    ['another place of itself', (model) => (model.states[0].sameAs = 's1'), 'states[0].sameAs is the state itself'],
    [
      'half a step',
      (model) => (model.states[0].members[0].step = 0.5),
      'states[0].members[0].step must be a whole number of at least 0, not the number 0.5',
    ],
    [
      'a limit of another type',
      (model) => (model.limits.ssim = '1'),
      'limits.ssim must be a finite number, not the string "1"',
    ],
    ['a list for an object', (model) => (model.limits = []), 'limits must be an object, not a list'],
    [
      'an answer of another kind',
      (model) => (model.states[0].members[0].judgement.answer = 'yes'),
      'states[0].members[0].judgement.answer must be one of',
    ],
    [
      'a file elsewhere',
      (model) => (model.files = { '../x.json': '0'.repeat(64) }),
      'files["../x.json"] must be states/s<number>.json or .webp, or',
    ],
    ['no files', (model) => delete model.files, 'files is missing'],
  ])('model-invalid: %s', async (_, damage, message) => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(MODEL, folder)
    await writeModelJson(folder, damage)
    const error = await inputError(readModel(folder))
    expect(error).toMatchObject({ code: 'model-invalid', place: { file: join(folder, 'model.json') } })
    expect(error.what).toContain(`the model contradicts itself: ${message}`)
    expect(error.advice).toContain('trace-oracle learn')
  })

  test.each<[string, unknown, string]>([
    ['a list', [], 's1.json must be an object, not a list'],
    ['no thumbnail', { tokens: [] }, 's1.json.thumbnail is missing: the state has an exemplar'],
    [
      'a huge thumbnail',
      { tokens: [], thumbnail: { width: 1e6, height: 1e6, luma: '' } },
      's1.json.thumbnail.width must be a whole number from 1 to 4096',
    ],
    [
      'a short thumbnail',
      { tokens: [], thumbnail: { width: 9, height: 9, luma: 'AAAA' } },
      's1.json.thumbnail.luma must be the luma of 9 x 9 pixels',
    ],
    [
      'a token of four',
      { tokens: [['a', 1, 1, 1]] },
      's1.json.tokens[0] must be a list of token, support, least, most and weight',
    ],
    [
      'tokens out of order',
      {
        tokens: [
          ['b', 1, 1, 1, 1],
          ['a', 1, 1, 1, 1],
        ],
        thumbnail: { width: 1, height: 1, luma: 'AAA=' },
      },
      's1.json.tokens[1] must come after the one before it',
    ],
    [
      'too much support',
      { tokens: [['b', 4, 1, 1, 1]], thumbnail: { width: 1, height: 1, luma: 'AAA=' } },
      's1.json.tokens[0] has support 4 of 3',
    ],
    [
      'least above most',
      { tokens: [['b', 1, 2, 1, 1]], thumbnail: { width: 1, height: 1, luma: 'AAA=' } },
      's1.json.tokens[0] is shown at least 2 and at most 1 times',
    ],
  ])("model-invalid: %s in a state's file", async (_, content, message) => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(MODEL, folder)
    const text = JSON.stringify(content)
    await writeFile(join(folder, 'states/s1.json'), text)
    await writeModelJson(folder, (model) => (model.files['states/s1.json'] = sha256(text)))
    const error = await inputError(readModel(folder))
    expect(error.code).toBe('model-invalid')
    expect(error.what).toContain(`states/${message}`)
  })

  test('model-invalid: premises that do not fit their file', async () => {
    const folder = join(await tempFolder(), 'm')
    const premises = [{ action: ['click', 'ok'], of: 3, tokens: ['a', 'b'] }]
    await writeModel(aModel({ premises }), folder)
    expect(await readFile(join(folder, 'model.json'), 'utf8')).toContain(
      '"premises": [{"action": ["click", "ok"], "of": 3}]',
    )
    await writeModelJson(folder, (model) => model.premises.push({ action: [], of: 1 }))
    const told = async () => (await inputError(readModel(folder))).what
    expect(await told()).toContain('states/premises.json.tokens has 1 lists for 2 premises')
    await writeModelJson(folder, (model) => delete model.files['states/premises.json'])
    expect(await told()).toContain('states has no file premises.json')
    await writeModel(aModel(), folder)
    expect(await names(folder)).toEqual(['model.json', 'states/s1.json', 'states/s2.json'])
  })

  test('fields of a later version that kept the schema are passed over', async () => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(MODEL, folder)
    await writeModelJson(folder, (model) => {
      model.later = 1
      model.states[0].later = {}
    })
    expect(await readModel(folder)).toStrictEqual(MODEL)
  })
})

describe('upgradeModel', () => {
  test('goes from version to version, and knows where there is no way', () => {
    const upgrades = new Map<number, Upgrade>(
      [1, 2].map((n) => [n, ({ model, states }) => ({ model: { ...model, [`v${n}`]: n }, states })]),
    )
    const stored = { model: { a: 0 }, states: new Map() }
    expect(upgradeModel(stored, 1, upgrades, 3)?.model).toEqual({ a: 0, v1: 1, v2: 2 })
    expect(upgradeModel(stored, 2, upgrades, 3)?.model).toEqual({ a: 0, v2: 2 })
    expect(upgradeModel(stored, 3, upgrades, 3)).toBe(stored)
    expect(upgradeModel(stored, 0, upgrades, 3)).toBeUndefined()
    expect(upgradeModel(stored, 1)).toBe(stored)
  })
})

describe('several writers', () => {
  const models = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) =>
    aModel({ name, chain: ['start', ...Array.from({ length: i }, (_, j) => `${name}${j}`), 'end'], exemplars: true }),
  )

  test('end with the model of one of them, whole; readers find one at any time', async () => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(models[0]!, folder)
    let writing = true
    const reader = (async () => {
      for (let reads = 0; ; reads++) {
        if (!writing) return reads
        expect(models).toContainEqual(await readModel(folder))
      }
    })()
    await Promise.all(
      models.map(async (model) => {
        for (let n = 0; n < 5; n++) await writeModel(model, folder)
      }),
    ).finally(() => {
      writing = false
    })
    expect(await reader).toBeGreaterThan(3)
    expect(models).toContainEqual(await readModel(folder))
    expect((await readdir(folder)).sort()).toEqual(['model.json', 'states'])
  })

  test('what killed writers left is removed, and holds nobody up', async () => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(models[1]!, folder)
    const host = hostname()
      .replace(/[^A-Za-z0-9]+/g, '-')
      .slice(0, 60)
    // A process that is gone, an earlier one with this one's id, and one on another machine long ago.
    const dead = [
      `.new-4194304999-00000000-${host}`,
      `.new-${process.pid}-00000000-${host}`,
      '.new-7-00000000-elsewhere',
      `.new-0-00000000-${host}`,
    ]
    for (const name of dead) {
      await writeFiles(folder, { [`${name}/s1.json`]: '{}' })
      await utimes(join(folder, name), new Date(0), new Date(0))
    }
    expect(await readModel(folder)).toEqual(models[1])
    await writeModel(models[2]!, folder)
    expect((await readdir(folder)).sort()).toEqual(['model.json', 'states'])
  })

  test('one that cannot get its turn says who has it', async () => {
    const folder = join(await tempFolder(), 'm')
    const first = await claim(folder)
    const foreign = join(folder, '.new-1-00000000-elsewhere')
    for (const rival of [first.folder, foreign]) {
      if (rival === foreign) {
        await first.remove()
        await mkdir(foreign)
      }
      const error = await inputError(claim(folder, 100))
      expect(error).toMatchObject({
        code: 'model-busy',
        place: { file: rival },
        advice: expect.stringContaining('remove that folder'),
      })
      expect(await readdir(folder)).toHaveLength(1)
    }
  })

  test('a writer waits for the one before it', async () => {
    const folder = join(await tempFolder(), 'm')
    const first = await claim(folder)
    let second = false
    const waiting = claim(folder).then((staging) => {
      second = true
      return staging
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(second).toBe(false)
    await first.remove()
    await (await waiting).remove()
    expect(await readdir(folder)).toEqual([])
  })

  test('what a failing disk kept from its place is found where it was staged', async () => {
    const parent = await tempFolder()
    await writeModel(models[3]!, join(parent, 'old'))
    await writeModel(models[4]!, join(parent, 'new'))
    const staging = await claim(join(parent, 'old'))
    for (const file of await readdir(join(parent, 'new/states'))) {
      await rename(join(parent, 'new/states', file), join(staging.folder, file))
    }
    await rename(join(parent, 'new/model.json'), join(parent, 'old/model.json'))
    await staging.abandon()
    expect(await readModel(join(parent, 'old'))).toEqual(models[4])
    await writeModel(models[4]!, join(parent, 'old'))
    expect(await names(join(parent, 'old'))).toEqual(await namesAfter(models[4]!, join(parent, 'again')))
  })
})

async function namesAfter(model: Model, folder: string): Promise<string[]> {
  await writeModel(model, folder)
  return names(folder)
}

// biome-ignore lint/suspicious/noExplicitAny: damaged on purpose, anywhere
type Json = any

/** Changes the fields of a model.json and makes its checksum right again. */
async function writeModelJson(
  folder: string,
  damage: (model: Json) => unknown,
  rewrite = (text: string) => text,
): Promise<void> {
  const file = join(folder, 'model.json')
  const model: Json = JSON.parse(await readFile(file, 'utf8'))
  damage(model)
  const { schema: _, checksum: __, files, ...rest } = model
  const text = rewrite(formatModelFile(rest, files))
  const checked = text.replace(/ {2}"checksum".*\n/, '')
  await writeFile(file, text.replace(/"checksum": "[^"]*"/, `"checksum": "sha256:${sha256(checked)}"`))
}

/** The same model with the keys of all its objects in the opposite order. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, reversed(field)]),
  ) as T
}

async function picture(seed: number): Promise<Buffer> {
  const raw = Buffer.from(Array.from({ length: 20 * 10 * 3 }, (_, i) => (i * 7 + seed * 31) % 256))
  return sharp(raw, { raw: { width: 20, height: 10, channels: 3 } })
    .png()
    .toBuffer()
}

async function names(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

async function contents(folder: string): Promise<{ [path: string]: string }> {
  const paths = await names(folder)
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'latin1')] as const)),
  )
}
