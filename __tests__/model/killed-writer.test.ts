import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { InputError } from '../../lib/input-error.js'
import type { Model } from '../../lib/model/model.js'
import { readExemplar, readModel } from '../../lib/model/read-model.js'
import { claim } from '../../lib/model/staging.js'
import { writeModel } from '../../lib/model/write-model.js'
import { aModel } from '../helpers/a-model.js'
import { compileLib } from '../helpers/compiled-lib.js'
import { useTempFolder } from '../helpers/temp-folder.js'

const tempFolder = useTempFolder()

/** Two models that share but one file, the second with more states than the first. */
const OLD = aModel({ name: 'old', chain: ['start', 'a', 'b', 'end'], exemplars: true })
const NEW = aModel({ name: 'new', chain: ['start', 'c', 'd', 'e', 'f', 'end'], exemplars: true })

const MODELS = new Map([OLD, NEW].map((model) => [model.name, model]))

/**
 * Writes models, given as a JSON file, into a folder: `writer.js <folder> <models> <rounds> [<n>]`. With `n` it is
 * killed (by itself, as hard as from outside) instead of its n-th call that changes the file system.
 */
const WRITER = `
import fs, { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const [folder, models, rounds, fatal] = process.argv.slice(2)
let calls = 0
for (const name of ['mkdir', 'open', 'rename', 'rm', 'rmdir', 'writeFile', 'utimes']) {
  const original = fs.promises[name]
  fs.promises[name] = async (...args) => {
    if (++calls === Number(fatal)) process.kill(process.pid, 'SIGKILL')
    return original(...args)
  }
}
syncBuiltinESMExports()
const { writeModel } = await import('./lib/model/write-model.js')
const luma = (key, value) => (key === 'luma' ? Uint8Array.from(value) : value)
const versions = JSON.parse(readFileSync(models, 'utf8'), luma)
console.log('ready')
for (let n = 0; n < Number(rounds); n++) {
  const model = versions[n % versions.length]
  const pictures = async ({ step }) => readFileSync(new URL(model.name + (step % 2) + '.png', import.meta.url))
  await writeModel(model, folder, { pictures })
}
console.log('calls', calls)
`

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let program: string

beforeAll(async () => {
  program = await compileLib(await tempFolder())
  await writeFile(join(program, 'writer.js'), WRITER)
  await saveModels('both.json', [OLD, NEW])
  await saveModels('new.json', [NEW])
  await saveModels('old.json', [OLD])
  for (const { name } of [OLD, NEW]) for (const n of [0, 1]) await writeFile(join(program, `${name}${n}.png`), PIXEL)
})

describe('a writer that is killed', () => {
  test('at any of its steps leaves the old model or the new one, and the next writer cleans up', async () => {
    const old = join(await tempFolder(), 'm')
    await writeModel(OLD, old, { pictures: async () => PIXEL })
    const found = await killedAtEachStep('new.json', old)
    expect(new Set(found)).toEqual(new Set(['old', 'new']))
    expect(found.length).toBeGreaterThan(20)
  })

  test('the same where the writer before it was killed too, and the model needs what that one left', async () => {
    const half = join(await tempFolder(), 'm')
    await writeModel(NEW, half, { pictures: async () => PIXEL })
    const staging = await claim(half)
    for (const file of await readdir(join(half, 'states'))) {
      await rename(join(half, 'states', file), join(staging.folder, file))
    }
    await staging.abandon()
    expect(new Set(await killedAtEachStep('old.json', half))).toEqual(new Set(['new', 'old']))
  })

  test('the same where there was no model: then there is none, or a whole one', async () => {
    const none = join(await tempFolder(), 'm')
    await mkdir(none)
    const found = await killedAtEachStep('new.json', none)
    expect(new Set(found)).toEqual(new Set(['model-missing', 'model-incomplete', 'new']))
  })

  test('at random moments, from outside, again and again, with a reader beside it', async () => {
    const folder = join(await tempFolder(), 'm')
    await writeModel(OLD, folder)
    // Any sequence would do; this one is the same every time.
    let random = 1
    for (let round = 0; round < 10; round++) {
      random = (random * 48271) % 2147483647
      const { child, ended } = start(['both.json', '100000'], folder)
      await once(child.stdout!, 'data')
      const kill = setTimeout(() => child.kill('SIGKILL'), random % 150)
      let reading = true
      const reads = (async () => {
        while (reading) expect([OLD, NEW]).toContainEqual(await readModel(folder))
      })()
      expect((await ended).signal).toBe('SIGKILL')
      clearTimeout(kill)
      reading = false
      await reads
      expect([OLD, NEW]).toContainEqual(await readModel(folder))
    }
    await writeModel(NEW, folder)
    expect((await readdir(folder)).sort()).toEqual(['model.json', 'states'])
  })
})

