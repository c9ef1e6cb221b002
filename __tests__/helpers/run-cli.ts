import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../bin/trace-oracle.js', import.meta.url))

export interface CliResult {
  /** null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly cwd: string
  /** Besides what every process needs; nothing else comes from the outside. */
  readonly env?: { readonly [name: string]: string }
  /** Nobody reads what it prints: every write to stdout fails. */
  readonly closeStdout?: boolean
  /** Called once the process runs. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void
}

/** Runs the command line as a user does, in a process of its own. Needs the built package (`npm run build`). */
export function runCli(
  args: readonly string[],
  { cwd, env = {}, closeStdout = false, onStart }: CliOptions,
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, XDG_CACHE_HOME: `${cwd}/.cache`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    const kill = (signal: NodeJS.Signals) => void child.kill(signal)
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    if (closeStdout) child.stdout.destroy()
    child.on('spawn', () => onStart?.(kill))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}
