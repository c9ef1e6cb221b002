import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { drawTrace } from '../helpers/draw-trace.js'
import { runCli } from '../helpers/run-cli.js'
import { useTempFolder } from '../helpers/temp-folder.js'

const temp = useTempFolder()

let recordings: string
beforeAll(async () => {
  recordings = await temp()
  const screens = Array.from({ length: 150 }, (_, i) => `long ${i}`)
  for (const clock of ['1', '2']) await drawTrace(join(recordings, clock), screens, { clock })
}, 120_000)

/** Interrupts as soon as the first picture has been read. */
async function interrupted(args: string[], signal: NodeJS.Signals) {
  const cwd = await temp()
  const result = await runCli(args, {
    cwd,
    async onStart(kill) {
      for (let i = 0; i < 3000 && !existsSync(join(cwd, '.cache')); i++) await sleep(5)
      kill(signal)
    },
  })
  return { cwd, ...result }
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s in the middle of the work', (signal) => {
  test('ends learn with 130, and nothing is written', async () => {
    const { cwd, code, stdout, stderr } = await interrupted(['learn', recordings, '--name', 'x'], signal)
    expect([code, stdout, stderr]).toEqual([130, '', 'Stopping; press Ctrl-C again to kill.\n'])
    expect(await readdir(cwd)).toEqual(['.cache'])
    const cached = await readdir(join(cwd, '.cache'), { recursive: true })
    expect(cached.filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(cached.filter((name) => name.endsWith('.bin')).length).toBeLessThan(300)
  })

  test('is told under --json', async () => {
    const { code, stdout } = await interrupted(['learn', recordings, '--name', 'x', '--json'], signal)
    expect(code).toBe(130)
    expect(JSON.parse(stdout).error.code).toBe('interrupted')
  })
})

test('a reader who leaves early does no harm', async () => {
  const cwd = await temp()
  const { code, stdout, stderr } = await runCli(['show', join(recordings, '1')], { cwd, closeStdout: true })
  expect([code, stdout, stderr]).toEqual([0, '', ''])
})
