import { readdir, realpath } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { glob, isDynamicPattern } from 'tinyglobby'
import { InputError } from '../input-error.js'
import { fileError } from './file-error.js'
import { detectImporter, IMPORTERS } from './importer.js'
import { LABELS_FILE } from './labels.js'
import { comparePaths } from './natural-order.js'
import { lookedFor, unknownFormat } from './read-trace.js'
import { makeSource, missingPath, statIfExists } from './source.js'
import { runPath } from './trace-path.js'

export { nameTraces } from './trace-path.js'

/**
 * The traces that the paths mean, each once, in natural order however the paths were ordered. A path is one trace
 * (folder or file), a folder of runs (searched at any depth, but not inside a trace, a hidden folder, `node_modules`,
 * or through a link), or a glob; what exists under the very name, brackets and all, is not taken as a glob.
 * A native run comes back as its folder, also when its `trace.jsonl` was named.
 *
 * Throws InputError `path-missing`, `path-unreadable`, `unknown-format` (a file that is no trace), `no-traces` (a folder
 * or glob without any) or `no-match` (a glob that matches nothing).
 */
export async function findTraces(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  let onlyLabels: InputError | undefined
  for (const path of paths) {
    try {
      found.push(...(await findAt(path)))
    } catch (error) {
      // A shell that expands `runs/*` names the labels beside the runs as well.
      if (!(error instanceof InputError && error.code === 'unknown-format' && basename(path) === LABELS_FILE))
        throw error
      onlyLabels = error
    }
  }
  if (found.length === 0 && onlyLabels) throw onlyLabels
  return sortTraces(await dropSame(found))
}

async function findAt(path: string): Promise<string[]> {
  const there = await statIfExists(path)
  if (there?.isDirectory()) {
    const found = await search(path, 0)
    if (found.own.length + found.vague.length === 0) throw noTraces(path, found.links)
    return [...found.own, ...found.vague]
  }
  if (there) {
    if (there.isFile() && (await detectImporter(makeSource(path, 'file')))) return [runPath(path)]
    throw unknownFormat(path, 'file')
  }
  if (isDynamicPattern(path)) return findMatches(path)
  throw await missingPath(path)
}

async function findMatches(pattern: string): Promise<string[]> {
  const matches = await expandGlob(pattern)
  if (matches.length === 0) {
    const advice = 'Check the pattern, and that it is relative to the current folder'
    throw new InputError('no-match', 'matches nothing', { file: pattern }, advice)
  }
  const own = new Set<string>()
  const vague = new Set<string>()
  let links = 0
  for (const match of matches) {
    if (!match.endsWith('/')) {
      if (await detectImporter(makeSource(match, 'file'))) own.add(runPath(match))
      continue
    }
    const found = await search(runPath(match), 0)
    for (const path of found.own) own.add(path)
    for (const path of found.vague) vague.add(path)
    links += found.links
  }
  // `runs/**` matches the pictures of a native run, too.
  const outside = [...vague].filter((path) => !ancestors(path).some((folder) => own.has(folder)))
  if (own.size + outside.length === 0) throw noTraces(pattern, links)
  return [...own, ...outside]
}

/** Folders end with a slash. */
async function expandGlob(pattern: string): Promise<string[]> {
  try {
    return await glob(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern, {
      onlyFiles: false,
      expandDirectories: false,
      // `*` follows links as a shell does; `**` would follow them round in circles.
      followSymbolicLinks: !pattern.includes('**'),
    })
  } catch (error) {
    throw fileError(error, pattern)
  }
}

interface Found {
  /** Traces that are unmistakable. */
  readonly own: readonly string[]
  /** Traces of a shape that any folder might have, near enough to what was named. */
  readonly vague: readonly string[]
  /** Links to folders, which were not followed. */
  readonly links: number
}

/** `depth`: how far below the named folder this one is. */
async function search(folder: string, depth: number): Promise<Found> {
  const source = makeSource(folder, 'folder')
  if (await detectImporter(source, UNMISTAKABLE)) return { own: [folder], vague: [], links: 0 }
  const own: string[] = []
  const vague: string[] = []
  let links = 0
  for (const entry of await list(folder)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const below = await search(path, depth + 1)
      own.push(...below.own)
      vague.push(...below.vague)
      links += below.links
    } else if (entry.isFile()) {
      if (await detectImporter(makeSource(path, 'file'), UNMISTAKABLE)) own.push(path)
    } else if (entry.isSymbolicLink() && (await statIfExists(path))?.isDirectory()) links++
  }
  // Pictures beside runs (a chart, a contact sheet) do not make the folder of runs a trace.
  if (own.length > 0) return { own, vague, links }
  const near = IMPORTERS.filter((importer) => importer.maxDepth !== undefined && depth <= importer.maxDepth)
  if (await detectImporter(source, near)) return { own: [], vague: [folder], links }
  return { own, vague, links }
}

const UNMISTAKABLE = IMPORTERS.filter((importer) => importer.maxDepth === undefined)

async function list(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    throw fileError(error, folder)
  }
}

function ancestors(path: string): string[] {
  const parts = path.split(sep)
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join(sep))
}

/** One path for each real place: the first in canonical order. */
async function dropSame(paths: readonly string[]): Promise<string[]> {
  const places = new Map<string, string>()
  for (const path of sortTraces(paths)) {
    const place = await realpath(path).catch((error: unknown) => {
      throw fileError(error, path)
    })
    if (!places.has(place)) places.set(place, path)
  }
  return [...places.values()]
}

/**
 * By the way from the current folder, so that the order is the same wherever the project lies, and whether or not a
 * path was written as absolute; the shorter way of writing it comes first.
 */
function sortTraces(paths: readonly string[]): string[] {
  const keyed = paths.map((path) => ({ path, key: relative('', resolve(path)).replaceAll(sep, '/') }))
  keyed.sort((a, b) => comparePaths(a.key, b.key) || a.path.length - b.path.length || comparePaths(a.path, b.path))
  return keyed.map(({ path }) => path)
}

function noTraces(path: string, links: number): InputError {
  const followed =
    links === 0 ? '' : `. ${links === 1 ? '1 link' : `${links} links`} to a folder, not followed: name it`
  return new InputError('no-traces', 'holds no trace', { file: path }, `${lookedFor()}${followed}`)
}
