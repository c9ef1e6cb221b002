// The package as users get it: packed, installed into an empty project, and used through both doors. Tests of the source
// cannot see a file that is missing from the tarball, or types that resolve only here. Needs the built package.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const NAMES = ['learn', 'check', 'readTrace', 'readModel', 'writeModel']
/** Bytes; a whole picture or a source map packed by mistake is more than what is left to it. */
const LARGEST = 400_000

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

let temp: string
let project: string
let tarball: string
let packed: readonly string[]
/** Why there is nothing to test; the tests then say so and end. */
let unreachable: string | undefined

beforeAll(async () => {
  if (!existsSync(join(ROOT, 'dist/esm/index.js'))) throw new Error('The package is not built. Run `npm run build`.')
  temp = await mkdtemp(join(tmpdir(), 'trace-oracle-packed-'))
  project = join(temp, 'project')
  await mkdir(project)
  // Not built anew: other tests may be using what is there.
  const pack = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', temp], ROOT)
  expect(pack).toMatchObject({ code: 0 })
  const [{ filename, files }] = JSON.parse(pack.stdout) as [{ filename: string; files: { path: string }[] }]
  tarball = join(temp, filename)
  packed = files.map(({ path }) => path)
  await writeFile(join(project, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n')
  const install = await npm(['install', tarball, '--no-audit', '--no-fund', '--prefer-offline', ...IMPATIENT], project)
  if (install.code !== 0 && OFFLINE.test(install.stderr)) unreachable = install.stderr.trim().split('\n')[0]
  else expect(install).toMatchObject({ code: 0 })
  await writeRuns(join(project, 'runs'))
}, 300_000)

afterAll(() => rm(temp, { recursive: true, force: true }))

/** npm's own patience with a registry that does not answer is longer than a test's. */
const IMPATIENT = [
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
  '--fetch-timeout=60000',
]
const OFFLINE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/

/** A test that needs the installed package; passed over, with a plain word, where no registry can be reached. */
function testInstalled(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    if (unreachable !== undefined) {
      process.stderr.write(`passed over "${name}": npm reaches no registry (${unreachable})\n`)
      return
    }
    await run()
  })
}

describe('the tarball', () => {
  test('holds the package and nothing else', () => {
    const others = packed.filter(
      (path) => !/^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|bin\/|dist\/)/.test(path),
    )
    expect(others).toEqual([])
    const odd = packed.filter((path) => /__tests__|\.test\.|traces\/|bench\/|\.map$|\.tsbuildinfo$|\.png$/.test(path))
    expect(odd).toEqual([])
    expect(packed).toEqual(expect.arrayContaining(['bin/trace-oracle.js', 'dist/esm/index.js', 'dist/cjs/index.js']))
    expect(packed).toEqual(expect.arrayContaining(['dist/esm/index.d.ts', 'dist/cjs/index.d.ts', 'README.md']))
  })

  test('is small', async () => {
    expect((await stat(tarball)).size).toBeLessThan(LARGEST)
  })

  testInstalled('names no file of the machine it was built on', async () => {
    const folder = join(project, 'node_modules/trace-oracle')
    const naming: string[] = []
    for (const path of await readdir(folder, { recursive: true })) {
      const file = join(folder, path)
      if (!(await stat(file)).isFile() || path.startsWith('node_modules')) continue
      const text = await readFile(file, 'utf8')
      if (text.includes(ROOT) || /sourceMappingURL/.test(text)) naming.push(path)
    }
    expect(naming).toEqual([])
  })
})

describe('the doors', () => {
  const script = (load: string) => `
    ${load}
    async function main() {
      const { learn, check, readTrace, readModel, writeModel } = door
      const kinds = ${JSON.stringify(NAMES)}.map((name) => typeof door[name])
      const traces = []
      for (const run of ['a', 'b', 'c']) traces.push(await readTrace('runs/' + run))
      await writeModel(await learn(traces, { name: 'tiny' }), OUT)
      const model = await readModel(OUT)
      const verdicts = []
      for (const run of ['good', 'bad']) verdicts.push((await check(await readTrace('runs/' + run), model)).verdict)
      console.log(JSON.stringify({ kinds, verdicts, name: model.name }))
    }
    main()`

  const expected = { kinds: NAMES.map(() => 'function'), verdicts: ['pass', 'fail'], name: 'tiny' }

  testInstalled('import gives learn, check, readTrace, readModel and writeModel, and they work', async () => {
    await writeFile(
      join(project, 'door.mjs'),
      script(`import * as door from 'trace-oracle'\nconst OUT = 'oracle/esm'`).trim(),
    )
    expect(await answerOf('door.mjs')).toEqual(expected)
  })

  testInstalled('require gives the same', async () => {
    await writeFile(
      join(project, 'door.cjs'),
      script(`const door = require('trace-oracle')\nconst OUT = 'oracle/cjs'`).trim(),
    )
    expect(await answerOf('door.cjs')).toEqual(expected)
  })

  testInstalled('both learn the same model', async () => {
    const [esm, cjs] = await Promise.all(['esm', 'cjs'].map((door) => filesOf(join(project, 'oracle', door))))
    expect(Object.keys(esm!).length).toBeGreaterThan(0)
    expect(cjs).toEqual(esm)
  })

  testInstalled('npx trace-oracle --version says the version', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    const ran = await cli('--version')
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(version) })
  })

  testInstalled('npx trace-oracle judges a run', async () => {
    expect(await cli('learn', 'runs/a', 'runs/b', 'runs/c', '--name', 'cli', '--allow-ci-write')).toMatchObject({
      code: 0,
    })
    const model = ['--model', 'cli', '--no-cache']
    expect(await cli('check', 'runs/good', ...model)).toMatchObject({ code: 0 })
    expect(await cli('check', 'runs/bad', ...model)).toMatchObject({ code: 1 })
  })
})

