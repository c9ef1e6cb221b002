import { NO_COLORS } from '../report/colors.js'
import { jsonText } from '../report/json-text.js'
import { listReporter } from '../report/list-reporter.js'
import type { Reporter } from '../report/reporter.js'
import type { Context } from './command.js'
import { writeOutputFile } from './output-file.js'
import { didYouMean, usageError } from './usage-error.js'

const NAMES = ['list', 'json'] as const

/**
 * The reporters that `--reporter list,json=out.json` names. Standard output belongs to one of them: to json before list,
 * which then goes to stderr, so that a program that reads stdout is never handed sentences.
 */
export function makeReporters(specs: readonly string[], json: boolean, context: Context): Reporter[] {
  const wanted = specs.map(parseSpec)
  if (json && !wanted.some(({ name, file }) => name === 'json' && file === undefined)) wanted.push({ name: 'json' })
  const places = new Set<string>()
  for (const { name, file } of wanted) {
    const place = file ?? `${name} on stdout`
    if (places.has(place))
      throw usageError(`Two reporters write to ${place}`, 'Give each a place of its own: json=results.json')
    places.add(place)
  }
  const stdoutIsJson = wanted.some(({ name, file }) => name === 'json' && file === undefined)
  return wanted.map(({ name, file }) => {
    if (name === 'json')
      return jsonReporter((text) => (file === undefined ? context.out(text) : writeOutputFile(file, text)))
    if (file !== undefined) return listFileReporter(file)
    const { colors, errColors, columns, errColumns } = context
    return stdoutIsJson
      ? listReporter(context.err, { colors: errColors, columns: errColumns })
      : listReporter(context.out, { colors, columns })
  })
}

function jsonReporter(write: (text: string) => void | Promise<void>): Reporter {
  return { name: 'json', end: (report) => write(`${jsonText(report)}\n`) }
}

function listFileReporter(file: string): Reporter {
  const texts: string[] = []
  const list = listReporter((text) => texts.push(text), { colors: NO_COLORS })
  return {
    name: 'list',
    runEnd: (result) => list.runEnd?.(result),
    async end(report) {
      await list.end?.(report)
      await writeOutputFile(file, texts.join(''))
    },
  }
}

function parseSpec(spec: string): { name: (typeof NAMES)[number]; file?: string } {
  const [name, ...rest] = spec.split('=')
  const known = NAMES.find((candidate) => candidate === name)
  if (!known)
    throw usageError(`Unknown reporter: ${name}`, didYouMean(name!, NAMES, `Reporters are ${NAMES.join(', ')}`))
  if (rest.length === 0) return { name: known }
  const file = rest.join('=')
  if (file === '')
    throw usageError(
      `--reporter ${spec} names no file`,
      `Write --reporter ${known}=results.${known === 'json' ? 'json' : 'txt'}`,
    )
  return { name: known, file }
}
