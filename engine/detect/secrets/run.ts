import type { SecretRule } from '../../base/records/rule.ts'
import type { Detector } from '../../base/records/secret-detector.ts'
import { findArmor } from './armor.ts'
import { CHECKSUMS } from './checksums.ts'
import { isStandIn, measureEntropy } from './placeholder.ts'
import { writeOut } from './shorthand.ts'
import { findTokenRuns, isEnough, type TokenRuns } from './token-runs.ts'

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
  /** Sticky where it begins with one of the texts that `near` looks for. */
  format: RegExp
  near: Words | undefined
}

/** The texts that tell a format, or are in each of its matches. */
interface Words {
  form: RegExp
  longest: number
}

/** A match holds its telling text within so many characters of its beginning. */
const BEFORE = 1000

/** Where a match may begin: from `start` on and before `end`. */
interface Span {
  start: number
  end: number
}

/**
 * Every match of a format in the text, whose runs of letters and digits are given: where a match holds a long one, only what lies around
 * such runs is searched. The caller guards against expressions that take long.
 */
export function runFormat(
  { id, detector }: Pick<SecretRule, 'id' | 'detector'>,
  text: string,
  runs: TokenRuns = findTokenRuns(Buffer.from(text, 'latin1')),
): SecretMatch[] {
  if (detector.armor) {
    const { armor, ...cutOff } = detector
    return withArmor(detector, text, runFormat({ id, detector: cutOff }, text, runs))
  }
  const out: SecretMatch[] = []
  const spans = beginnings(detector, text.length, runs)
  if (spans.length === 0) return out
  const { format, near } = compiled(id, detector)
  let from = 0
  for (const span of spans) {
    if (span.end <= from) continue
    from = Math.max(from, span.start)
    if (!near) from = search(format, detector, text, { start: from, end: span.end }, out)
    else if (detector.begins) from = searchAtHits(format, near, detector, text, { start: from, end: span.end }, out)
    else from = searchNear(format, near, detector, text, { start: from, end: span.end }, out)
  }
  return out
}

/**
 * The whole keys of the text beside what the format found. A key that the format finds too keeps the value that it had there, which is its
 * identity in baselines; what was found of a key that is whole spans it.
 */
function withArmor(detector: Detector, text: string, found: readonly SecretMatch[]): SecretMatch[] {
  const byStart = new Map(found.map(match => [match.start, match]))
  for (const { start, end, body } of findArmor(detector.armor!, text)) {
    const known = byStart.get(start)
    const confidence = known?.confidence ?? weighConfidence(detector, body)
    if (confidence > 0) byStart.set(start, { start, end, confidence, value: known?.value ?? body })
  }
  return [...byStart.values()].sort((a, b) => a.start - b.start)
}

/** Where a match may begin, ascending and apart: all over the text, or so that it holds a run that is long enough. */
function beginnings({ least_run, longest }: Detector, length: number, runs: TokenRuns): Span[] {
  if (least_run === undefined || longest === undefined) return [{ start: 0, end: length }]
  const spans: Span[] = []
  for (let index = 0; index < runs.starts.length; index++) {
    if (!isEnough(runs, index, least_run)) continue
    const start = Math.max(0, runs.starts[index]! + least_run.length - longest)
    const end = runs.ends[index]! - least_run.length + 1
    const last = spans.at(-1)
    if (last && start <= last.end) last.end = end
    else spans.push({ start, end })
  }
  return spans
}

/** As far as formats look behind them. */
const BEHIND = 200
/** And ahead of what they match. */
const AHEAD = 200

/** Looks where the texts stand that a match begins with; answers where to go on, as `search` does. */
function searchAtHits(
  format: RegExp,
  { form, longest }: Words,
  detector: Detector,
  text: string,
  { start, end }: Span,
  out: SecretMatch[],
): number {
  // A text may begin within the span and end behind it.
  const view = text.slice(start, end + longest)
  let from = start
  form.lastIndex = 0
  for (let hit = form.exec(view); hit !== null; hit = form.exec(view)) {
    const at = start + hit.index
    if (at >= end) break
    form.lastIndex = hit.index + 1
    if (at < from) continue
    format.lastIndex = at
    const found = format.exec(text)
    if (found) from = take(found, detector, text, 0, out) ?? format.lastIndex
  }
  return from
}

