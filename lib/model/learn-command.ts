import { quote } from '../trace/quote.js'

/** The command that writes a model, for advice: with what is needed to write it at that very place. */
export function learnCommand(modelDir: string, name?: string): string {
  const named = name === undefined ? '' : ` --name ${word(name)}`
  return `trace-oracle learn <traces>${named}${modelDir === 'oracle' ? '' : ` --model-dir ${word(modelDir)}`}`
}

/** As a word of a command line. */
function word(value: string): string {
  return /^[\w./:\\-]+$/.test(value) ? value : quote(value, 200)
}
