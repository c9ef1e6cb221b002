import type { Action } from '../trace/trace.js'

/** Words of no action: where a run began. */
export const START: readonly string[] = ['(start)']

/**
 * What an action says of where it led: its kind and the words of target, text, key, url and tool name. Coordinates are
 * left out (windows move), and so is what a wait says (it only says how long).
 */
export function actionWords(action: Action | null): readonly string[] {
  if (action === null) return START
  if (action.type === 'wait') return ['wait']
  const said = [action.target, action.text, action.key, action.url, action.name].filter((s) => typeof s === 'string')
  return [action.type, ...words(said.join(' '))]
}

/** Lower-case words: runs of letters, digits and the marks that hold shortcuts, versions and file names together. */
export function words(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}+./]+/gu) ?? []
  )
}

/** Dice coefficient over two bags of words (Dice 1945), 0 to 1; two empty bags are alike. */
export function wordSimilarity(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1
  const left = new Map<string, number>()
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of b) {
    const count = left.get(word) ?? 0
    if (count > 0) {
      shared++
      left.set(word, count - 1)
    }
  }
  return (2 * shared) / (a.length + b.length)
}

/** Whether two actions (their words) are of one kind and about the same thing; kinds alone are few, and say little. */
export function sameAction(a: readonly string[], b: readonly string[], share: number): boolean {
  if (a.length <= 1 || b.length <= 1) return wordSimilarity(a, b) === 1
  return wordSimilarity(a.slice(1), b.slice(1)) >= share
}
