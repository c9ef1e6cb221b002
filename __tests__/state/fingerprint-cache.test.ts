import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { FINGERPRINT_VERSION, type Fingerprint } from '../../lib/state/fingerprint.js'
import { defaultCacheDir, FingerprintCache, type FingerprintKey } from '../../lib/state/fingerprint-cache.js'
import { fingerprintImage } from '../../lib/state/fingerprint-image.js'
import { compileLib } from '../helpers/compiled-lib.js'
import { useTempFolder } from '../helpers/temp-folder.js'
import { BLACK, encodePng, paint, WHITE } from './pictures.js'

const makeFolder = useTempFolder()

function fingerprintOf(x: number): Promise<Fingerprint> {
  return fingerprintImage(encodePng(paint(80, 60, WHITE, [[x, 7, 12, 9, BLACK]])))
}

const keyOf = ({ sha256 }: Fingerprint, viewportWidth = 0): FingerprintKey => ({ sha256, viewportWidth })
const entryOf = (dir: string, { sha256 }: Fingerprint, width = 0) =>
  join(dir, `fingerprints-v${FINGERPRINT_VERSION}`, sha256.slice(0, 2), `${sha256}-${width}.bin`)

describe('FingerprintCache', () => {
  test('what was put is got, in the same process and in the next', async () => {
    const dir = await makeFolder()
    const one = await fingerprintOf(5)
    const cache = new FingerprintCache({ dir })
    expect(cache.get(keyOf(one))).toBeUndefined()
    cache.put(keyOf(one), one)
    expect(cache.get(keyOf(one))).toBe(one)
    const next = new FingerprintCache({ dir })
    expect(next.get(keyOf(one))).toEqual(one)
    expect(next.get(keyOf(one))).toBe(next.get(keyOf(one)))
    expect([cache.stats, next.stats]).toEqual([
      { hits: 1, misses: 1 },
      { hits: 3, misses: 0 },
    ])
  })

  test('another width is another entry', async () => {
    const dir = await makeFolder()
    const one = await fingerprintOf(5)
    new FingerprintCache({ dir }).put(keyOf(one, 1280), one)
    expect(new FingerprintCache({ dir }).get(keyOf(one, 640))).toBeUndefined()
    expect(await readFile(entryOf(dir, one, 1280))).toBeDefined()
  })

  test('without a folder it lasts as long as the process, and holds so many', async () => {
    const cache = new FingerprintCache({ memory: 2 })
    const all = await Promise.all([1, 2, 3].map(fingerprintOf))
    cache.put(keyOf(all[0]!), all[0]!)
    cache.put(keyOf(all[1]!), all[1]!)
    cache.get(keyOf(all[0]!))
    cache.put(keyOf(all[2]!), all[2]!)
    expect(all.map((one) => cache.get(keyOf(one)))).toEqual([all[0], undefined, all[2]])
  })

  test('a damaged, cut off, foreign or misplaced entry is absent, and is written again', async () => {
    const dir = await makeFolder()
    const [one, other] = [await fingerprintOf(5), await fingerprintOf(6)]
    const write = () => new FingerprintCache({ dir }).put(keyOf(one), one)
    write()
    const file = entryOf(dir, one)
    const whole = await readFile(file)
    const bad: Uint8Array[] = [Buffer.alloc(0), Buffer.from('not ours'), whole.subarray(0, whole.length - 1)]
    for (let i = 0; i < whole.length; i += 7) {
      const damaged = Buffer.from(whole)
      damaged[i]! ^= 0x81
      bad.push(damaged, whole.subarray(0, i))
    }
    new FingerprintCache({ dir }).put(keyOf(other), other)
    bad.push(await readFile(entryOf(dir, other)))
    for (const bytes of bad) {
      await writeFile(file, bytes)
      expect(new FingerprintCache({ dir }).get(keyOf(one))).toBeUndefined()
    }
    write()
    expect(new FingerprintCache({ dir }).get(keyOf(one))).toEqual(one)
  })

  test('nothing is left beside the entries', async () => {
    const dir = await makeFolder()
    const one = await fingerprintOf(5)
    new FingerprintCache({ dir }).put(keyOf(one), one)
    const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name)).toEqual([`${one.sha256}-0.bin`])
  })

  describe('a folder that cannot be written is no cache, and is told once', () => {
    async function expectNoCache(dir: string, reason: RegExp): Promise<void> {
      const warnings: string[] = []
      const cache = new FingerprintCache({ dir, memory: 0, warning: (message) => warnings.push(message) })
      for (const one of await Promise.all([1, 2, 3].map(fingerprintOf))) {
        cache.put(keyOf(one), one)
        expect(cache.get(keyOf(one))).toBeUndefined()
      }
      expect(warnings).toEqual([expect.stringMatching(reason)])
    }

    test('a file stands where the folder should be', async () => {
      const dir = join(await makeFolder(), 'cache')
      await writeFile(dir, '')
      await expectNoCache(dir, /cannot be kept in .*cache.* \((?:ENOTDIR|EEXIST)\)/)
    })

    // A read-only folder does not stop root.
    const unlessRoot = process.getuid?.() === 0 ? test.skip : test
    unlessRoot('read-only', async () => {
      const dir = await makeFolder()
      await chmod(dir, 0o555)
      await expectNoCache(dir, /EACCES/)
      await chmod(dir, 0o755)
    })

    const onLinux = process.platform === 'linux' ? test : test.skip
    onLinux('a file system that takes no folders', () => expectNoCache('/proc/no-such-folder', /cannot be kept/))

    test('what is there already is still read', async () => {
      const dir = await makeFolder()
      const [one, other] = [await fingerprintOf(5), await fingerprintOf(6)]
      new FingerprintCache({ dir }).put(keyOf(one), one)
      await mkdir(join(entryOf(dir, other), 'in the way'), { recursive: true })
      const warnings: string[] = []
      const cache = new FingerprintCache({ dir, memory: 0, warning: (message) => warnings.push(message) })
      cache.put(keyOf(other), other)
      expect([cache.get(keyOf(other)), cache.get(keyOf(one))]).toEqual([undefined, one])
      const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
      expect(files.map(({ name }) => name)).toEqual([`${one.sha256}-0.bin`])
    })
  })

  test('four processes that write and read the same entries at once', async () => {
    const dir = await makeFolder()
    const program = await compileLib(await makeFolder())
    await writeFile(join(program, 'writer.js'), WRITER)
    const run = async () => {
      const child = spawn(process.execPath, [join(program, 'writer.js'), dir], {
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      return (await once(child, 'close'))[0] as number
    }
    expect(await Promise.all([run(), run(), run(), run()])).toEqual([0, 0, 0, 0])
    const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    expect(files).toHaveLength(20)
  })
})

