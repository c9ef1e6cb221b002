import { type Answer, type Judgement, TIERS } from '../equivalence/judgement.js'
import { DEFAULT_LIMITS, type Limits } from '../equivalence/limits.js'
import { decodeLuma, encodeLuma } from '../state/luma-code.js'
import type {
  Chain,
  Exemplar,
  LearnedAction,
  LearnedState,
  Member,
  Model,
  Premise,
  SignatureToken,
  StateKind,
  TrainingTrace,
} from './model.js'
import { type Fields, STATE_FILE, STATE_ID, STATES_FOLDER, type StoredModel } from './model-format.js'
import {
  dictionary,
  finite,
  flag,
  list,
  matching,
  nullable,
  oneOf,
  optional,
  pair,
  record,
  type Shape,
  ShapeError,
  text,
  whole,
} from './shape.js'

/** A model as JSON values, in two parts: what is for reading, and the long lists of numbers of each state. */
export function storeModel(model: Model): StoredModel {
  return {
    model: {
      ...model,
      states: model.states.map(({ signature, exemplar, ...state }) => ({
        ...state,
        signature: { of: signature.of },
        exemplar: exemplar && storeExemplar(exemplar),
      })),
      premises: model.premises.map(({ tokens: _, ...premise }) => premise),
    },
    states: new Map([
      ...model.states.map((state) => [state.id, storeState(state)] as const),
      ...(model.premises.length === 0 ? [] : [[PREMISES, storePremises(model.premises)] as const]),
    ]),
  }
}

function storeExemplar({ trace, step, fingerprint }: Exemplar): StoredExemplar {
  const { sha256, width, height, scale, blockhash } = fingerprint
  return { trace, step, fingerprint: { sha256, width, height, scale, blockhash } }
}

function storeState({ signature, exemplar }: LearnedState): Fields {
  return {
    thumbnail: exemplar && storeThumbnail(exemplar.fingerprint.thumbnail),
    tokens: signature.tokens.map(({ token, support, least, most, weight }) => [token, support, least, most, weight]),
  }
}

function storeThumbnail({ width, height, luma }: Thumbnail): Fields {
  return { width, height, luma: Buffer.from(encodeLuma(luma, width)).toString('base64') }
}

function storePremises(premises: readonly Premise[]): Fields {
  return { tokens: premises.map(({ tokens }) => tokens) }
}

const PREMISES = 'premises'

type Thumbnail = Exemplar['fingerprint']['thumbnail']

/**
 * The model again. Everything is checked, first the shape, then what refers to what, so that whoever works with a Model
 * need not ask. Throws ShapeError, with the path into model.json or with the name of the state's file before it.
 */
export function restoreModel({ model, states }: StoredModel): Model {
  const { states: stored, premises, ...rest } = modelShape(model)
  const rank = ranks(stored)
  const restored = {
    ...rest,
    states: stored.map((state) => inFile(state.id, states, (part) => restoreState(state, part))),
    premises: premises.length === 0 ? [] : inFile(PREMISES, states, (part) => restorePremises(premises, part)),
  }
  checkReferences(restored, rank)
  return restored
}

/** What a file of `states/` is restored to; faults are told with its name. */
function inFile<T>(name: string, states: StoredModel['states'], restore: (part: unknown) => T): T {
  if (!states.has(name)) throw new ShapeError(`has no file ${name}.json`, STATES_FOLDER)
  try {
    return restore(states.get(name))
  } catch (error) {
    throw error instanceof ShapeError ? error.within(`${STATES_FOLDER}/${name}.json`) : error
  }
}

function restoreState({ signature, exemplar, ...state }: StoredState, part: unknown): LearnedState {
  const { thumbnail, tokens } = stateShape(part)
  checkTokens(tokens, signature.of)
  const whole = { ...state, signature: { ...signature, tokens } }
  if (exemplar === undefined) return whole
  if (thumbnail === undefined) throw new ShapeError('is missing: the state has an exemplar', 'thumbnail')
  return { ...whole, exemplar: { ...exemplar, fingerprint: { ...exemplar.fingerprint, thumbnail } } }
}

function restorePremises(premises: readonly StoredPremise[], part: unknown): Premise[] {
  const { tokens } = premisesShape(part)
  if (tokens.length === premises.length) return premises.map((premise, i) => ({ ...premise, tokens: tokens[i]! }))
  throw new ShapeError(`has ${tokens.length} lists for ${premises.length} premises`, 'tokens')
}

