import { InputError, type Place } from '../input-error.js'
import { describe, quote } from './quote.js'
import type { Action, Observation, Step, Trace } from './trace.js'

// The native format, line by line, in both directions: what one parsed line means, and what line a value becomes.
// Files and line endings are elsewhere. A field that is null counts as absent, since many recorders write out all of
// their fields; only `result` may really be null, because a tool may have answered that.

/** Version of the format that this program reads and writes. */
export const TRACE_VERSION = 1

/** A parsed line: an object of JSON values. */
export type Fields = { readonly [field: string]: unknown }

export type Header = Pick<Trace, 'task' | 'agent' | 'viewport' | 'startedAt' | 'outcome' | 'extra'>

export type End = NonNullable<Trace['end']>

/** Throws InputError `trace-no-header`, `trace-version-missing`, `trace-version-unknown` or `trace-bad-field`. */
export function parseHeader(fields: Fields, place: Place): Header {
  if (fields.type !== 'trace') throw noHeader(place)
  checkVersion(fields.version, place)
  const { type: _type, version: _version, task, agent, viewport, startedAt, ...rest } = fields
  const [outcome, extra] = takeOutcome(rest)
  return {
    ...present({
      task: optionalString('task', task, place),
      agent: optionalString('agent', agent, place),
      viewport: optionalViewport(viewport, place),
      startedAt: optionalString('startedAt', startedAt, place),
    }),
    outcome,
    extra,
  }
}

/**
 * `previous` is the step before, for the order of the indices; without an index a step counts on from it.
 * The screenshot comes back as it was written: whether it exists is for the caller to check.
 * Throws InputError `trace-bad-field`, `trace-index-order` or `step-without-observation`.
 */
export function parseStep(fields: Fields, place: Place, previous?: Pick<Step, 'index' | 'line'>): Step {
  const { type: _type, index: writtenIndex, at, screenshot, text, result, action, url, title, ...extra } = fields
  const index = parseIndex(writtenIndex, place, previous)
  const here = { ...place, step: index }
  const parsedAction = parseAction(action, here)
  const seen = present<Observation>({
    screenshot: optionalString('screenshot', screenshot, here),
    text: text ?? undefined,
    result,
  })
  // A tool call may carry its own output, which is then what could be observed after it.
  if (Object.keys(seen).length === 0 && parsedAction?.result !== undefined) seen.result = parsedAction.result
  if (Object.keys(seen).length === 0) throw withoutObservation(here)
  return {
    index,
    ...present({ at: optionalTime(at, here) }),
    action: parsedAction,
    observation: {
      ...seen,
      ...present({ url: optionalString('url', url, here), title: optionalString('title', title, here) }),
    },
    ...present({ line: place.line }),
    extra,
  }
}

/** Throws InputError `trace-bad-field`. */
export function parseEnd(fields: Fields, place: Place): { end: End; outcome: Trace['outcome'] } {
  const { type: _type, claimed, message, ...rest } = fields
  const [outcome, extra] = takeOutcome(rest)
  const known = present({
    claimed: optionalString('claimed', claimed, place),
    message: optionalString('message', message, place),
  })
  return { end: { ...known, ...extra }, outcome }
}

export function formatHeader(header: Partial<Header>): Fields {
  const { task, agent, viewport, startedAt, outcome, extra } = header
  const known = { type: 'trace', version: TRACE_VERSION, task, agent, viewport, startedAt }
  return withExtra({ ...known, outcome: outcome ?? undefined }, extra)
}

export function formatStep(step: Omit<Step, 'line'>): Fields {
  const { index, at, action, observation, extra } = step
  const { screenshot, text, result, url, title } = observation
  return withExtra({ type: 'step', index, at, screenshot, action, text, result, url, title }, extra)
}

export function formatEnd(end: End, outcome?: Trace['outcome']): Fields {
  return withExtra({ type: 'end', claimed: undefined, outcome: outcome ?? undefined }, end)
}

function checkVersion(version: unknown, place: Place): void {
  if (version === undefined || version === null) {
    const advice = `Add "version":${TRACE_VERSION} to that line if the file follows version ${TRACE_VERSION}`
    throw new InputError('trace-version-missing', 'the first line does not say its `version`', place, advice)
  }
  if (version === TRACE_VERSION) return
  const newer = typeof version === 'number' && version > TRACE_VERSION
  const what = `the trace has version ${quote(version, 20)}; this program reads version ${TRACE_VERSION}`
  const advice = newer ? 'Upgrade trace-oracle' : `Record it again, or write version ${TRACE_VERSION}, as a number`
  throw new InputError('trace-version-unknown', what, place, advice)
}

