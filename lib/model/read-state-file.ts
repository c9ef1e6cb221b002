import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isMissing } from '../trace/file-error.js'
import { hasDigest } from './model-format.js'
import { stagingNames } from './staging.js'

/**
 * A file of `states/` as model.json lists it: from its place, or from where a writer staged it that has put model.json in
 * place, but not yet this file. `content` is undefined when no file has that digest; `exists` tells whether there is another.
 */
export async function readStateFile(
  folder: string,
  path: string,
  digest: string,
): Promise<{ readonly content?: Buffer; readonly exists: boolean }> {
  const place = join(folder, path)
  const listed = async (file: string) => {
    const content = await readIfThere(file)
    return { content: content && hasDigest(path, content, digest) ? content : undefined, exists: content !== undefined }
  }
  const first = await listed(place)
  if (first.content !== undefined) return first
  for (const name of await stagingNames(folder)) {
    const staged = await listed(join(folder, name, basename(path)))
    if (staged.content !== undefined) return staged
  }
  // It may have been moved to its place between the two looks.
  return listed(place)
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
