import type { Io } from './io.js'

/** Thrown where work stops because the user asked for it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that the first Ctrl-C asks to stop, through `signal`; from then on the signals do again what they do by
 * default, so a second Ctrl-C kills.
 */
export async function withInterrupts<T>(
  io: Io,
  onInterrupt: () => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => {
    release()
    controller.abort(new Interrupted('interrupted'))
    onInterrupt()
  }
  const release = () => {
    for (const name of SIGNALS) io.off(name, interrupt)
  }
  for (const name of SIGNALS) io.on(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    release()
  }
}
