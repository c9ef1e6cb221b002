// What fingerprints cost, as ratios to decoding the same pictures with sharp, and what their parts take:
// `node --expose-gc bench/fingerprint.js [pictures]`. `benchFingerprint` gives the rows to a larger bench.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blockHash } from '../dist/esm/state/block-hash.js'
import { components } from '../dist/esm/state/components.js'
import { decodeImage } from '../dist/esm/state/decode-image.js'
import { FingerprintCache } from '../dist/esm/state/fingerprint-cache.js'
import { decodeFingerprint, encodeFingerprint } from '../dist/esm/state/fingerprint-code.js'
import { fingerprintImage, sha256 } from '../dist/esm/state/fingerprint-image.js'
import { Fingerprinter } from '../dist/esm/state/fingerprinter.js'
import { flatColours } from '../dist/esm/state/flat-colours.js'
import { runLengths } from '../dist/esm/state/run-lengths.js'
import { thumbnail } from '../dist/esm/state/thumbnail.js'
import { cpuOf, interleaved, median, ratio } from './measure.js'
import { corpora, decodeAll, longRun } from './pictures.js'

/** Rows {name, ratio, target, detail} for 20 and for `length` pictures of each corpus that none of the rest is equal to. */
export async function benchFingerprint({ length = 200, rounds = 5 } = {}) {
  const rows = []
  const folder = mkdtempSync(join(tmpdir(), 'trace-oracle-bench-'))
  let folders = 0
  const newFolder = () => join(folder, `${folders++}`)
  try {
    for (const { name, test } of await corpora()) {
      for (const count of [20, length]) {
        const { trace, files } = await longRun(newFolder(), test, count)
        let dir
        let decodes = 0
        const all = async (cache) => {
          const fingerprinter = new Fingerprinter({ cache })
          await Promise.all(files.map((file) => fingerprinter.fingerprint(file, trace.viewport)))
          return fingerprinter.decodes
        }
        const seconds = await interleaved(rounds, {
          decode: () => decodeAll(files),
          cold: () => all(new FingerprintCache({ memory: 0 })),
          kept: () => all(new FingerprintCache({ memory: 0, dir: (dir = newFolder()) })),
        })
        const { warm } = await interleaved(rounds, {
          warm: async () => {
            decodes += await all(new FingerprintCache({ memory: 0, dir }))
          },
        })
        const each = (list) => `${((median(list) / count) * 1000).toFixed(2)} ms a picture`
        const row = (what, list, target) =>
          rows.push({
            name: `${what} of ${count} pictures / decoding them, ${name}`,
            ratio: ratio(list, seconds.decode),
            target,
            detail: `${each(list)}; sharp ${each(seconds.decode)}`,
          })
        row('fingerprints', seconds.cold, 1.3)
        row('fingerprints, kept on disk,', seconds.kept, 1.4)
        row('fingerprints from the disk', warm, 0.25)
        rows.push({ name: '  of these decoded', ratio: decodes, target: 0, detail: '' })
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return rows
}

/** Milliseconds of CPU time a picture that each part takes, by name: the least of the rounds. */
async function parts(files, rounds = 9) {
  const bytes = files.map((file) => readFileSync(file))
  const least = {}
  for (let round = 0; round < rounds; round++) {
    const sums = {}
    const part = async (name, job) => {
      const { seconds, value } = await cpuOf(job)
      sums[name] = (sums[name] ?? 0) + seconds
      return value
    }
    for (const file of bytes) {
      await part('all', () => fingerprintImage(file))
      await part('sha256', () => sha256(file))
      const { pixels } = await part('decode', () => decodeImage(file))
      const code = await part('run lengths', () => runLengths(pixels.data, pixels.width, pixels.height))
      const small = await part('thumbnail', () => thumbnail(code))
      await part('block hash', () => blockHash(small))
      await part('flat colours', () => flatColours(code))
      await part('components', () => components(code))
      const fingerprint = await fingerprintImage(file)
      const entry = await part('encode', () => encodeFingerprint(fingerprint))
      await part('read again', () => decodeFingerprint(entry))
    }
    for (const [name, seconds] of Object.entries(sums)) {
      least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, (seconds / bytes.length) * 1000)
    }
  }
  return least
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const length = Number(process.argv[2] ?? 200)
  for (const row of await benchFingerprint({ length })) {
    console.log(`${row.ratio.toFixed(2).padStart(6)}  (at most ${row.target})  ${row.name}  ${row.detail}`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'trace-oracle-bench-'))
  try {
    for (const { name, test } of await corpora()) {
      const { files } = await longRun(join(folder, name), test, 20)
      const least = Object.entries(await parts(files)).map(([part, ms]) => `${part} ${ms.toFixed(2)}`)
      console.log(`${name}, ms a picture: ${least.join(', ')}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
