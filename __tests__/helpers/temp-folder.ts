import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'

/**
 * Gives a function that makes fresh empty folders below one temporary folder, which is removed after the tests.
 * To be called inside `describe` or at the top of a test file.
 */
export function useTempFolder(): () => Promise<string> {
  let root: string
  let count = 0
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'trace-oracle-'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))
  return async () => {
    const folder = join(root, `t${count++}`)
    await mkdir(folder)
    return folder
  }
}

/** Writes files into a folder: path relative to it -> content. */
export async function writeFiles(folder: string, files: { [path: string]: string | Uint8Array }): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
