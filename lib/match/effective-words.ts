import { actionWords } from '../equivalence/action-words.js'
import type { State } from '../state/state.js'

/** Words of the action that brought an observation up: a screen that came up while waiting came by the action before. */
export function effectiveWords(states: readonly State[], at: number): readonly string[] {
  let acted = at
  while (acted > 0 && states[acted]!.action?.type === 'wait') acted--
  return actionWords(states[acted]!.action)
}
