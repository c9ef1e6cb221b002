import type { check } from '../check.js'
import type { learn } from '../learn.js'
import type { findModels, resolveModel } from '../model/find-models.js'
import type { modelName } from '../model/model-name.js'
import type { readModel } from '../model/read-model.js'
import type { writeModel } from '../model/write-model.js'
import type { Fingerprinter } from '../state/fingerprinter.js'
import type { Env } from './io.js'

/** The parts of the product that commands drive. */
export interface Services {
  readonly learn: typeof learn
  readonly check: typeof check
  readonly readModel: typeof readModel
  readonly writeModel: typeof writeModel
  readonly findModels: typeof findModels
  readonly resolveModel: typeof resolveModel
  readonly modelName: typeof modelName
  makeFingerprinter(options: FingerprinterSettings): Fingerprinter
}

export interface FingerprinterSettings {
  /** False: keep nothing between runs. */
  readonly cache: boolean
  /** Default: a folder of the user's. */
  readonly cacheDir: string | undefined
  /** Fingerprints to hold in memory; one takes about 60 kB. */
  readonly memory?: number
}

/** They draw in the decoder of pictures, which takes a while to load. */
export async function loadServices(env: Env, warn: (sentence: string) => void): Promise<Services> {
  const [learning, checking, reading, writing, finding, naming, fingerprints, caches] = await Promise.all([
    import('../learn.js'),
    import('../check.js'),
    import('../model/read-model.js'),
    import('../model/write-model.js'),
    import('../model/find-models.js'),
    import('../model/model-name.js'),
    import('../state/fingerprinter.js'),
    import('../state/fingerprint-cache.js'),
  ])
  return {
    learn: learning.learn,
    check: checking.check,
    readModel: reading.readModel,
    writeModel: writing.writeModel,
    findModels: finding.findModels,
    resolveModel: finding.resolveModel,
    modelName: naming.modelName,
    makeFingerprinter({ cache, cacheDir, memory }) {
      const dir = cache ? (cacheDir ?? caches.defaultCacheDir(env)) : undefined
      return new fingerprints.Fingerprinter({ cache: new caches.FingerprintCache({ dir, memory, warning: warn }) })
    },
  }
}
