import type { Declared } from './file-types.ts'
import type { SimpleTypes } from './simple-types.ts'

/**
 * What a value can be: `simple` cannot hold a quote or any other sign that means something to what reads it; `text` can; of `unknown`
 * nothing is known.
 */
export type Verdict = 'simple' | 'text' | 'unknown'

/** The worst of several: text before what is not known. */
export function worst(verdicts: Iterable<Verdict>): Verdict {
  let out: Verdict = 'simple'
  for (const verdict of verdicts) {
    if (verdict === 'text') return 'text'
    if (verdict === 'unknown') out = 'unknown'
  }
  return out
}

const NOISE =
  /\b(?:final|readonly|const|mut|out|ref|in|var|val|let|dyn|static|public|private|protected)\s+|@\w+(?:\([^)]*\))?\s*|'[a-z_]\w*\s(?!\|)/g

/** Many of these are a text. */
const BYTES = /^(?:s?byte|Byte|uint8|UInt8|u8|char|Char|Character|rune)$/

/** What a declared type says of its values. `declared` are the types of the file. */
export function judgeType(written: string, language: SimpleTypes, declared: Declared, depth = 0): Verdict {
  if (depth > 6) return 'unknown'
  const type = unwrap(written.replace(NOISE, '').trim())
  if (type === '') return 'unknown'
  const again = (part: string) => judgeType(part, language, declared, depth + 1)
  const either = splitAtTop(type, '|')
  if (either.length > 1) return worst(either.map(again))
  // A type that is one fixed text.
  if (/^(?:'[^']*'|"[^"]*"|`[^`$]*`|-?\d[\w.]*)$/.test(type)) return type.length === 2 ? 'unknown' : 'simple'
  const list =
    /^(?:\[\d*\]|\.\.\.)(.+)$/.exec(type) ??
    /^(.+?)(?:\[[\d, ]*\]|\.\.\.)$/.exec(type) ??
    /^\[(?!\])([^:;,]+?)(?:;.*)?\]$/.exec(type)
  if (list) return BYTES.test(list[1]!.trim()) ? 'text' : again(list[1]!)
  const generic = /^([\w.\\:]+)\s*(?:<(.*)>|\[(.*)\])$/s.exec(type)
  const name = (generic?.[1] ?? type).split(/[.\\]|::/).at(-1)!
  const listed = generic?.[2] ?? generic?.[3]
  if (listed !== undefined && language.containers.includes(name)) {
    const parts = splitAtTop(listed, ',').map(part => part.trim())
    // Of an annotated type only the first part is one.
    const own = name === 'Annotated' ? parts.slice(0, 1) : parts.filter(part => part !== '...')
    return own.length === 0 ? 'unknown' : own.some(part => BYTES.test(part)) ? 'text' : worst(own.map(again))
  }
  if (!/^[\w.\\:]+$/.test(generic?.[1] ?? type)) return 'unknown'
  if (language.types.includes(name)) return 'simple'
  if (language.texts.includes(name)) return 'text'
  if (declared.enumerations.has(name)) return 'simple'
  const alias = declared.aliases.get(name)
  return alias === undefined || alias === type ? 'unknown' : again(alias)
}

/** The type without what says only that it may be missing, or where it lies. */
function unwrap(type: string): string {
  let out = type
  for (;;) {
    const next = out
      .replace(/^[:?&*\s]+|[?!\s]+$/g, '')
      .replace(/^(["'])((?!\1)[\w.[\]|, ]+)\1$/, (whole, sign, inner) =>
        sign === '"' && /^[A-Za-z_]/.test(inner) ? inner : whole,
      )
      .replace(/^\(([^(),]+)\)$/, '$1')
    if (next === out) return out
    out = next
  }
}

/** The parts of a list of types, which may have type arguments of their own. */
function splitAtTop(text: string, sign: string): string[] {
  const out: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const each = text[at]!
    if ('<[({'.includes(each)) depth++
    else if ('>])}'.includes(each)) depth--
    else if (each === sign && depth === 0) {
      out.push(text.slice(from, at))
      from = at + 1
    }
  }
  out.push(text.slice(from))
  return out
}