/** Looks around the texts that tell the format, or are in each of its matches. */
function searchNear(
  format: RegExp,
  { form, longest }: Words,
  detector: Detector,
  text: string,
  { start, end }: Span,
  out: SecretMatch[],
): number {
  // Where a text is known that is in every match, the match begins before that ends.
  const reach = detector.near?.within ?? BEFORE
  const first = detector.near ? Math.max(0, start - reach - longest) : start
  const last = detector.near ? end + reach : end + detector.longest!
  const view = text.slice(first, last + longest)
  let from = start
  form.lastIndex = 0
  for (let hit = form.exec(view); hit !== null; hit = form.exec(view)) {
    const at = first + hit.index
    const span = {
      start: Math.max(from, at - reach),
      end: Math.min(end, at + hit[0].length + (detector.near ? reach : 0)),
    }
    if (span.end <= span.start) continue
    const before = out.length
    search(format, detector, text, span, out)
    if (out.length > before) from = Math.max(from, out.at(-1)!.end)
  }
  return from
}

/** Looks for matches that begin in the span, of the text no further than they can reach; answers where the last one is over, else the span's start. */
function search(format: RegExp, detector: Detector, text: string, { start, end }: Span, out: SecretMatch[]): number {
  const from = Math.max(0, start - BEHIND)
  const view = text.slice(from, end + (detector.longest ?? text.length) + AHEAD)
  let past = start
  format.lastIndex = start - from
  for (let found = format.exec(view); found !== null && found.index + from < end; found = format.exec(view)) {
    if (format.lastIndex === found.index) format.lastIndex++
    take(found, detector, view, from, out)
    past = format.lastIndex + from
  }
  return past
}

/** Takes a match of which the text begins at `from`; answers the end of its value, undefined where it is none. */
function take(
  found: RegExpExecArray,
  detector: Detector,
  text: string,
  from: number,
  out: SecretMatch[],
): number | undefined {
  const { secret: span, head } = found.indices!.groups!
  if (!span || span[1] === span[0]) return undefined
  const value = text.slice(span[0], span[1])
  const confidence = weighConfidence(detector, value)
  if (confidence <= 0) return undefined
  const end = span[1] + from
  out.push(head ? { start: head[0] + from, end, confidence, value } : { start: span[0] + from, end, confidence })
  return end
}

/** Confidence of a value that has the form of a secret with a checksum, and not the checksum. */
const WRONG_CHECKSUM = 0.7

/** How sure it is that a value of the detector's form is a secret; 0 where it is none. */
export function weighConfidence(detector: Detector, value: string): number {
  const { checksum, require_checksum, min_entropy, near, confidence } = detector
  // What these hold is not random throughout: a header in base64, lines of it, words.
  if (checksum !== 'pem' && checksum !== 'jwt' && checksum !== 'mnemonic' && isStandIn(value)) return 0
  if (min_entropy !== undefined && measureEntropy(value) < min_entropy) return 0
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
  const words = detector.near?.words ?? detector.within
  const entry: Compiled = {
    source: detector.format!,
    format: new RegExp(
      behindEscapes(writeOut(detector.format!)),
      `d${detector.begins ? 'y' : 'g'}mu${detector.ignore_case ? 'i' : ''}`,
    ),
    near: words && {
      form: new RegExp(
        words.map(word => word.replace(/[^A-Za-z0-9_ ]/g, '\\$&')).join('|'),
        isAsWritten(detector) ? 'g' : 'gi',
      ),
      longest: Math.max(...words.map(({ length }) => length)),
    },
  }
  formats.set(id, entry)
  return entry
}
