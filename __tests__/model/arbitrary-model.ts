import fc from 'fast-check'
import { TIERS } from '../../lib/equivalence/judgement.js'
import { DEFAULT_LIMITS, type Limits } from '../../lib/equivalence/limits.js'
import type { Model } from '../../lib/model/model.js'

/** Names and labels come from other people's files. */
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '\ud800', '../../x', 'a\nb', '"', '\u2028', 'é'),
)
// JSON has no -0.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const digest = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
const index = (length: number) => fc.nat({ max: length - 1 })

/** Like what is read: with Object's own prototype. */
const record = <T extends object>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record<T>(shape, { noNullPrototype: true }) as fc.Arbitrary<T>

function omitted<T, U extends T>(value: T, keys: readonly (keyof U)[]): T {
  const copy = { ...value } as { [key: string]: unknown }
  for (const key of keys as readonly string[]) if (copy[key] === undefined) delete copy[key]
  return copy as T
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const judgement = record({
  answer: fc.constantFrom('equivalent', 'distinct', 'undecided'),
  tier: fc.constantFrom(...TIERS),
  reason: text,
  measures: fc.dictionary(text, number, { maxKeys: 3, noNullPrototype: true }),
  limit: maybe(text),
}).map((value) => omitted(value, ['limit']))

const action = record({
  type: text,
  target: maybe(text),
  text: maybe(text),
  key: maybe(text),
  support: fc.integer({ min: 1, max: 9 }),
}).map((value) => omitted(value, ['target', 'text', 'key']))

const thumbnail = record({
  width: fc.integer({ min: 1, max: 12 }),
  height: fc.integer({ min: 1, max: 12 }),
  flat: fc.boolean(),
}).chain(({ width, height, flat }) => {
  const value = flat ? fc.constantFrom(0, 255) : fc.nat({ max: 255 })
  return fc
    .array(value, { minLength: width * height, maxLength: width * height })
    .map((luma) => ({ width, height, luma: Uint8Array.from(luma) }))
})

const token = record({
  token: text,
  support: fc.integer({ min: 1, max: 4 }),
  least: fc.integer({ min: 1, max: 3 }),
  more: fc.nat(),
  weight: number,
}).map(({ more, least, ...rest }) => ({ ...rest, least, most: least + more }))

const signature = fc
  .uniqueArray(token, { selector: ({ token }) => token, maxLength: 8 })
  .map((tokens) => ({ of: 4, tokens: tokens.sort((a, b) => (a.token < b.token ? -1 : 1)) }))

function stateOf(traces: number) {
  const at = { trace: index(traces), step: fc.nat() }
  const fingerprint = record({
    sha256: digest,
    width: fc.integer({ min: 1, max: 9999 }),
    height: fc.integer({ min: 1, max: 9999 }),
    scale: fc.constantFrom(1, 1.25, 2),
    blockhash: digest,
    thumbnail,
  })
  return record({
    id: fc.nat().map((n) => `s${n}`),
    label: text,
    kind: fc.constantFrom('essential', 'optional', 'transient'),
    reason: text,
    support: fc.nat({ max: traces }),
    terminal: fc.boolean(),
    members: fc.array(record({ ...at, content: text, judgement }), { maxLength: 3 }),
    actions: fc.array(action, { maxLength: 2 }),
    entering: maybe(fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 2 })),
    signature,
    exemplar: maybe(record({ ...at, fingerprint })),
  }).map((value) => omitted(value, ['entering', 'exemplar']))
}

const premise = record({
  action: fc.array(text, { maxLength: 3 }),
  of: fc.integer({ min: 1, max: 9 }),
  tokens: fc.array(text, { maxLength: 5 }),
})

const limits = record(
  Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((limit) => [limit, number])),
) as unknown as fc.Arbitrary<Limits>

/** Any model that holds together: everything that refers to something finds it; not that learning could come to it. */
export const arbitraryModel: fc.Arbitrary<Model> = fc.integer({ min: 1, max: 4 }).chain((traceCount) =>
  record({
    name: text,
    task: fc.option(text),
    traces: fc.array(record({ name: text, id: text, steps: fc.nat() }), {
      minLength: traceCount,
      maxLength: traceCount,
    }),
    states: fc.uniqueArray(stateOf(traceCount), { selector: ({ id }) => id, minLength: 1, maxLength: 6 }),
    premises: fc.array(premise, { maxLength: 2 }),
    limits,
    notes: fc.array(text, { maxLength: 2 }),
  }).chain((parts) => {
    const ids = parts.states.map(({ id }) => id)
    const terminals = parts.states.filter((state) => state.terminal).map(({ id }) => id)
    const later = fc.subarray(ids.flatMap((from, i) => ids.slice(i + 1).map((to) => [from, to] as const)))
    const chain = (terminal: string) =>
      fc.subarray(ids.filter((id) => id !== terminal)).chain((before) => {
        const chained = [...before, terminal]
        const pairs = chained.flatMap((a, i) => chained.slice(i + 1).map((b) => [a, b] as [string, string]))
        return fc.subarray(pairs).chain((order) =>
          record({
            terminal: fc.constant(terminal),
            states: fc.constant(chained),
            order: fc.constant(order),
            leastActions: fc.array(fc.nat(), { minLength: order.length, maxLength: order.length }),
          }),
        )
      })
    return record({
      edges: later.chain((pairs) =>
        fc.tuple(
          ...pairs.map(([from, to]) => fc.integer({ min: 1, max: 9 }).map((support) => ({ from, to, support }))),
        ),
      ),
      dominators: fc.tuple(
        ...ids.map((_, i) => fc.option(i === 0 ? fc.constant(null) : fc.constantFrom(...ids.slice(0, i)))),
      ),
      chains: fc.tuple(...terminals.map(chain)),
      alternatives: fc.array(fc.subarray(ids), { maxLength: 2 }),
      places: fc.array(maybe(fc.constantFrom(...ids)), { minLength: ids.length, maxLength: ids.length }),
    }).map(({ edges, dominators, chains, alternatives, places }) => ({
      ...parts,
      states: parts.states.map((state, i) =>
        omitted({ ...state, sameAs: places[i] === state.id ? undefined : places[i] }, ['sameAs']),
      ),
      edges,
      immediateDominators: Object.fromEntries(ids.map((id, i) => [id, dominators[i] ?? null])),
      chains,
      alternatives,
    }))
  }),
) as fc.Arbitrary<Model>
