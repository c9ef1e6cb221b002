import type { LearnedState, Model } from './model.js'

/** The essential states, each once: other places of the same state are left out. */
export function essentialStates({ states }: Pick<Model, 'states'>): readonly LearnedState[] {
  return states.filter(({ kind, sameAs }) => kind === 'essential' && sameAs === undefined)
}
