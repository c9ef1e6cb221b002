import { canonicalJson } from '../canonical-json.js'
import type { Observation } from '../trace/trace.js'
import type { Fingerprint } from './fingerprint.js'

/**
 * Tokens are the things in an observation that can be recognised again wherever they stand. They are written as one letter for
 * their kind and what they are of:
 *
 *     s… l…   a component of a picture: its shape, and its look (shape and colours), so that the same word in another colour
 *             is half the same
 *     c…      a colour that covers much of a picture
 *     w…      a word of the text
 *     r…      a value of a tool's result, with its path (list positions left out)
 *     t… u…   a word of the title, a part of the url
 */
export function isLook(token: string): boolean {
  return token.startsWith('l')
}

/** Whether a token is read rather than seen. */
export function isWord(token: string): boolean {
  return token.startsWith('w') || token.startsWith('r') || token.startsWith('t') || token.startsWith('u')
}

/** What a token counts for before it is known how much it tells: the two of a component make 1 together. */
export function tokenUnit(token: string): number {
  return token.startsWith('l') || token.startsWith('s') ? 0.5 : 1
}

/** Carets, rules, scroll bars and the sides of boxes come and go; no letter but a bare l or I is as narrow, no word as low. Pixels. */
const NARROWEST = 4
/** On a screen with fewer components than this the sides of boxes are all there is to see. */
const FEW = 8

/** All tokens of an observation with their counts, in order of first sight. */
export function tokensOf(observation: Observation, fingerprint: Fingerprint | undefined): Map<string, number> {
  const tokens = new Map<string, number>()
  const add = (token: string) => tokens.set(token, (tokens.get(token) ?? 0) + 1)
  const components = fingerprint?.components ?? []
  const full = components.filter(({ width, height }) => width >= NARROWEST && height >= NARROWEST)
  for (const { shape, look } of full.length < FEW ? components : full) {
    add(`s${shape.toString(36)}`)
    add(`l${shape.toString(36)}.${look.toString(36)}`)
  }
  for (const colour of fingerprint?.colours ?? []) add(`c${colour.toString(36)}`)
  const { text, result, title, url } = observation
  if (typeof text === 'string') for (const word of text.normalize('NFC').split(/\s+/u)) word !== '' && add(`w${word}`)
  else if (text !== undefined) for (const leaf of leaves(text)) add(`w${leaf}`)
  if (result !== undefined) for (const leaf of leaves(result)) add(`r${leaf}`)
  if (title !== undefined) for (const word of words(title)) add(`t${word}`)
  if (url !== undefined) for (const part of words(url)) add(`u${part}`)
  return tokens
}

function words(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}.+*_-]+/gu) ?? []
  )
}

/** Every scalar of a JSON value with its path, `users[].name="Ann"`; an empty list or object counts as a value. */
export function leaves(value: unknown): string[] {
  const found: string[] = []
  const open: { path: string; value: unknown }[] = [{ path: '', value }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { path, value: inner } = at
    if (Array.isArray(inner) && inner.length > 0) {
      for (let i = inner.length - 1; i >= 0; i--) open.push({ path: `${path}[]`, value: inner[i] })
    } else if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.keys(inner).length > 0) {
      const keys = Object.keys(inner).sort()
      for (let i = keys.length - 1; i >= 0; i--) {
        open.push({
          path: path === '' ? keys[i]! : `${path}.${keys[i]}`,
          value: (inner as Record<string, unknown>)[keys[i]!],
        })
      }
    } else found.push(path === '' ? canonicalJson(inner) : `${path}=${canonicalJson(inner)}`)
  }
  return found
}
