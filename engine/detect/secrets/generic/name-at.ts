import { mayTake } from './calls.ts'
import type { NameSense } from './name.ts'

/** Letters of any script: made when one beyond ASCII stands by a name, since their classes take a while to put together. */
let foreignLetter: RegExp | undefined
/** A longer name is none. */
export const MOST_NAME = 80

/** A name in a text, and where it stands. */
export interface Name {
  start: number
  end: number
  text: string
  /** Written as an option: `--password`. */
  flag: boolean
}

const COMPARING = ['.equals', '.equalsIgnoreCase', '.isEqualTo', '.eq']

/** The name that an offset is in, without what an escape, a flag or a call of a comparison adds to it. */
export function readNameAround(text: string, at: number): Name {
  let start = at
  let end = at
  while (start > 0 && at - start < MOST_NAME && isName(text, start - 1)) start--
  while (end < text.length && end - at < MOST_NAME && isName(text, end)) end++
  // Backslash escapes such as \n before a name are not part of it.
  if (text[start - 1] === '\\' && text[start - 2] !== '\\' && /[ntr]/.test(text[start]!) && start < at) start++
  const flag = text[start] === '-' && start < at
  while (start < at && (text[start] === '-' || text[start] === '.' || text[start] === '$')) start++
  while (end > at && (text[end - 1] === '-' || text[end - 1] === '.')) end--
  let name = text.slice(start, end)
  // `password.equals("…")` is a comparison with the name before the dot.
  const method = COMPARING.find(call => name.endsWith(call))
  if (method !== undefined) {
    name = name.slice(0, -method.length)
    end -= method.length
  }
  return { start, end, text: name, flag }
}

function isName(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128)
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 46 ||
      code === 45 ||
      code === 36
    )
  foreignLetter ??= /[\p{L}\p{M}]/u
  return foreignLetter.test(text[at]!)
}

/** The anchor begins with a colon, a dot, an at sign: no name stands there. */
export function isSign(code: number): boolean {
  return code === 0x3a || code === 0x2e || code === 0x40
}

/**
 * Whether the anchor is the `iv` of `private` or `driver`, of which programs are full: it is no word, and the name has no other use for
 * it. What else the name holds has anchors of its own.
 */
export function isInnerIv(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 0x69 || (text.charCodeAt(at + 1) | 0x20) !== 0x76) return false
  const before = at > 0 ? text.charCodeAt(at - 1) : 0
  if (before < 97 || before > 122) return false
  let end = at + 2
  while (end < text.length && end - at < MOST_NAME && isName(text, end)) end++
  return !mayTake(text, end)
}

/** Whether a key is a field of what is named a public key: `PublicKey{ID: "1", Key: "…"}`. */
export function isOfPublic(text: string, { start, text: name }: Name, { kind }: NameSense): boolean {
  if (kind !== 'key' || !/^["']?key$/i.test(name)) return false
  return /\bpub(?:lic)?_?key\w{0,10}\s?[({][^(){}]{0,80}$/i.test(text.slice(Math.max(0, start - 110), start))
}

/** Whether the name is the kind of a field that a style is for: `input[type=password]:focus`. */
export function isSelector(text: string, { start, end }: Name): boolean {
  const next = text[end]
  if (next !== ']' && text[end + 1] !== ']') return false
  return /\[type=["']?$/i.test(text.slice(Math.max(0, start - 7), start))
}