function parseIndex(index: unknown, place: Place, previous: Pick<Step, 'index' | 'line'> | undefined): number {
  if (index === undefined || index === null) return previous ? previous.index + 1 : 0
  if (!Number.isSafeInteger(index) || (index as number) < 0)
    throw badField('index', index, 'a whole number from 0', place)
  if (previous && (index as number) <= previous.index) {
    const before = previous.line === undefined ? '' : ` on line ${previous.line}`
    const here = place.line === undefined ? '' : ` on line ${place.line}`
    const what = `step ${index}${here} comes after step ${previous.index}${before}`
    const advice = 'Steps are in the order of their `index`, each used once: leave `index` out to have them counted'
    throw new InputError('trace-index-order', what, { ...place, step: index as number }, advice)
  }
  return index as number
}

function parseAction(action: unknown, place: Place): Action | null {
  if (action === undefined || action === null) return null
  if (!isFields(action)) throw badField('action', action, 'an object', place)
  if (typeof action.type !== 'string') throw badField('action.type', action.type, 'a string, such as "click"', place)
  const kept: [string, unknown][] = []
  for (const [field, value] of Object.entries(action)) {
    const rule = ACTION_FIELDS.get(field)
    if (rule && value === null && field !== 'target') continue
    if (rule && value !== null && !rule.test(value)) throw badField(`action.${field}`, value, rule.expected, place)
    kept.push([field, value])
  }
  // fromEntries defines properties rather than setting them, so a field called `__proto__` is one like any other.
  return Object.fromEntries(kept) as Action
}

const STRING = { test: (value: unknown) => typeof value === 'string', expected: 'a string' }
const NUMBER = { test: Number.isFinite as (value: unknown) => boolean, expected: 'a number of pixels' }
const BOOLEAN = { test: (value: unknown) => typeof value === 'boolean', expected: 'true or false' }
const ACTION_FIELDS = new Map([
  ['target', STRING],
  ['x', NUMBER],
  ['y', NUMBER],
  ['text', STRING],
  ['key', STRING],
  ['url', STRING],
  ['name', STRING],
  ['isError', BOOLEAN],
])

function optionalString(field: string, value: unknown, place: Place): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw badField(field, value, 'a string', place)
  return value
}

function optionalTime(value: unknown, place: Place): number | undefined {
  if (value === undefined || value === null) return undefined
  if (!Number.isFinite(value) || (value as number) < 0)
    throw badField('at', value, 'a number of milliseconds since the start, from 0', place)
  return value as number
}

function optionalViewport(value: unknown, place: Place): Trace['viewport'] {
  if (value === undefined || value === null) return undefined
  const expected = 'an object with `width` and `height`, both numbers above 0'
  if (!isFields(value)) throw badField('viewport', value, expected, place)
  for (const side of [value.width, value.height])
    if (!Number.isFinite(side) || (side as number) <= 0) throw badField('viewport', value, expected, place)
  return value as unknown as Trace['viewport']
}

/** Takes a known outcome out of the fields; one that is not known stays where it was. */
function takeOutcome(fields: Fields): [Trace['outcome'], Fields] {
  const { outcome, ...rest } = fields
  if (outcome === 'pass' || outcome === 'fail') return [outcome, rest]
  return [null, outcome === null ? rest : fields]
}

/** Extra fields go along with the known ones and never replace one. */
function withExtra(known: Fields, extra: Fields = {}): Fields {
  const isFree = ([field]: [string, unknown]) => !Object.hasOwn(known, field) || known[field] === undefined
  return { ...known, ...Object.fromEntries(Object.entries(extra).filter(isFree)) }
}

function present<T extends object>(fields: T): { -readonly [K in keyof T]: T[K] } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function noHeader(place: Place): InputError {
  const what = 'the trace does not begin with a header'
  return new InputError(
    'trace-no-header',
    what,
    place,
    `Begin the file with {"type":"trace","version":${TRACE_VERSION}}`,
  )
}

function badField(field: string, value: unknown, expected: string, place: Place): InputError {
  const what = `\`${field}\` is ${value === undefined ? 'missing' : describe(value)}, but must be ${expected}`
  return new InputError('trace-bad-field', what, place, 'Correct the recorder, or leave the field out')
}

function withoutObservation(place: Place): InputError {
  const what = 'the step holds no observation'
  return new InputError('step-without-observation', what, place, 'Give it a `screenshot`, a `text` or a `result`')
}
