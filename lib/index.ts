export { fewTraceBound } from './automaton/few-trace-bound.js'
export { type CheckOptions, check } from './check.js'
export type { Answer, Judgement, Tier } from './equivalence/judgement.js'
export { DEFAULT_LIMITS, type Limits } from './equivalence/limits.js'
export { InputError, type Place } from './input-error.js'
export { type LearnOptions, learn } from './learn.js'
export {
  combineVerdicts,
  type Finding,
  type FindingKind,
  type MissingState,
  type RunResult,
  type Verdict,
} from './match/verdict.js'
export type { Chain, LearnedAction, LearnedState, Member, Model, StateKind, TrainingTrace } from './model/model.js'
export { readModel } from './model/read-model.js'
export { writeModel } from './model/write-model.js'
export { defaultCacheDir, FingerprintCache } from './state/fingerprint-cache.js'
export { Fingerprinter, type FingerprinterOptions } from './state/fingerprinter.js'
export { findTraces } from './trace/find-traces.js'
export { type Label, type Labels, readLabels } from './trace/labels.js'
export { readTrace } from './trace/read-trace.js'
export { ACTION_TYPES, type Action, type Observation, type Step, type Trace } from './trace/trace.js'
export { TraceWriter, writeTrace } from './trace/write-trace.js'