test('two processes that write at once take turns, and one of both models stays, whole', async () => {
  const folder = join(await tempFolder(), 'm')
  const [one, other] = [start(['both.json', '30'], folder), start(['new.json', '30'], folder)]
  const ends = Promise.all([one.ended, other.ended])
  let writing = true
  const reads = (async () => {
    await once(one.child.stdout!, 'data')
    while (writing) {
      expect(['old', 'new', 'model-missing', 'model-incomplete']).toContain(await whatIsIn(folder))
    }
  })()
  for (const { code, output } of await ends) expect([code, output]).toEqual([0, expect.stringMatching(/^ready\ncalls/)])
  writing = false
  await reads
  expect([OLD, NEW]).toContainEqual(await readModel(folder))
  expect((await readdir(folder)).sort()).toEqual(['model.json', 'states'])
})

/**
 * Lets a writer work on copies of the folder, killed at another step each time, until one comes through. Gives what was
 * read after each; every time the next writer must be able to go on from there.
 */
async function killedAtEachStep(models: string, before: string): Promise<string[]> {
  const root = await tempFolder()
  const found: string[] = []
  for (let ended = false; !ended; ) {
    const folders = Array.from({ length: 4 }, (_, i) => join(root, `${found.length + i}`))
    await Promise.all(folders.map((folder) => cp(before, folder, { recursive: true })))
    const ends = await Promise.all(folders.map((folder, i) => run([models, '1', `${found.length + i + 1}`], folder)))
    ended = ends.some(({ signal }) => signal !== 'SIGKILL')
    for (const folder of folders) {
      found.push(await whatIsIn(folder))
      for (const { id } of MODELS.get(found.at(-1)!)?.states ?? []) {
        expect(await readExemplar(folder, id)).toBeInstanceOf(Buffer)
      }
      await writeModel(OLD, folder)
      expect(await readModel(folder)).toEqual(OLD)
      expect((await readdir(folder)).sort()).toEqual(['model.json', 'states'])
    }
  }
  return found
}

/** Name of the model in a folder, which must be one of ours, whole; or why there is none. */
async function whatIsIn(folder: string): Promise<string> {
  const model = await readModel(folder).catch((error: unknown) => error)
  if (model instanceof InputError) return model.code
  expect([OLD, NEW]).toContainEqual(model)
  return (model as Model).name
}

async function saveModels(name: string, models: readonly Model[]): Promise<void> {
  const luma = (_: string, value: unknown) => (value instanceof Uint8Array ? [...value] : value)
  await writeFile(join(program, name), JSON.stringify(models, luma))
}

interface End {
  readonly code: number | null
  readonly signal: string | null
  readonly output: string
}

function start([models, ...rest]: string[], folder: string): { child: ChildProcess; ended: Promise<End> } {
  const args = [join(program, 'writer.js'), folder, join(program, models!), ...rest]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }) as End)
  return { child, ended }
}

async function run(args: string[], folder: string): Promise<End> {
  const end = await start(args, folder).ended
  if (end.signal !== 'SIGKILL' && end.code !== 0) throw new Error(end.output)
  return end
}
