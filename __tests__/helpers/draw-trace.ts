import sharp from 'sharp'
import { seededRandom } from '../../lib/eval/random.js'
import type { Action } from '../../lib/trace/trace.js'
import { TraceWriter } from '../../lib/trace/write-trace.js'

export interface DrawOptions {
  readonly task?: string | undefined
  /** The agent's last word; null: the recording has no end. */
  readonly claimed?: string | null
  readonly message?: string
  readonly outcome?: 'pass' | 'fail' | null
  /** Screen -> what leads to it; a click on something of its name when it is not here. */
  readonly actions?: { readonly [screen: string]: Action }
  /** Shown in a corner of every picture: two recordings with different clocks are not the same recording. */
  readonly clock?: string
  /** Screen -> its title; its name when it is not here. */
  readonly titles?: { readonly [screen: string]: string }
}

/**
 * Records a run in `folder`: one step for each screen, which is a page of words of its own. The same name is the same
 * picture everywhere: `await drawTrace(folder, ['A', 'B', 'C'])`. Gives the folder back.
 */
export async function drawTrace(
  folder: string,
  screens: readonly string[],
  options: DrawOptions = {},
): Promise<string> {
  const {
    task = 'Go to the last screen',
    claimed = 'pass',
    message,
    outcome = null,
    clock,
    actions = {},
    titles = {},
  } = options
  const writer = await TraceWriter.open(folder, { task, agent: 'a test', viewport: { width: WIDTH, height: HEIGHT } })
  for (const [i, screen] of screens.entries()) {
    const action = i === 0 ? null : (actions[screen] ?? { type: 'click', target: `to ${screen}`, x: 20, y: 20 })
    const title = titles[screen] ?? `Screen ${screen}`
    await writer.step({ at: i * 1000, action, screenshot: await drawScreen(screen, clock), title })
  }
  if (claimed === null) await writer.close()
  else await writer.end({ claimed, ...(message !== undefined && { message }) }, outcome)
  return folder
}

const WIDTH = 480
const HEIGHT = 320
const LINES = 9

const drawn = new Map<string, Promise<Buffer>>()

/**
 * The picture of a screen, PNG: lines of words made of made-up letters, which depend on nothing but its name. A clock is
 * one more word.
 */
export function drawScreen(name: string, clock = ''): Promise<Buffer> {
  const key = JSON.stringify([name, clock])
  const known = drawn.get(key) ?? encode(name, clock)
  drawn.set(key, known)
  return known
}

async function encode(name: string, clock: string): Promise<Buffer> {
  const random = seededRandom(seedOf(name))
  const upTo = (n: number) => Math.floor(random() * n)
  const grey = Buffer.alloc(WIDTH * HEIGHT, 255)
  for (let line = 0; line < LINES; line++) {
    let x = 16
    for (let word = 0; word < 4; word++) {
      for (let letter = 3 + upTo(4); letter > 0; letter--) {
        drawLetter(grey, x, 16 + line * 33, () => random() < 0.5)
        x += LETTER * SCALE + 2
      }
      x += 16
    }
  }
  const tick = seededRandom(seedOf(clock))
  if (clock !== '') for (let i = 0; i < 4; i++) drawLetter(grey, WIDTH - 80 + i * 17, HEIGHT - 20, () => tick() < 0.5)
  return sharp(grey, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .png()
    .toBuffer()
}

const LETTER = 5
const SCALE = 3

function drawLetter(grey: Buffer, left: number, top: number, isInk: () => boolean): void {
  for (let row = 0; row < 6; row++) {
    for (let column = 0; column < LETTER; column++) {
      if (!isInk()) continue
      for (let y = 0; y < SCALE; y++) {
        const start = (top + row * SCALE + y) * WIDTH + left + column * SCALE
        grey.fill(20, start, start + SCALE)
      }
    }
  }
}

/** FNV-1a (Fowler, Noll, Vo), 32 bits. */
function seedOf(name: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
