import { InputError } from '../input-error.js'
import { closestName } from '../trace/closest-name.js'

/** A command line, variable or config file that cannot be followed. */
export function usageError(what: string, advice: string): InputError {
  return new InputError('usage', what, undefined, advice)
}

/** "Did you mean --model?", or where to look when nothing is near. */
export function didYouMean(name: string, candidates: readonly string[], otherwise: string): string {
  const near = closestName(name, candidates)
  return near === undefined ? otherwise : `Did you mean ${near}?`
}
