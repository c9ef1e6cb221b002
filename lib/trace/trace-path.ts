import { basename, dirname, join, normalize, resolve } from 'node:path'

/** Name of the file that makes a folder a native run. */
export const TRACE_FILE = 'trace.jsonl'

/** The run that a path stands for: `run-01/trace.jsonl` is the same run as `run-01`. */
export function runPath(path: string): string {
  const clean = normalize(path)
  return basename(clean) === TRACE_FILE ? dirname(clean) : clean.replace(/(?<=[^\\/])[\\/]+$/, '')
}

/** Name of a run: the last part of its path, without `.jsonl` where the file has a name of its own. */
export function runName(path: string): string {
  return displayParts(path).at(-1)!
}

/**
 * One name per path, all different: the last part of the path, with as many parents as it takes to tell it from the
 * others (`train/run-01`, `test/run-01`). A path given twice is numbered.
 */
export function nameTraces(paths: readonly string[]): string[] {
  const parts = paths.map(displayParts)
  const depths = parts.map(() => 1)
  const nameAt = (i: number) => parts[i]!.slice(-depths[i]!).join('/')
  for (let again = true; again; ) {
    again = false
    for (const group of groupBy(parts.keys(), nameAt).values()) {
      if (group.length === 1) continue
      for (const i of group) {
        if (depths[i]! >= parts[i]!.length) continue
        depths[i]!++
        again = true
      }
    }
  }
  const names = parts.map((_, i) => nameAt(i))
  const taken = new Set(names)
  const seen = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let n = 2; seen.has(unique) || (unique !== name && taken.has(unique)); n++) unique = `${name} (${n})`
    seen.add(unique)
    return unique
  })
}

function displayParts(path: string): string[] {
  const parts = resolve(runPath(path))
    .split(SEPARATOR)
    .filter((part) => part !== '')
  if (parts.length === 0) return ['/']
  parts.push(parts.pop()!.replace(/(?<=.)\.jsonl$/i, ''))
  return parts
}

function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

const SEPARATOR = join('a', 'b') === 'a\\b' ? /[\\/]/ : '/'