/** Makes twenty fingerprints and keeps them, thirty times over; fails when it reads one that is not as it was written. */
const WRITER = `
import { isDeepStrictEqual } from 'node:util'
import { FingerprintCache } from './lib/state/fingerprint-cache.js'
const dir = process.argv[2]
const digest = (n) => n.toString(16).padStart(64, '0')
const fingerprints = Array.from({ length: 20 }, (_, n) => ({
  sha256: digest(n), width: 64, height: 32, scale: 1, blockhash: digest(n * n), colours: [n],
  thumbnail: { width: 64, height: 32, luma: Uint8Array.from({ length: 2048 }, (_, i) => i * n) }, components: [],
}))
for (let round = 0; round < 30; round++) {
  const cache = new FingerprintCache({ dir, warning: (message) => { throw new Error(message) } })
  for (const one of fingerprints) {
    const key = { sha256: one.sha256, viewportWidth: 0 }
    const found = cache.get(key)
    if (found === undefined && round > 0) throw new Error('an entry was lost or half-written')
    if (found !== undefined && !isDeepStrictEqual(found, one)) throw new Error('another entry was read')
    cache.put(key, one)
  }
}
`

describe('defaultCacheDir', () => {
  test('the variable of its own, the folder for caches, the home', () => {
    const home = join('/', 'home', 'ann')
    const inHome = join(home, '.cache', 'trace-oracle')
    const caches = join('/', 'caches')
    expect(defaultCacheDir({}, home)).toBe(inHome)
    expect(defaultCacheDir({ XDG_CACHE_HOME: caches }, home)).toBe(join(caches, 'trace-oracle'))
    expect(defaultCacheDir({ XDG_CACHE_HOME: '' }, home)).toBe(inHome)
    expect(defaultCacheDir({ XDG_CACHE_HOME: 'caches' }, home)).toBe(inHome)
    expect(defaultCacheDir({ XDG_CACHE_HOME: caches, TRACE_ORACLE_CACHE_DIR: 'here' }, home)).toBe('here')
    expect(defaultCacheDir({ TRACE_ORACLE_CACHE_DIR: '' }, home)).toBe(inHome)
  })
})
