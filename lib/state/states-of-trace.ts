import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { canonicalJson } from '../canonical-json.js'
import type { Step, Trace } from '../trace/trace.js'
import type { Fingerprint } from './fingerprint.js'
import type { Fingerprinter } from './fingerprinter.js'
import type { State } from './state.js'
import { tokensOf } from './tokens.js'

/**
 * The states of a trace, in order of its steps; pictures are read through the fingerprinter, several at a time.
 * Throws InputError with file, line and step for a picture that cannot be used.
 */
export async function statesOfTrace(
  trace: Trace,
  fingerprinter: Fingerprinter,
  onStep: () => void = () => {},
): Promise<State[]> {
  const states = new Array<State>(trace.steps.length)
  const byContent = new Map<string, Pick<State, 'content' | 'tokens' | 'fingerprint'>>()
  let next = 0
  let failed = false
  const worker = async () => {
    while (next < trace.steps.length && !failed) {
      const index = next++
      try {
        const step = trace.steps[index]!
        const fingerprint = await picture(trace, step, fingerprinter)
        const content = contentOf(step, fingerprint)
        let seen = byContent.get(content)
        if (seen === undefined) {
          seen = { content, tokens: tokensOf(step.observation, fingerprint), fingerprint }
          byContent.set(content, seen)
        }
        const { title, url } = step.observation
        states[index] = { step: step.index, at: step.at, action: step.action, ...seen, title, url }
        onStep()
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return states
}

async function picture(trace: Trace, step: Step, fingerprinter: Fingerprinter): Promise<Fingerprint | undefined> {
  const { screenshot } = step.observation
  if (screenshot === undefined) return undefined
  const place =
    trace.format === 'native'
      ? { file: join(trace.folder, 'trace.jsonl'), line: step.line, step: step.index }
      : { file: join(trace.folder, screenshot) }
  return fingerprinter.fingerprint(join(trace.folder, screenshot), trace.viewport, place)
}

function contentOf({ observation }: Step, fingerprint: Fingerprint | undefined): string {
  const { text, result, title, url } = observation
  const parts = { picture: fingerprint?.sha256, text, result, title, url }
  return createHash('sha256').update(canonicalJson(parts)).digest('hex').slice(0, 32)
}