function checkTokens(tokens: readonly SignatureToken[], of: number): void {
  tokens.forEach(({ token, support, least, most }, i) => {
    const fault =
      i > 0 && token <= tokens[i - 1]!.token
        ? 'must come after the one before it by code units'
        : support > of
          ? `has support ${support} of ${of}`
          : least > most
            ? `is shown at least ${least} and at most ${most} times`
            : undefined
    if (fault !== undefined) throw new ShapeError(fault, `tokens[${i}]`)
  })
}

/** The digests in a model.json; their paths are safe to open. */
export function fileDigests(model: Fields): { [path: string]: string } {
  const { files } = digestsShape(model)
  for (const path of Object.keys(files)) {
    const name = path.slice(STATES_FOLDER.length + 1)
    if (path === `${STATES_FOLDER}/${name}` && STATE_FILE.test(name)) continue
    throw new ShapeError(
      `must be ${STATES_FOLDER}/s<number>.json or .webp, or ${STATES_FOLDER}/premises.json`,
      `files[${JSON.stringify(path)}]`,
    )
  }
  return files
}

/** Id -> index of the state. */
function ranks(states: readonly StoredState[]): ReadonlyMap<string, number> {
  const rank = new Map<string, number>()
  states.forEach(({ id }, i) => {
    if (rank.has(id)) throw new ShapeError(`is ${id} a second time`, `states[${i}].id`)
    rank.set(id, i)
  })
  return rank
}

function checkReferences(model: Model, rank: ReadonlyMap<string, number>): void {
  const { traces, states, edges, immediateDominators, chains, alternatives } = model
  const known = (id: string, path: string): number => {
    const index = rank.get(id)
    if (index === undefined) throw new ShapeError(`is ${id}, which is none of the states`, path)
    return index
  }
  const inOrder = (earlier: string, later: string, path: string): void => {
    if (known(earlier, path) >= known(later, path)) {
      throw new ShapeError(`has ${earlier} before ${later}, the list of states has not`, path)
    }
  }
  const allDifferent = (ids: readonly string[], path: string): void => {
    const seen = new Set<string>()
    ids.forEach((id, i) => {
      known(id, `${path}[${i}]`)
      if (seen.has(id)) throw new ShapeError(`is ${id} a second time`, `${path}[${i}]`)
      seen.add(id)
    })
  }
  const recorded = (trace: number, path: string): void => {
    if (trace >= traces.length) throw new ShapeError(`is ${trace}, but there are ${traces.length} traces`, path)
  }

  states.forEach(({ id, support, sameAs, members, exemplar }, i) => {
    if (support > traces.length) {
      throw new ShapeError(`is ${support}, but there are ${traces.length} traces`, `states[${i}].support`)
    }
    if (sameAs !== undefined) known(sameAs, `states[${i}].sameAs`)
    if (sameAs === id) throw new ShapeError('is the state itself', `states[${i}].sameAs`)
    members.forEach(({ trace }, j) => {
      recorded(trace, `states[${i}].members[${j}].trace`)
    })
    if (exemplar !== undefined) recorded(exemplar.trace, `states[${i}].exemplar.trace`)
  })
  const seen = new Set<string>()
  edges.forEach(({ from, to }, i) => {
    inOrder(from, to, `edges[${i}]`)
    const edge = `${from} ${to}`
    if (seen.has(edge)) throw new ShapeError(`is from ${from} to ${to} a second time`, `edges[${i}]`)
    seen.add(edge)
  })
  for (const [id, dominator] of Object.entries(immediateDominators)) {
    const path = `immediateDominators[${JSON.stringify(id)}]`
    known(id, path)
    if (dominator !== null) inOrder(dominator, id, path)
  }
  for (const { id } of states) {
    if (!Object.hasOwn(immediateDominators, id)) throw new ShapeError(`has nothing for ${id}`, 'immediateDominators')
  }
  const terminals = new Set<string>()
  chains.forEach(({ terminal, states: chain, order, leastActions }, i) => {
    const path = `chains[${i}]`
    const end = states[known(terminal, `${path}.terminal`)]!
    if (!end.terminal) throw new ShapeError(`is ${terminal}, which is no terminal`, `${path}.terminal`)
    if (terminals.has(terminal)) throw new ShapeError(`is ${terminal} a second time`, `${path}.terminal`)
    terminals.add(terminal)
    allDifferent(chain, `${path}.states`)
    if (!chain.includes(terminal) && !chain.includes(end.sameAs ?? terminal)) {
      throw new ShapeError(`is without its terminal ${terminal}`, `${path}.states`)
    }
    if (leastActions.length !== order.length) {
      throw new ShapeError(`has ${leastActions.length} numbers for ${order.length} pairs`, `${path}.leastActions`)
    }
    const members = new Set(chain)
    order.forEach((ids, j) => {
      for (const id of ids) {
        if (!members.has(id)) throw new ShapeError(`has ${id}, which is not in the chain`, `${path}.order[${j}]`)
      }
      if (ids[0] === ids[1]) throw new ShapeError(`has ${ids[0]} before itself`, `${path}.order[${j}]`)
    })
  })
  alternatives.forEach((ids, i) => {
    allDifferent(ids, `alternatives[${i}]`)
  })
}

