import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { FingerprintCache } from '../../lib/state/fingerprint-cache.js'
import { Fingerprinter } from '../../lib/state/fingerprinter.js'
import { inputError } from '../helpers/input-errors.js'
import { useTempFolder } from '../helpers/temp-folder.js'
import { BLACK, encodePng, paint, WHITE } from './pictures.js'

const makeFolder = useTempFolder()

const picture = (x: number) => paint(80, 60, WHITE, [[x, 7, 12, 9, BLACK]])

async function writePictures(count: number): Promise<string[]> {
  const folder = await makeFolder()
  const files = Array.from({ length: count }, (_, i) => join(folder, `${i}.png`))
  await Promise.all(files.map((file, i) => writeFile(file, encodePng(picture(i)))))
  return files
}

describe('Fingerprinter', () => {
  test('equal pictures are decoded once, also when asked for at once', async () => {
    const [file, other] = (await writePictures(2)) as [string, string]
    const copy = `${file}.copy.png`
    await writeFile(copy, encodePng(picture(0)))
    const fingerprinter = new Fingerprinter({ concurrency: 8 })
    const all = await Promise.all([file, copy, file, other, copy].map((file) => fingerprinter.fingerprint(file)))
    expect(fingerprinter.decodes).toBe(2)
    expect(new Set(all).size).toBe(2)
    expect(await fingerprinter.fingerprint(copy)).toBe(all[0])
    expect(fingerprinter.decodes).toBe(2)
  })

  test('with a cache on disk the next process decodes nothing', async () => {
    const files = await writePictures(5)
    const dir = await makeFolder()
    const cold = new Fingerprinter({ cache: new FingerprintCache({ dir }) })
    const warm = new Fingerprinter({ cache: new FingerprintCache({ dir }) })
    const all = (one: Fingerprinter) => Promise.all(files.map((file) => one.fingerprint(file)))
    const first = await all(cold)
    expect(await all(warm)).toEqual(first)
    expect([cold.decodes, warm.decodes]).toEqual([5, 0])
  })

  test('the viewport is part of the question', async () => {
    const [file] = (await writePictures(1)) as [string]
    const fingerprinter = new Fingerprinter()
    const whole = await fingerprinter.fingerprint(file)
    const half = await fingerprinter.fingerprint(file, { width: 40, height: 30 })
    expect([whole.scale, half.scale, fingerprinter.decodes]).toEqual([1, 2, 2])
    expect(half).toMatchObject({ sha256: whole.sha256, width: 80, height: 60, thumbnail: { width: 40, height: 30 } })
  })

  test('no more pictures are in flight than asked for, and all get their turn', async () => {
    const files = await writePictures(30)
    for (const concurrency of [1, 3, 50]) {
      const fingerprinter = new Fingerprinter({ concurrency })
      const all = await Promise.all(files.map((file) => fingerprinter.fingerprint(file)))
      expect(all.map(({ components }) => components[0]!.x)).toEqual(files.map((_, i) => i || 12))
      expect(fingerprinter.decodes).toBe(30)
    }
  })

  test('a bad picture says where each asked for it, and does not stop the others', async () => {
    const folder = await makeFolder()
    const bad = join(folder, 'bad.png')
    await writeFile(bad, 'no image')
    const [good] = (await writePictures(1)) as [string]
    const fingerprinter = new Fingerprinter({ concurrency: 4 })
    const place = (step: number) => ({ file: 'run/trace.jsonl', line: step + 2, step })
    const [a, b, c] = await Promise.all([
      inputError(fingerprinter.fingerprint(bad, undefined, place(3))),
      inputError(fingerprinter.fingerprint(bad, undefined, place(8))),
      fingerprinter.fingerprint(good),
    ])
    expect([a.place, b.place]).toEqual([place(3), place(8)])
    expect(a.message).toMatch(/^run\/trace\.jsonl:5, step 3: the picture is not an image/)
    expect(b.message).toMatch(/^run\/trace\.jsonl:10, step 8: the picture is not an image/)
    expect(c.components.length).toBeGreaterThan(0)
    expect((await inputError(fingerprinter.fingerprint(bad))).place).toEqual({ file: bad })
  })

  describe('files that cannot be used', () => {
    const cases: [string, string, (file: string) => Promise<unknown>][] = [
      ['missing', 'screenshot-missing', async () => {}],
      ['a folder', 'screenshot-unreadable', (file) => mkdir(file)],
      ['empty', 'image-empty', (file) => writeFile(file, '')],
      ['a text', 'image-not-an-image', (file) => writeFile(file, 'Traceback (most recent call last):\n')],
      ['cut off', 'image-truncated', (file) => writeFile(file, encodePng(picture(3)).subarray(0, 150))],
    ]
    test.each(cases)('%s: %s', async (_, code, make) => {
      const file = join(await makeFolder(), 'picture.png')
      await make(file)
      const error = await inputError(new Fingerprinter().fingerprint(file))
      expect(error.code).toBe(code)
      expect(error.place).toEqual({ file })
      expect(error.advice).not.toBe('')
    })

    const unlessRoot = process.getuid?.() === 0 ? test.skip : test
    unlessRoot('not readable', async () => {
      const [file] = (await writePictures(1)) as [string]
      await chmod(file, 0)
      expect((await inputError(new Fingerprinter().fingerprint(file))).code).toBe('screenshot-unreadable')
    })

    test('a JPEG that is called .png is an image', async () => {
      const file = join(await makeFolder(), 'picture.png')
      const { data, width, height } = picture(3)
      await sharp(data, { raw: { width, height, channels: 3 } })
        .jpeg()
        .toFile(file)
      expect(await new Fingerprinter().fingerprint(file)).toMatchObject({ width: 80, height: 60 })
    })
  })
})
