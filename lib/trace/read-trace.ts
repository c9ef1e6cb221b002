import { InputError } from '../input-error.js'
import { detectImporter, IMPORTERS } from './importer.js'
import { openSource } from './source.js'
import type { Trace } from './trace.js'

/**
 * Reads the one trace at a path, whatever its format (detected by content). A trace that was cut off comes back as far
 * as it goes, with `warnings`; one with no steps comes back with none.
 *
 * Throws InputError: `path-missing`, `path-unreadable`, `unknown-format`, `several-traces`, and those of the format.
 */
export async function readTrace(path: string): Promise<Trace> {
  const traces = await readTraces(path)
  if (traces.length === 1) return traces[0]!
  const advice = 'Read them all, or import them and name one of the folders that makes'
  throw new InputError('several-traces', `holds ${traces.length} traces where one is wanted`, { file: path }, advice)
}

/** Reads all traces at a path: one for most formats, many where a file holds a whole benchmark run. */
export async function readTraces(path: string): Promise<readonly Trace[]> {
  const source = await openSource(path)
  const importer = await detectImporter(source)
  if (!importer) throw unknownFormat(path, source.kind)
  return importer.read(source)
}

/** The error for a file or folder that no importer knows. */
export function unknownFormat(path: string, kind: 'file' | 'folder'): InputError {
  return new InputError('unknown-format', `this ${kind} is no trace in any known format`, { file: path }, lookedFor())
}

/** "Looked for …": the formats, one after the other. */
export function lookedFor(): string {
  return `Looked for ${IMPORTERS.map((importer) => importer.looksLike).join('; or ')}`
}
