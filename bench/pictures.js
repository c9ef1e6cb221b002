// Runs of real screenshots, as long as wanted and without two equal pictures.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { findTraces, readTrace } from '../dist/esm/index.js'

const RECORDED = fileURLToPath(new URL('../../shared/corpora/recorded', import.meta.url))
const SAMPLES = fileURLToPath(new URL('../traces', import.meta.url))
export const CORPORA = ['vscode-search', 'editor-replace', 'nodered-flow']

/** Folder of the recorded corpora; null where they are not at hand. */
export function recordedRoot() {
  return CORPORA.every((name) => existsSync(join(RECORDED, name, 'labels.json'))) ? RECORDED : null
}

/** The corpora with their runs to learn from and to check: the recorded ones, or else the samples of the project. */
export async function corpora() {
  const root = recordedRoot()
  const read = async (...paths) => Promise.all((await findTraces(paths)).map((path) => readTrace(path)))
  if (root === null) {
    const folder = join(SAMPLES, 'nodered-flow')
    const test = ['good', 'bad-inject-fails', 'bad-stops-early'].map((name) => join(folder, name))
    return [{ name: 'nodered-flow', train: await read(join(folder, 'passing')), test: await read(...test) }]
  }
  return Promise.all(
    CORPORA.map(async (name) => ({
      name,
      train: await read(join(root, name, 'train')),
      test: await read(join(root, name, 'test')),
    })),
  )
}

/**
 * Writes a run of exactly `length` steps into `folder`, made of the steps of the runs one after the other, and gives it
 * back as a trace with the files of its pictures. A picture that comes again gets a comment in its file, so that it is
 * another file of the same cost: its pixels and their compression are left as they were recorded. `salt` keeps several
 * such runs apart.
 */
export async function longRun(folder, runs, length, salt = '') {
  mkdirSync(join(folder, 'screenshots'), { recursive: true })
  const steps = runs.flatMap((run) => run.steps.map((step) => ({ run, step })))
  const { task, viewport } = runs[0]
  const lines = [{ type: 'trace', version: 1, task, viewport }]
  const files = []
  const seen = new Set()
  for (let at = 0; files.length < length; at++) {
    const { run, step } = steps[at % steps.length]
    let bytes = readFileSync(join(run.folder, step.observation.screenshot))
    if (salt !== '') bytes = withComment(bytes, salt)
    if (seen.has(digest(bytes))) {
      // Equal pictures are left out as long as there are others.
      if (at < steps.length) continue
      bytes = withComment(bytes, `${salt} ${at}`)
    }
    seen.add(digest(bytes))
    const index = files.length
    const screenshot = `screenshots/${String(index).padStart(4, '0')}.png`
    const { title, url } = step.observation
    const action = index === 0 ? null : (step.action ?? { type: 'wait' })
    lines.push({ type: 'step', index, at: index * 1000, screenshot, action, title, url })
    files.push(join(folder, screenshot))
    writeFileSync(files[index], bytes)
  }
  lines.push({ type: 'end', claimed: 'pass' })
  writeFileSync(join(folder, 'trace.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return { trace: await readTrace(folder), files }
}

/** Once each, one after the other, in the way that takes sharp the least CPU time: from the file, one thread, no cache. */
export async function decodeAll(files) {
  sharp.concurrency(1)
  sharp.cache(false)
  for (const file of files) await sharp(file).raw().toBuffer()
}

/** The PNG with one more tEXt chunk before its end. */
function withComment(png, text) {
  const data = Buffer.from(`tEXtComment\0${text}`, 'latin1')
  const chunk = Buffer.alloc(data.length + 8)
  chunk.writeUInt32BE(data.length - 4, 0)
  data.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(data), data.length + 4)
  return Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)])
}

function digest(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
