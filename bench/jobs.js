// What is measured against what, each in a process of its own: in one process the one would collect the other's garbage.
// A job is made ready once, with what it works on, and then done as often as wanted.

import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'
import { DEFAULT_LIMITS } from '../dist/esm/equivalence/limits.js'
import { localTiers } from '../dist/esm/equivalence/pair-tiers.js'
import { cascade } from '../dist/esm/equivalence/tier.js'
import { check, FingerprintCache, Fingerprinter, readModel, readTrace } from '../dist/esm/index.js'
import { statesOfTrace } from '../dist/esm/state/states-of-trace.js'
import { decodeAll } from './pictures.js'

export const JOBS = {
  decode:
    async ({ files }) =>
    () =>
      decodeAll(files),

  /** Nothing cached, neither of the pictures nor of the model; what is then cached is written to a new folder. */
  async coldCheck({ run, model, temp }) {
    const [trace, learned] = [await readTrace(run), await readModel(model)]
    // A copy of the model, as what is worked out of a model once is kept with it.
    return () => check(trace, { ...learned }, { fingerprinter: fingerprinterIn(mkdtempSync(join(temp, 'cache-'))) })
  },

  /** All pictures are cached on disk. Gives the number of pictures decoded all the same. */
  async warmCheck({ run, model, temp }) {
    const [trace, learned] = [await readTrace(run), await readModel(model)]
    const dir = mkdtempSync(join(temp, 'cache-'))
    await check(trace, learned, { fingerprinter: fingerprinterIn(dir) })
    return async () => {
      const fingerprinter = fingerprinterIn(dir)
      await check(trace, { ...learned }, { fingerprinter })
      return fingerprinter.decodes
    }
  },

  /** Each picture of a run with the next, by its fingerprint. */
  async tiers({ run }) {
    const states = await statesOfTrace(await readTrace(run), new Fingerprinter())
    const tiers = localTiers(DEFAULT_LIMITS)
    return () => {
      for (let i = 1; i < states.length; i++) cascade(tiers, states[i - 1], states[i])
    }
  },

  /** The same by pixels. */
  pixels:
    async ({ files }) =>
    async () => {
      for (let i = 1; i < files.length; i++) await differentPixels(files[i - 1], files[i])
    },
}

function fingerprinterIn(dir) {
  return new Fingerprinter({ cache: new FingerprintCache({ dir }) })
}

async function differentPixels(...files) {
  const [a, b] = await Promise.all(
    files.map((file) => sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })),
  )
  return pixelmatch(a.data, b.data, null, a.info.width, a.info.height)
}
