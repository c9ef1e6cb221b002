import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { InputError } from '../input-error.js'
import { isMissing } from '../trace/file-error.js'

/**
 * A writer's folder inside the model's folder. It holds what is not in its final place yet, and it is the writer's claim
 * to be the only one: whoever finds no other claim after making its own has the model to itself.
 *
 * The name says whose it is, so that the claim of a process that was killed holds nobody up, and can be removed without
 * any chance of removing another's.
 */
export interface Staging {
  readonly folder: string
  /** Folders that killed writers left behind. A model may still need what is in them until it has been written anew. */
  leftovers(): Promise<string[]>
  /** Gives up the claim, and all that was staged. */
  remove(): Promise<void>
  /** Gives up the claim, but leaves the files to readers, as a killed writer would. */
  abandon(): Promise<void>
}

/** Of two that wait for each other, the one with the greater name steps back. */
export async function claim(modelFolder: string, patience = PATIENCE): Promise<Staging> {
  const name = stagingName(process.pid)
  const folder = join(modelFolder, name)
  const deadline = performance.now() + patience
  for (;;) {
    await mkdir(folder, { recursive: true })
    const rivals = await livingClaims(modelFolder, name)
    if (rivals.length === 0) break
    const first = rivals.every((rival) => name < rival)
    if (!first) await remove(folder)
    do {
      if (performance.now() > deadline) {
        await remove(folder)
        throw busy(join(modelFolder, rivals[0]!), patience)
      }
      await sleep(POLL)
    } while (!first && (await livingClaims(modelFolder, name)).length > 0)
  }
  return {
    folder,
    leftovers: async () => {
      const names = await stagingNames(modelFolder)
      const living = await livingClaims(modelFolder, name)
      return names.filter((other) => other !== name && !living.includes(other)).map((other) => join(modelFolder, other))
    },
    remove: () => remove(folder),
    abandon: () => rename(folder, join(modelFolder, stagingName(NOBODY))),
  }
}

/** Names of all staging folders in a model's folder, of the living and the dead. */
export async function stagingNames(modelFolder: string): Promise<string[]> {
  return (await readdir(modelFolder)).filter((name) => STAGING.test(name)).sort()
}

export function isStagingName(name: string): boolean {
  return STAGING.test(name)
}

const STAGING = /^\.new-([0-9]+)-[0-9a-f]{8}-(.*)$/
/** No process has this id. */
const NOBODY = 0
const POLL = 20
const PATIENCE = 60_000
/** Writing takes seconds, and every file written makes the claim young again. In milliseconds. */
const OLD_AGE = 300_000
/** Some file systems know the time of a change to two seconds only. */
const TIME_GRAIN = 2000

function stagingName(pid: number): string {
  return `.new-${pid}-${randomBytes(4).toString('hex')}-${HOST}`
}

const HOST = hostname()
  .replace(/[^A-Za-z0-9]+/g, '-')
  .slice(0, 60)

async function livingClaims(modelFolder: string, own: string): Promise<string[]> {
  const names = (await stagingNames(modelFolder)).filter((name) => name !== own)
  if (names.length === 0) return []
  // By the file system's own clock where there is a claim of this moment; it need not be this machine's.
  const now = (await changedAt(join(modelFolder, own))) ?? Date.now()
  const alive = await Promise.all(
    names.map(async (name) => {
      const changed = await changedAt(join(modelFolder, name))
      return changed !== undefined && now - changed < OLD_AGE && mayLive(name, changed)
    }),
  )
  return names.filter((_, i) => alive[i])
}

/** Whether the process of a claim may still be at work; of those on other machines nothing is known. */
function mayLive(name: string, changed: number): boolean {
  const [, pid, host] = STAGING.exec(name)!
  const id = Number(pid)
  if (id === NOBODY) return false
  if (host !== HOST) return true
  // In containers every process has the same id: an older one's claim is not ours.
  if (id === process.pid) return changed + TIME_GRAIN >= performance.timeOrigin
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function changedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}

function busy(rival: string, patience: number): InputError {
  const what = `another process has been writing this model for ${patience / 1000} seconds`
  const advice = 'Wait for the other command to end; if there is none, remove that folder'
  return new InputError('model-busy', what, { file: rival }, advice)
}
