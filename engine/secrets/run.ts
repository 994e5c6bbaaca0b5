import type { SecretRule } from '../rules/rule.ts'
import { CHECKSUMS } from './checksums.ts'
import type { Detector } from './detector.ts'
import { entropy, isStandIn } from './placeholder.ts'
import { writtenOut } from './shorthand.ts'

/** A secret in a text: its value's place, and how sure the detector is. */
export interface SecretMatch {
  start: number
  end: number
  confidence: number
  /** The value where it is not what stands at the place: put together from parts, decoded. It never leaves the file's scan. */
  value?: string
  /** What a person sees with --verbose: why it is held to be a secret. */
  note?: string
}

/** Compiled formats, by rule id; a rule's format never changes while the program runs. */
const formats = new Map<string, Compiled>()

interface Compiled {
  source: string
  format: RegExp
  near: RegExp | undefined
}

/** A match holds its telling text within so many characters of its beginning. */
const BEFORE = 1000

/** Every match of a format in the text. The caller guards against expressions that take long. */
export function runFormat({ id, detector }: Pick<SecretRule, 'id' | 'detector'>, text: string): SecretMatch[] {
  const { format, near } = compiled(id, detector)
  const out: SecretMatch[] = []
  if (!near) {
    search(format, detector, text, 0, text.length, out)
    return out
  }
  // Where a text is known that is in every match, the match begins before that ends; else the whole text is searched.
  const reach = detector.near?.within ?? BEFORE
  let from = 0
  for (const found of text.matchAll(near)) {
    const start = Math.max(from, found.index - reach)
    const end = Math.min(text.length, found.index + found[0].length + (detector.near ? reach : 0))
    if (end <= from) continue
    search(format, detector, text, start, end, out)
    from = Math.max(from, out.at(-1)?.end ?? 0)
  }
  return out
}

/** As far as formats look behind them. */
const BEHIND = 200
/** And ahead of what they match. */
const AHEAD = 200

/** Looks for matches that begin from `start` on and before `end`; of the text no more is searched than they can reach. */
function search(
  format: RegExp,
  detector: Detector,
  text: string,
  start: number,
  end: number,
  out: SecretMatch[],
): void {
  const from = Math.max(0, start - BEHIND)
  const view = text.slice(from, end + (detector.longest ?? text.length) + AHEAD)
  format.lastIndex = start - from
  for (let found = format.exec(view); found !== null && found.index + from < end; found = format.exec(view)) {
    const span = found.indices!.groups!.secret
    if (format.lastIndex === found.index) format.lastIndex++
    if (!span || span[1] === span[0]) continue
    const confidence = confidenceOf(detector, view.slice(span[0], span[1]))
    if (confidence > 0) out.push({ start: span[0] + from, end: span[1] + from, confidence })
  }
}

/** Confidence of a value that has the form of a secret with a checksum, and not the checksum. */
const WRONG_CHECKSUM = 0.7

/** How sure it is that a value of the detector's form is a secret; 0 where it is none. */
export function confidenceOf(detector: Detector, value: string): number {
  const { checksum, require_checksum, min_entropy, near, confidence } = detector
  // What these hold is not random throughout: a header in base64, lines of it.
  if (checksum !== 'pem' && checksum !== 'jwt' && isStandIn(value)) return 0
  if (min_entropy !== undefined && entropy(value) < min_entropy) return 0
  if (checksum !== undefined) {
    if (CHECKSUMS[checksum](value)) return confidence ?? 1
    return require_checksum ? 0 : WRONG_CHECKSUM
  }
  return confidence ?? (near ? 0.85 : 0.95)
}

/**
 * Whether the texts that lead to a format stand in it as they are and in no other case, so that they are sought so: `cs_` is a
 * prefix of keys, and `CS_` one of half the names in a driver.
 */
function isAsWritten({ format, ignore_case, near, within }: Detector): boolean {
  if (ignore_case || near || !within) return false
  const folded = format!.toLowerCase()
  return within.every(text => format!.split(text).length === folded.split(text).length && format!.includes(text))
}

const AWAY = /^\(\?<!(\[(?:[^\]\\]|\\.)*\])\)/

/**
 * The format with what keeps it off longer words at its beginning made to pass over an escape, whose last letter is none of a word:
 * `\nghp_…` in a string, `%3Dghp_…` in an address. A choice of two looks behind would cost fifteen times as much, since such an
 * expression is no longer sought by its first letters.
 */
function behindEscapes(format: string): string {
  return format.replace(AWAY, (_, word: string) => String.raw`(?<!${word}(?<!(?<!\\)\\[nrt]|%[0-9A-Fa-f]{2}))`)
}

function compiled(id: string, detector: Detector): Compiled {
  const known = formats.get(id)
  if (known && known.source === detector.format) return known
  const words = (detector.near?.words ?? detector.within)
    ?.map(word => word.replace(/[^A-Za-z0-9_ ]/g, '\\$&'))
    .join('|')
  const entry: Compiled = {
    source: detector.format!,
    format: new RegExp(behindEscapes(writtenOut(detector.format!)), detector.ignore_case ? 'dgmui' : 'dgmu'),
    near: words === undefined ? undefined : new RegExp(words, isAsWritten(detector) ? 'g' : 'gi'),
  }
  formats.set(id, entry)
  return entry
}
