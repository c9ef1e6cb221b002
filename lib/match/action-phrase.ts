/** The parts of an action that can be said. */
export interface ActionWords {
  readonly type: string
  readonly target?: string | null
  readonly text?: string
  readonly key?: string
  readonly url?: string
  readonly name?: string
}

/** An action in words, for messages and labels: `click on "Search icon"`, `type "acme" into "Search for"`. */
export function actionPhrase(action: ActionWords): string {
  const target = action.target ? quoted(action.target) : ''
  switch (action.type) {
    case 'click':
    case 'doubleClick': {
      const verb = action.type === 'click' ? 'click' : 'double click'
      return target ? `${verb} on ${target}` : verb
    }
    case 'type':
      return `type ${quoted(action.text ?? '')}${target ? ` into ${target}` : ''}`
    case 'key':
      return `press ${action.key ?? 'a key'}${target ? ` (${action.target})` : ''}`
    case 'goto':
      return `go to ${action.url ?? 'another page'}`
    case 'tool':
      return `call ${action.name ?? 'a tool'}`
    default:
      return target ? `${action.type} ${target}` : action.type
  }
}

const LONGEST = 40

function quoted(text: string): string {
  const points = [...text.replace(/\s+/g, ' ').trim()]
  return `"${points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join('')}…` : points.join('')}"`
}