describe('the types', () => {
  const use = `
const trace: Trace = await readTrace('runs/a')
const model: Model = await learn([trace], { name: 'typed' })
const result: RunResult = await check(trace, model, { strict: true })
const verdict: 'pass' | 'fail' | 'inconclusive' | 'error' = result.verdict
await writeModel(await readModel('m'), 'm')
// @ts-expect-error a model is no path
await check(trace, 'model')
export { verdict }
`
  const names = `check, learn, type Model, type RunResult, readModel, readTrace, type Trace, writeModel`

  testInstalled('resolve for modules of both kinds', async () => {
    await writeFile(join(project, 'esm.ts'), `import { ${names} } from 'trace-oracle'\n${use}`)
    // No await at the top of a CommonJS module.
    const inside = use.replace('export { verdict }', 'return verdict').trim()
    await writeFile(
      join(project, 'cjs.cts'),
      `import { ${names} } from 'trace-oracle'\nexport async function main() {\n${inside}\n}\n`,
    )
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--moduleResolution', 'nodenext']
    // Their declarations are looked at, too: that is what a user without skipLibCheck sees.
    const types = [
      '--target',
      'es2022',
      '--lib',
      'es2023',
      '--types',
      'node',
      '--typeRoots',
      join(ROOT, 'node_modules/@types'),
    ]
    const ran = await run(process.execPath, [TSC, ...options, ...types, 'esm.ts', 'cjs.cts'], project)
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

function npm(args: readonly string[], cwd: string): Promise<Ran> {
  return run('npm', args, cwd)
}

/** The package's own command, and none from elsewhere. */
function cli(...args: readonly string[]): Promise<Ran> {
  return run('npx', ['--no-install', 'trace-oracle', ...args], project)
}

async function answerOf(script: string): Promise<unknown> {
  const { code, stdout, stderr } = await run(process.execPath, [script], project)
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

function run(command: string, args: readonly string[], cwd: string): Promise<Ran> {
  const { NODE_OPTIONS, ...rest } = process.env
  const env = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^(?:npm_|TRACE_ORACLE_|CI$)/i.test(name)))
  return new Promise((resolve, reject) => {
    execFile(
      command,
      [...args],
      { cwd, env, shell: process.platform === 'win32' && command !== process.execPath },
      (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error)
        else resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
      },
    )
  })
}

async function filesOf(folder: string): Promise<{ [path: string]: string }> {
  const files: { [path: string]: string } = {}
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    if ((await stat(join(folder, path))).isFile()) files[path] = await readFile(join(folder, path), 'base64')
  }
  return files
}

/** Three recordings of one task in words, a run that does it too and one that ends elsewhere. */
async function writeRuns(folder: string): Promise<void> {
  const screens = {
    home: 'Home Orders Invoices Customers Welcome back Ann',
    orders: 'Orders Invoices Customers list of open orders Acme Borg Cyan total 3',
    order: 'Orders Invoices Customers order 17 of Acme two chairs one table ship it',
    shipped: 'Orders Invoices Customers order 17 was shipped thank you tracking number follows',
    refused: 'Orders Invoices Customers order 17 cannot be sent carrier offline retry later',
  }
  type Screen = keyof typeof screens
  const ways: { [run: string]: readonly Screen[] } = {
    a: ['home', 'orders', 'order', 'shipped'],
    b: ['home', 'orders', 'order', 'shipped'],
    c: ['home', 'orders', 'order', 'shipped'],
    good: ['home', 'orders', 'order', 'shipped'],
    bad: ['home', 'orders', 'order', 'refused'],
  }
  for (const [name, way] of Object.entries(ways)) {
    const steps = way.map((screen, index) => ({
      type: 'step',
      index,
      at: index * 1000,
      text: `${screens[screen]} clock-${name}`,
      action: index === 0 ? null : { type: 'click', target: index === 3 ? 'ship it' : screen },
    }))
    const lines = [{ type: 'trace', version: 1, task: 'Ship order 17' }, ...steps, { type: 'end', claimed: 'pass' }]
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'trace.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}
