import { imageFolderImporter } from './image-folder.js'
import { nativeImporter } from './native.js'
import type { Source } from './source.js'
import type { Trace } from './trace.js'

/** One known format: recognised by content, read into traces. */
export interface Importer {
  readonly name: string
  /** What the format looks like on disk, for "looked for …" in messages. */
  readonly looksLike: string
  /**
   * How far below a named folder a trace of this format is looked for (0: only what was named itself); no limit when
   * absent. For shapes so common that a deep find would be chance: any folder may hold pictures.
   */
  readonly maxDepth?: number
  /** Whether this is the format, cheaply: from the name, the entries and the head. Says yes to damaged files, too. */
  detect(source: Source): Promise<boolean>
  /** All traces in it, in their order: one for most formats, many where a file holds a whole benchmark run. */
  read(source: Source): Promise<readonly Trace[]>
}

/** In the order in which they are asked; the first that says yes reads. The least specific is last. */
export const IMPORTERS: readonly Importer[] = [nativeImporter, imageFolderImporter]

export async function detectImporter(source: Source, importers = IMPORTERS): Promise<Importer | undefined> {
  for (const importer of importers) if (await importer.detect(source)) return importer
  return undefined
}
