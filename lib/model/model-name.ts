/**
 * A name for a model whose user gave none: of the folder that its recordings share where that tells something
 * (`traces/vscode-search/passing` -> `vscode-search`), else from the first words of the task, else `model`.
 * Letters of any script, digits and hyphens, at most 60; a file name on every system.
 */
export function modelName(task: string | null, folderHint: string | null): string {
  const folders = (folderHint ?? '').split(/[\\/]+/).map(slugOf)
  let end = folders.length
  while (end > 0 && PASSED_OVER.test(folders[end - 1]!)) end--
  // Above a folder for recordings of all kinds come projects and home folders: only if the task has nothing to say.
  const inside = folders.slice(end).some((folder) => COLLECTION.test(folder)) ? undefined : folders[end - 1]
  const words = slugOf(task ?? '').split('-')
  const taskSlug = shorten(words.slice(0, TASK_WORDS).join('-'), TASK_LENGTH)
  const name = shorten(inside || taskSlug || folders[end - 1] || 'model', MAX_LENGTH)
  return RESERVED.test(name) ? `${name}-model` : name
}

const MAX_LENGTH = 60
const TASK_WORDS = 6
const TASK_LENGTH = 40

/** Says what kind of recordings are in it, or which one it is, but not what of. */
const PASSED_OVER =
  /^(?:|(?:(?:trace|run|recording|record|session|trajector(?:y|ie)|corpus|corpora|data|dataset|example|sample|screenshot|image|train(?:ing)?|test(?:ing)?|dev|eval|valid(?:ation)?|pass(?:ed|ing)?|good|success(?:ful|e)?|ok|positive|correct|golden|baseline|reference|all|new|tmp|temp|home|users?|var|mnt|private)s?-?)*(?:[a-z]-)?[0-9-]*)$/
const COLLECTION = /^(?:traces|recordings|trajectories|corpora|corpus|data|datasets)$/
/** Names that Windows keeps for devices. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/

/** Accents are taken off Latin letters; everything that is neither letter nor digit becomes a hyphen. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** Cut between words where one ends in the second half, and never within a character. */
function shorten(slug: string, length: number): string {
  if (slug.length <= length) return slug
  const head = slug.slice(0, length + 1)
  const end = head.lastIndexOf('-')
  if (end > length / 2) return head.slice(0, end)
  return head.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
