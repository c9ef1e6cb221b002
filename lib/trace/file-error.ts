import { InputError } from '../input-error.js'

/** A failure of the file system, told as unreadable input; any other error comes back as it is. */
export function fileError(error: unknown, path: string): unknown {
  if (error instanceof InputError) return error
  switch (errorCode(error)) {
    case undefined:
      return error
    case 'EACCES':
    case 'EPERM':
      return unreadable('may not be read by this user', 'Give yourself read access to it', path, error)
    case 'EISDIR':
      return unreadable('is a folder where a file belongs', 'Name a file', path, error)
    case 'EMFILE':
    case 'ENFILE':
      return unreadable('too many files are open', 'Close some programs or raise the limit (ulimit -n)', path, error)
    default:
      return unreadable(`cannot be read (${errorCode(error)})`, 'Check the path and the disk it is on', path, error)
  }
}

/** A failure of the file system while writing, told with what to do about it; any other error comes back as it is. */
export function writeFailed(error: unknown, file: string, what = 'cannot be written'): unknown {
  const code = errorCode(error)
  if (error instanceof InputError || code === undefined) return error
  const advice = WRITE_ADVICE.get(code) ?? 'Check the path and the disk it is on'
  return new InputError('write-failed', `${what} (${code})`, { file }, advice, { cause: error })
}

const WRITE_ADVICE = new Map([
  ['ENOSPC', 'Free some space on that disk'],
  ['EDQUOT', 'Free some space on that disk'],
  ['EACCES', 'Give yourself write access to it'],
  ['EPERM', 'Give yourself write access to it'],
  ['EROFS', 'Choose a folder on a disk that can be written to'],
  ['EEXIST', 'Choose another folder: a file has that name'],
  ['ENOTDIR', 'Choose another folder: a file has that name'],
])

/** Whether the error says that nothing is there: also for names that no file can have. */
export function isMissing(error: unknown): boolean {
  return MISSING.has(errorCode(error) ?? '')
}

/** Code of a system error (`ENOENT`) or of Node's own (`ERR_INVALID_ARG_VALUE`: a path with a zero byte). */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])

function unreadable(what: string, advice: string, file: string, cause: unknown): InputError {
  return new InputError('path-unreadable', what, { file }, advice, { cause })
}
