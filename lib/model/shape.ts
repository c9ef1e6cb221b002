import { describe } from '../trace/quote.js'

/** Takes a JSON value for what it should be, or throws ShapeError. */
export type Shape<T> = (value: unknown) => T

/** What is wrong with a value, and where in it (`states[2].support`). */
export class ShapeError extends Error {
  readonly path: string
  readonly what: string

  constructor(what: string, path = '') {
    super(`${path || 'it'} ${what}`)
    this.what = what
    this.path = path
  }

  /** The same seen from one level further out. */
  within(key: string): ShapeError {
    return new ShapeError(this.what, `${key}${this.path === '' || this.path.startsWith('[') ? '' : '.'}${this.path}`)
  }
}

export const text: Shape<string> = (value) => {
  if (typeof value === 'string') return value
  throw isNot('a string', value)
}

export const flag: Shape<boolean> = (value) => {
  if (typeof value === 'boolean') return value
  throw isNot('true or false', value)
}

export const finite: Shape<number> = (value) => {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw isNot('a finite number', value)
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Shape<number> {
  return (value) => {
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
    throw isNot(`a whole number ${range}`, value)
  }
}

export function matching(pattern: RegExp, name: string): Shape<string> {
  return (value) => {
    if (typeof value === 'string' && pattern.test(value)) return value
    throw isNot(name, value)
  }
}

export function oneOf<T extends string>(values: readonly T[]): Shape<T> {
  return (value) => {
    if (values.includes(value as T)) return value as T
    throw isNot(`one of ${values.join(', ')}`, value)
  }
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value) => (value === null ? null : shape(value))
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value) => (value === undefined ? undefined : shape(value))
}

export function list<T>(shape: Shape<T>): Shape<T[]> {
  return (value) => {
    if (Array.isArray(value)) return value.map((item, i) => inside(`[${i}]`, shape, item))
    throw isNot('a list', value)
  }
}

export function pair<T>(shape: Shape<T>): Shape<[T, T]> {
  const items = list(shape)
  return (value) => {
    const [first, second, ...rest] = items(value)
    if (first !== undefined && second !== undefined && rest.length === 0) return [first, second]
    throw new ShapeError('must be a list of two')
  }
}

/** An object with these fields. Others are left out of the value: a later version may have added them. */
export function record<T extends object>(shapes: { readonly [K in keyof T]-?: Shape<T[K]> }): Shape<T> {
  const fields = Object.entries(shapes) as [string, Shape<unknown>][]
  return (value) => {
    const object = objectOf(value)
    const result: { [key: string]: unknown } = {}
    for (const [key, shape] of fields) {
      const field = inside(key, shape, Object.hasOwn(object, key) ? object[key] : undefined)
      if (field !== undefined) result[key] = field
    }
    return result as T
  }
}

/** An object with keys of any name; `__proto__` is one like any other. */
export function dictionary<T>(shape: Shape<T>): Shape<{ [key: string]: T }> {
  return (value) =>
    Object.fromEntries(
      Object.entries(objectOf(value)).map(([key, field]) => [key, inside(`[${JSON.stringify(key)}]`, shape, field)]),
    )
}

function objectOf(value: unknown): { readonly [key: string]: unknown } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as { [key: string]: unknown }
  throw isNot('an object', value)
}

function inside<T>(key: string, shape: Shape<T>, value: unknown): T {
  try {
    return shape(value)
  } catch (error) {
    throw error instanceof ShapeError ? error.within(key) : error
  }
}

function isNot(wanted: string, value: unknown): ShapeError {
  return new ShapeError(
    value === undefined ? `is missing: it must be ${wanted}` : `must be ${wanted}, not ${describe(value)}`,
  )
}
