import { join } from 'node:path'
import { drawTrace } from '../helpers/draw-trace.js'

/**
 * Into `folder`: `runs/` with four recordings of A B C D, one of them by way of X, and `new/` with a good run and others.
 */
export async function drawRecordings(folder: string): Promise<void> {
  const draw = (name: string, screens: string, clock: string, claimed = 'pass') =>
    drawTrace(join(folder, name), screens.split(' '), { clock, claimed })
  await draw('runs/run-1', 'A B C D', '10:01')
  await draw('runs/run-2', 'A B X C D', '10:02')
  await draw('runs/run-3', 'A B C D', '10:03')
  await draw('runs/run-4', 'A B C D', '10:04')
  await draw('new/good', 'A B C D', '11:01')
  await draw('new/stops', 'A B C', '11:02')
  await draw('new/modest', 'A B X C D', '11:03', 'fail')
  await draw('new/skips', 'A B D', '11:04')
}
