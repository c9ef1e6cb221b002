import { extname, join } from 'node:path'
import { InputError } from '../input-error.js'
import type { Importer } from './importer.js'
import { ScreenshotFiles } from './screenshot-file.js'
import type { Source } from './source.js'
import type { Step, Trace } from './trace.js'
import { runName } from './trace-path.js'

/** A bare folder of pictures, in natural order: a trace without actions. */
export const imageFolderImporter: Importer = {
  name: 'images',
  looksLike: 'a folder of pictures (png, jpg, webp, gif, tiff, avif), named itself or directly inside a named folder',
  maxDepth: 1,

  async detect(source) {
    return source.kind === 'folder' && (await source.entries()).some(isPicture)
  },

  async read(source) {
    return [await readImages(source)]
  },
}

async function readImages(source: Source): Promise<Trace> {
  const entries = await source.entries()
  const files = new ScreenshotFiles(source.path)
  const steps: Step[] = []
  for (const entry of entries.filter(isPicture)) {
    // On some systems a name may hold a backslash, which in a trace is a slash.
    if (entry.includes('\\')) throw backslash(join(source.path, entry))
    const screenshot = await files.check(entry, { file: join(source.path, entry) })
    steps.push({ index: steps.length, action: null, observation: { screenshot }, extra: {} })
  }
  return {
    name: runName(source.path),
    folder: source.path,
    format: 'images',
    steps,
    outcome: null,
    warnings: otherPictures(entries),
    extra: {},
  }
}

const READABLE = new Set(['.png', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff', '.avif'])
const UNREADABLE = new Set(['.bmp', '.heic', '.heif', '.jxl', '.jp2', '.ppm', '.pnm', '.svg', '.tga', '.xwd'])

/** Hidden files are no pictures: macOS puts a `._1.png` beside each `1.png` on foreign disks. */
function isPicture(entry: string): boolean {
  return !entry.startsWith('.') && READABLE.has(extname(entry).toLowerCase())
}

function otherPictures(entries: readonly string[]): string[] {
  const kinds = entries.map((entry) => extname(entry).toLowerCase()).filter((kind) => UNREADABLE.has(kind))
  if (kinds.length === 0) return []
  const pictures = kinds.length === 1 ? '1 picture' : `${kinds.length} pictures`
  return [`passed over ${pictures} of a kind that is not read (${[...new Set(kinds)].join(', ')}): convert to png`]
}

function backslash(file: string): InputError {
  return new InputError('screenshot-outside', 'a picture has a backslash in its name', { file }, 'Rename it')
}
