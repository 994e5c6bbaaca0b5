import { looksMade } from './shape.ts'
import type { Value } from './value.ts'

const BEFORE =
  /(?:md5|sha\d{0,3}|hash\w{0,10}|digest|hexdigest|update|[gG]etBytes|encode)(?:\(["']?\w{0,10}["']?,\s?|[( \t]){1,3}[bu]?(["'])([^"'\\\s]{5,60})\1[ \t]{0,4}[+.][ \t]{0,4}[\w$.>-]{0,40}$/i

/** The text that a program puts before a password when it makes a digest of both: `sha256("…" + password)`. */
export function readPepper(text: string, nameStart: number): Value | undefined {
  let at = nameStart - 1
  while (at > nameStart - 40 && /[\w$.>-]/.test(text[at] ?? '!') && text[at] !== '.') at--
  while (text[at] === ' ') at--
  if (text[at] !== '+' && text[at] !== '.') return undefined
  const from = Math.max(0, nameStart - 160)
  const before = text.slice(from, nameStart)
  const found = BEFORE.exec(before.slice(before.lastIndexOf('\n') + 1))
  if (!found || !looksMade(found[2]!, false)) return undefined
  const start = text.lastIndexOf(`${found[1]}${found[2]}`, nameStart) + 1
  const end = start + found[2]!.length
  return { start, end, text: found[2]!, quote: found[1]!, wrapped: false, after: nameStart }
}
