import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { InputError } from '../input-error.js'
import { errorCode } from '../trace/file-error.js'

/** Writes a whole file or none: beside its place, then renamed. Throws InputError `write-failed`. */
export async function writeOutputFile(file: string, content: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(partial, content)
    await rename(partial, file)
  } catch (cause) {
    await rm(partial, { force: true }).catch(() => {})
    const what = `cannot be written (${errorCode(cause) ?? cause})`
    throw new InputError('write-failed', what, { file }, 'Check the path and the disk it is on', { cause })
  }
}