const id = matching(STATE_ID, "a state's id (s and a number)")
const digest = matching(/^[0-9a-f]{64}$/, '64 hex digits')
const digestsShape = record({ files: dictionary(digest) })

// Shapes name their type, so that a field that Model gets later, an optional one too, cannot be forgotten here.
const judgement = record<Judgement>({
  answer: oneOf<Answer>(['equivalent', 'distinct', 'undecided']),
  tier: oneOf(TIERS),
  reason: text,
  measures: dictionary(finite),
  limit: optional(text),
})

const action = record<LearnedAction>({
  type: text,
  target: optional(text),
  text: optional(text),
  key: optional(text),
  support: whole(1),
})

type StoredFingerprint = Omit<Exemplar['fingerprint'], 'thumbnail'>
type StoredExemplar = Omit<Exemplar, 'fingerprint'> & { readonly fingerprint: StoredFingerprint }
type StoredState = Omit<LearnedState, 'signature' | 'exemplar'> & {
  readonly signature: Omit<LearnedState['signature'], 'tokens'>
  readonly exemplar?: StoredExemplar
}

const state = record<StoredState>({
  id,
  label: text,
  kind: oneOf<StateKind>(['essential', 'optional', 'transient']),
  reason: text,
  support: whole(0),
  terminal: flag,
  sameAs: optional(id),
  members: list(record<Member>({ trace: whole(0), step: whole(0), content: text, judgement })),
  actions: list(action),
  signature: record<StoredState['signature']>({ of: whole(0) }),
  entering: optional(list(list(text))),
  exemplar: optional(
    record<StoredExemplar>({
      trace: whole(0),
      step: whole(0),
      fingerprint: record<StoredFingerprint>({
        sha256: digest,
        width: whole(1),
        height: whole(1),
        scale: finite,
        blockhash: digest,
      }),
    }),
  ),
})

const limits = record<Limits>(
  Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((limit) => [limit, finite])) as {
    [K in keyof Limits]: Shape<number>
  },
)

type StoredPremise = Omit<Premise, 'tokens'>
type StoredFields = Omit<Model, 'states' | 'premises'> & {
  readonly states: readonly StoredState[]
  readonly premises: readonly StoredPremise[]
}

const modelShape = record<StoredFields>({
  name: text,
  task: nullable(text),
  traces: list(record<TrainingTrace>({ name: text, id: text, steps: whole(0) })),
  states: list(state),
  edges: list(record<Model['edges'][number]>({ from: id, to: id, support: whole(1) })),
  immediateDominators: dictionary(nullable(id)),
  chains: list(record<Chain>({ terminal: id, states: list(id), order: list(pair(id)), leastActions: list(whole(0)) })),
  alternatives: list(list(id)),
  premises: list(record<StoredPremise>({ action: list(text), of: whole(1) })),
  limits,
  notes: list(text),
})

// A side is bounded for the reader's sake: a few bytes of runs can ask for any amount of memory.
const storedThumbnail = record({ width: whole(1, 4096), height: whole(1, 4096), luma: text })

const thumbnail: Shape<Thumbnail> = (value) => {
  const { width, height, luma: code } = storedThumbnail(value)
  const luma = decodeLuma(Buffer.from(code, 'base64'), width, width * height)
  if (luma !== undefined) return { width, height, luma }
  throw new ShapeError(`must be the luma of ${width} x ${height} pixels`, 'luma')
}

const token: Shape<SignatureToken> = (value) => {
  if (!Array.isArray(value) || value.length !== 5) {
    throw new ShapeError('must be a list of token, support, least, most and weight')
  }
  return {
    token: text(value[0]),
    support: count(value[1]),
    least: count(value[2]),
    most: count(value[3]),
    weight: finite(value[4]),
  }
}
const count = whole(1)

const premisesShape = record({ tokens: list(list(text)) })
const stateShape = record({ thumbnail: optional(thumbnail), tokens: list(token) })
