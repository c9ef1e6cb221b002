// Ratios of CPU time, measured side by side: what is compared runs by turns in one go, so that a busy machine slows both.

import { fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** User and system time of all threads of this process while `job` runs, in seconds, and what the job gave. */
export async function cpuOf(job) {
  const before = process.cpuUsage()
  const value = await job()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (user + system) / 1e6, value }
}

/**
 * Seconds of each job in each round: the jobs by turns, every other round in the other order. One round before those that
 * count warms up what both share.
 */
export async function interleaved(rounds, jobs, { warmUp = true, clock = cpuOf } = {}) {
  const names = Object.keys(jobs)
  const seconds = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = warmUp ? -1 : 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const taken = await clock(jobs[name])
      if (round >= 0) seconds[name].push(taken.seconds)
    }
  }
  return seconds
}

/** Median of the rounds' ratios. */
export function ratio(seconds, below) {
  return median(seconds.map((value, i) => value / below[i]))
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Slope of the line of least squares through the logarithms: the power of x that y grows with. */
export function growthExponent(xs, ys) {
  const [lx, ly] = [xs.map(Math.log), ys.map(Math.log)]
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [mx, my] = [mean(lx), mean(ly)]
  const over = lx.reduce((sum, x, i) => sum + (x - mx) * (ly[i] - my), 0)
  return over / lx.reduce((sum, x) => sum + (x - mx) ** 2, 0)
}

const PRELOAD = fileURLToPath(new URL('usage-at-exit.js', import.meta.url))

/**
 * Runs a script in a process of its own and gives its CPU time, from the very start to its end, and the most memory it
 * held. Only exit codes in `expected` count as having run.
 */
export function runProcess(script, args, { expected = [0], flags = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trace-oracle-bench-'))
  const report = join(folder, 'usage.json')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, '--import', PRELOAD, script, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...withoutOwnSettings(process.env), BENCH_USAGE_FILE: report },
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => {
      if (!expected.includes(code)) reject(new Error(`${script} ${args.join(' ')} ended with ${code}: ${stderr}`))
      else resolve(JSON.parse(readFileSync(report, 'utf8')))
    })
  }).finally(() => rmSync(folder, { recursive: true, force: true }))
}

/** For `interleaved`: jobs that are processes know their own time. */
export async function ownClock(job) {
  return job()
}

const WORKER = fileURLToPath(new URL('worker.js', import.meta.url))

/** `interleaved` for jobs of jobs.js, given as name -> what they work on. Gives the last values, too. */
export async function sideBySide(rounds, jobs) {
  const workers = Object.entries(jobs).map(([name, given]) => [name, fork(WORKER, [name, JSON.stringify(given)])])
  const values = {}
  try {
    await Promise.all(workers.map(([, worker]) => answer(worker)))
    const asked = workers.map(([name, worker]) => [
      name,
      async () => {
        worker.send('again')
        const taken = await answer(worker)
        values[name] = taken.value
        return taken
      },
    ])
    return { seconds: await interleaved(rounds, Object.fromEntries(asked), { clock: ownClock }), values }
  } finally {
    for (const [, worker] of workers) worker.kill()
  }
}

function answer(worker) {
  return new Promise((resolve, reject) => {
    const onMessage = (message) => {
      worker.off('exit', onExit)
      resolve(message)
    }
    const onExit = (code) => {
      worker.off('message', onMessage)
      reject(new Error(`A job ended with ${code}`))
    }
    worker.once('message', onMessage)
    worker.once('exit', onExit)
  })
}

function withoutOwnSettings(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TRACE_ORACLE_')))
}
