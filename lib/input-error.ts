/** Where a fault was found. `step` is the step's own index; `line` counts from 1. */
export interface Place {
  readonly file: string
  readonly line?: number
  readonly step?: number
}

/**
 * Input that cannot be used: says what is wrong, where, and what to do about it.
 * `code` is the kind as data (e.g. `trace-not-json`), so that nothing has to parse the sentence.
 */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly code: string
  readonly what: string
  readonly place: Place | undefined
  readonly advice: string

  constructor(code: string, what: string, place: Place | undefined, advice: string, options?: { cause?: unknown }) {
    super(`${place ? `${formatPlace(place)}: ` : ''}${what}. ${advice}`, options)
    this.code = code
    this.what = what
    this.place = place
    this.advice = advice
  }
}

/** `file:line` or `file, step n`, the way compilers and editors write places. */
export function formatPlace({ file, line, step }: Place): string {
  return `${file}${line === undefined ? '' : `:${line}`}${step === undefined ? '' : `, step ${step}`}`
}
