import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe } from '@jest/globals'

/** Folder of the recordings that the project is measured on, beside the project; null where they are not at hand. */
export function corporaRoot(): string | null {
  const root = fileURLToPath(new URL('../../../shared/corpora', import.meta.url))
  return existsSync(root) ? root : null
}

/** A group of tests on those recordings, skipped with a plain word where they are absent. */
export function describeIfCorpora(name: string, tests: (root: string) => void): void {
  const root = corporaRoot()
  if (root !== null) describe(name, () => tests(root))
  else
    describe.skip(`${name} (skipped: no recordings in ../shared/corpora)`, () => {
      tests('')
    })
}
