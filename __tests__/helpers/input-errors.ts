import { InputError } from '../../lib/input-error.js'

/** The InputError that a promise is rejected with; fails on any other outcome. */
export async function inputError(promise: Promise<unknown>): Promise<InputError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('value' in outcome) throw new Error(`expected an InputError, got ${JSON.stringify(outcome.value)}`)
  if (!(outcome.error instanceof InputError)) throw outcome.error
  return outcome.error
}
