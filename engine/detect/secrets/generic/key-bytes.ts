import { isNoValue } from './shape.ts'
import type { Found } from './special.ts'
import { readQuoted } from './value.ts'

const BEFORE = /(?:^|[\s;{(])([A-Za-z_]\w{0,40})\s{0,4}=\s{0,20}(?:"([^"\\\n]{6,120})"|[\w.]{0,80})$/
/** How far on what is made of the bytes is looked for. */
const REACH = 1500

/**
 * A phrase whose bytes become a key: `byte[] k = "…".getBytes();` before `new SecretKeySpec(k, …)`. The bytes of any other text, and of one that is
 * only put in, are none.
 */
export function readKeyBytes(text: string, at: number): Found | undefined {
  const before = BEFORE.exec(text.slice(Math.max(0, at - 220), at))
  if (!before) return undefined
  const [, variable, quoted] = before
  const value =
    quoted === undefined
      ? readQuoted(text, at + '.getbytes('.length)
      : { start: at - 1 - quoted.length, end: at - 1, text: quoted, quote: '"' }
  if (!value || isNoValue(value.text, value.quote)) return undefined
  const uses = new RegExp(
    `(?:SymmetricSecurityKey|HMACSHA\\d{1,3}|HMACMD5|SecretKeySpec|KeyParameter|DESKeySpec|DESedeKeySpec|hmacShaKeyFor)\\s?\\(\\s?${variable}\\b`,
  )
  if (!uses.test(text.slice(value.end, value.end + REACH))) return undefined
  return {
    kind: 'secret',
    name: variable!,
    sense: { kind: 'secret', last: true, strength: 1, other: false },
    link: 'login',
    quote: value.quote,
    wrapped: false,
    start: value.start,
    end: value.end,
    text: value.text,
  }
}
