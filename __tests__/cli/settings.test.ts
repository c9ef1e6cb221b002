import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { type CliOptions, runCli } from '../helpers/run-cli.js'
import { useTempFolder, writeFiles } from '../helpers/temp-folder.js'

const temp = useTempFolder()

/** Folder in which `check` looks for models, as it says when there is none. */
async function modelDir(args: string[], options: CliOptions): Promise<string> {
  const { code, stderr } = await runCli(['check', 'run', ...args], options)
  expect(code).toBe(2)
  return /^Error: (.*): there is no model here/m.exec(stderr)?.[1] ?? stderr
}

describe('flags come before the environment, that before the config file, that before defaults', () => {
  const env = { TRACE_ORACLE_MODEL_DIR: 'from-env' }
  let bare: string
  let configured: string
  beforeAll(async () => {
    bare = await temp()
    configured = await temp()
    await writeFiles(bare, { 'package.json': '{}' })
    await writeFiles(configured, { 'package.json': '{}', 'trace-oracle.config.json': '{"modelDir":"from-config"}' })
  })

  test.each([
    ['nothing', [], {}, false, 'oracle'],
    ['a config file', [], {}, true, 'from-config'],
    ['environment and config file', [], env, true, 'from-env'],
    ['all', ['--model-dir', 'from-flag'], env, true, 'from-flag'],
    ['an empty variable, which counts as none', [], { TRACE_ORACLE_MODEL_DIR: '' }, true, 'from-config'],
  ])('%s', async (_, args, variables, isConfigured, expected) => {
    const cwd = isConfigured ? configured : bare
    // Paths in a config file are relative to it.
    const place = expected === 'from-config' ? join(configured, expected) : expected
    expect(await modelDir(args, { cwd, env: variables })).toBe(place)
  })
})

describe('config file', () => {
  test.each([
    ['js', 'export default { modelDir: "here" }'],
    ['mjs', 'export default { modelDir: "here" }'],
    ['cjs', 'module.exports = { modelDir: "here" }'],
    ['json', '\ufeff{ "$schema": "x", "modelDir": "here" }'],
  ])('.%s', async (extension, content) => {
    const cwd = await temp()
    await writeFiles(cwd, { 'package.json': '{"type":"module"}', [`trace-oracle.config.${extension}`]: content })
    expect(await modelDir([], { cwd })).toBe(join(cwd, 'here'))
  })

  test('is found from a folder below, up to the root of the project', async () => {
    const cwd = await temp()
    await writeFiles(cwd, { 'trace-oracle.config.json': '{"modelDir":"outer"}', 'project/package.json': '{}' })
    await mkdir(join(cwd, 'project/deep/er'), { recursive: true })
    expect(await modelDir([], { cwd: join(cwd, 'project/deep/er') })).toBe('oracle')
    await writeFiles(cwd, { 'project/trace-oracle.config.json': '{"modelDir":"inner"}' })
    expect(await modelDir([], { cwd: join(cwd, 'project/deep/er') })).toBe(join(cwd, 'project/inner'))
  })

  test('can be named', async () => {
    const cwd = await temp()
    await writeFiles(cwd, { 'other.json': '{"modelDir":"named"}', 'package.json': '{}' })
    expect(await modelDir(['--config', 'other.json'], { cwd })).toBe(join(cwd, 'named'))
    expect(await modelDir([], { cwd, env: { TRACE_ORACLE_CONFIG: 'other.json' } })).toBe(join(cwd, 'named'))
  })

  test.each([
    [
      'an unknown name',
      { 'trace-oracle.config.json': '{"modelDirr":"x"}' },
      /unknown setting: modelDirr\. Did you mean modelDir\?/,
    ],
    [
      'a bad value',
      { 'trace-oracle.config.json': '{"minCoverage":"high"}' },
      /minCoverage in .*\.json is the string "high"\. It must be a number above 0 and at most 1/,
    ],
    [
      'no JSON',
      { 'trace-oracle.config.json': '{' },
      /trace-oracle\.config\.json: is not valid JSON\. Correct the file/,
    ],
    ['no object', { 'trace-oracle.config.json': '[]' }, /is not an object of settings\. Export an object/],
    ['broken JavaScript', { 'trace-oracle.config.mjs': 'export default {' }, /cannot be loaded \(/],
    [
      'two of them',
      { 'trace-oracle.config.mjs': '', 'trace-oracle.config.json': '{}' },
      /2 config files: .* Keep one, or name one with --config/,
    ],
    [
      'a kind that is not read',
      { 'trace-oracle.config.ts': '' },
      /config files of this kind are not read yet\. Write it as trace-oracle\.config\.json/,
    ],
  ])('with %s is refused', async (_, files, message) => {
    const cwd = await temp()
    await writeFiles(cwd, { 'package.json': '{}', ...(files as { [path: string]: string }) })
    const { code, stderr } = await runCli(['check', 'run'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('that was named and is not there', async () => {
    const cwd = await temp()
    for (const name of ['none.json', 'none.mjs']) {
      const { code, stderr } = await runCli(['check', 'run', '--config', name], { cwd })
      expect([code, stderr]).toEqual([2, `Error: ${join(cwd, name)}: does not exist. Check the spelling\n`])
    }
  })
})

test('a mistyped variable is pointed out', async () => {
  const { stderr } = await runCli(['check', 'run'], { cwd: await temp(), env: { TRACE_ORACLE_MODLE: 'x' } })
  expect(stderr).toContain('Warning: TRACE_ORACLE_MODLE is no setting. Did you mean TRACE_ORACLE_MODEL?')
})

test('a bad variable is named', async () => {
  const { code, stderr } = await runCli(['check', 'run'], {
    cwd: await temp(),
    env: { TRACE_ORACLE_MIN_COVERAGE: 'x' },
  })
  expect([code, stderr]).toEqual([
    2,
    'Error: TRACE_ORACLE_MIN_COVERAGE is "x". It must be a number above 0 and at most 1\n',
  ])
})

test('--json can be set in the environment', async () => {
  const { stdout } = await runCli(['check', 'run'], { cwd: await temp(), env: { TRACE_ORACLE_JSON: '1' } })
  expect(JSON.parse(stdout).error.code).toBe('no-model')
})
