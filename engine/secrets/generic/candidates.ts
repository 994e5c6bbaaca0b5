import type { GenericClass } from '../detector.ts'
import { type Link, tieAfter } from './link.ts'
import { type NameSense, senseOf } from './name.ts'
import { type Writing, writingOf } from './place.ts'
import { isNoValue, looksMade } from './shape.ts'
import { commandsAt, urlAt } from './special.ts'
import { bareAt, quotedAt, type Value, wrappedAt } from './value.ts'

/** A value that may be a secret, with all that is known of where it stands. */
export interface Candidate extends Omit<Value, 'after'> {
  kind: GenericClass
  /** The name it stands under; empty where there is none. */
  name: string
  sense: NameSense
  link: Link
  writing: Writing
  /** The name stands within a quoted text, as in a connection string. */
  inText: boolean
  inComment: boolean
}

const NAME = /[\p{L}\p{M}\w$.-]/u
const MOST_NAME = 80

/**
 * Everything in the text that stands where a secret would, near the anchors (offsets at which one of NAME_STEMS or SPECIAL_STEMS
 * begins, ascending). What is plainly a reference, such as a bare word in code, is not among it; all else is judged later.
 */
export function candidatesOf(text: string, anchors: ArrayLike<number>, language: string): Candidate[] {
  const writing = writingOf(language)
  const out: Candidate[] = []
  let past = 0
  for (let i = 0; i < anchors.length; i++) {
    const at = anchors[i]!
    if (at < past) continue
    const code = text.charCodeAt(at)
    if (code === 0x3a) {
      const found = urlAt(text, at)
      if (found) out.push({ ...found, writing, inText: false, inComment: false })
      continue
    }
    for (const found of commandsAt(text, at)) out.push({ ...found, writing, inText: false, inComment: false })
    const name = nameAround(text, at)
    past = name.end
    if (name.text.length > MOST_NAME) continue
    const sense = senseOf(name.text)
    if (!sense) continue
    const found = candidateAt(text, name, sense, writing)
    if (found && isWorthwhile(found)) out.push(found)
  }
  return distinct(out)
}

/** Names under which a key's own short name stands rather than a key, and the form of such a name. */
const NAMES_KEY = /gpg|pgp|sign(?:ing)?[_-]?key|fingerprint|key[_-]?id|recv[_-]?key/i
const KEY_NAME = /^(?:(?:0x)?[0-9A-Fa-f]{8}(?:[0-9A-Fa-f]{8})?|[0-9A-F]{40})$/
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
/** What a function is called that takes a secret. */
const TAKES =
  /^(?:set|with|use|put|add|password|passwd|secret|token|api|key|auth|basic|bearer|new|encrypt|decrypt|hash|verify|check|change|reset|update|login|credential|is|obfuscate|decode|encode|create|make|unlock|connect|client)/i

/** Whether to ask the model at all: where name or place say little, the value itself must look made up. */
function isWorthwhile({ text, name, quote, sense, kind, link, inText, inComment, writing }: Candidate): boolean {
  if (isNoValue(text, quote)) return false
  if (sense.strength < 1 && kind === 'password' && !/[a-z\d][_.-]?pass/i.test(name)) {
    // `pw` and `pass` are also a processor's word, a verb, and what a test says when it has gone well.
    if (
      link === 'space' ||
      link === 'call' ||
      link === 'argument' ||
      link === 'pair' ||
      /(?:^|_)PW\d*$|^PASS$/.test(name)
    ) {
      if (inText || link !== 'assign') return false
    }
  }
  if (inComment && /seed$/i.test(name)) return false
  if (sense.other && UUID.test(text)) return false
  if (NAMES_KEY.test(name) && KEY_NAME.test(text)) return false
  const says = sense.strength >= 0.5 && kind !== 'auth' && !sense.other
  if (says && quote !== '' && link !== 'call' && (link !== 'argument' || (sense.strength >= 0.9 && sense.last)))
    return true
  if (link === 'header') return true
  if (says && !inText && !inComment && writing !== 'prose' && writing !== 'code' && link !== 'colon') return true
  return looksMade(text, sense.strength < 0.5)
}

interface Name {
  start: number
  end: number
  text: string
  /** Written as an option: `--password`. */
  flag: boolean
}

function nameAround(text: string, at: number): Name {
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
  const method = /\.(?:equals|equalsIgnoreCase|isEqualTo|eq)$/.exec(name)
  if (method) {
    name = name.slice(0, method.index)
    end -= method[0].length
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
  return NAME.test(text[at]!)
}

function candidateAt(text: string, name: Name, sense: NameSense, writing: Writing): Candidate | undefined {
  const before = text[name.start - 1] ?? ''
  const quoted = /["'`]/.test(before) && (text[name.end] === before || text[name.end] === '\\')
  const tie = tieAfter(text, name.start, name.end, quoted)
  if (!tie) return undefined
  let { link } = tie
  if (name.flag && (link === 'assign' || link === 'space' || link === 'argument')) link = 'flag'
  if (link === 'assign' && /[?&]/.test(before)) link = 'query'
  const line = lineBefore(text, name.start)
  const inComment = /^\s*(?:\/\/|#(?!define\b)|\*|\/\*|--|;|%|<!--|rem\b)/i.test(line)
  const open = quoted ? '' : openQuote(line)
  const inText = open !== ''
  if (
    link === 'call' &&
    !TAKES.test(name.text.slice(name.text.lastIndexOf('.') + 1)) &&
    !/(?:^|\.)[A-Z][a-z]/.test(name.text)
  )
    return undefined
  const value = valueAt(text, tie.at, link, { writing, open, inComment, line })
  if (!value) return undefined
  if (link === 'argument' && !isPair(text, name.start - 2, value.after)) return undefined
  const { after: _, ...kept } = withoutScheme(value)
  if (kept.end <= kept.start) return undefined
  const headed = kept.start > value.start
  return {
    ...kept,
    kind: sense.kind,
    name: name.text,
    sense,
    link: headed ? 'header' : link,
    writing,
    inText,
    inComment,
  }
}

/**
 * Whether a name and the value after its comma are the last two arguments of a call, or the whole of a list: names that follow one
 * another in a longer list are no pairs.
 */
function isPair(text: string, before: number, after: number): boolean {
  let at = before
  while (at > 0 && /\s/.test(text[at]!)) at--
  const opening = text[at]!
  const closing = /\S/.exec(text.slice(after, after + 80))?.[0] ?? ''
  if (closing === ')') return opening === '(' || opening === ','
  return (opening === '[' && closing === ']') || (opening === '{' && closing === '}')
}

interface Surroundings {
  writing: Writing
  /** The quote that the name stands within, empty where in none. */
  open: string
  inComment: boolean
  /** The line up to the name. */
  line: string
}

function valueAt(text: string, at: number, link: Link, place: Surroundings): Value | undefined {
  const { writing, open, inComment, line } = place
  // The quote that closes the text around the name opens no value.
  if (open !== '' && text[at] === open) return undefined
  if (link === 'element') return bareAt(text, at, 'element')
  if (link === 'query') return bareAt(text, at, 'query')
  const quotedValue = quotedAt(text, at) ?? (link === 'call' || link === 'space' ? undefined : wrappedAt(text, at))
  if (quotedValue) {
    if (link === 'space' && writing === 'prose' && !/^['"`]/.test(text.slice(at, at + 1))) return undefined
    return quotedValue
  }
  if (link === 'call' || link === 'compare') return undefined
  if (open !== '') return link === 'assign' || link === 'colon' || link === 'flag' ? innerAt(text, at) : undefined
  if (link === 'flag') return bareAt(text, at, 'shell')
  const atLineStart = /^\s*(?:export\s+|set\s+|setenv\s+|ENV\s+|ARG\s+|-\s+|-e\s+|-D|[\w.-]+\.)?["']?$/.test(line)
  if (link === 'space' && /\blogin\s+\S+\s+$/.test(line)) return bareAt(text, at, 'shell')
  if (link === 'space')
    return atLineStart && (writing === 'config' || writing === 'shell') ? bareAt(text, at, 'shell') : undefined
  if (link === 'arrow' || link === 'attribute') return undefined
  if (link === 'pair') return writing === 'config' ? bareAt(text, at, 'line') : undefined
  switch (writing) {
    case 'config': {
      const value = bareAt(text, at, atLineStart ? 'line' : 'word')
      // Of a block of YAML the first line, where the block has only one.
      const block =
        value && /^[|>][+-]?$/.test(value.text)
          ? /^[ \t]+(\S[^\r\n]*)(?:\r?\n(?![ \t]+\S)|$)/.exec(text.slice(value.after + 1, value.after + 400))
          : null
      return block ? bareAt(text, value!.after + 1, 'line') : value
    }
    case 'shell':
      return bareAt(text, at, 'shell')
    case 'markup':
    case 'prose':
      return bareAt(text, at, 'word')
    default:
      return inComment ? bareAt(text, at, 'word') : undefined
  }
}

/** A bare word within a quoted text; behind the scheme of a header, the word after it. */
function innerAt(text: string, at: number): Value | undefined {
  const word = bareAt(text, at, 'inner')
  if (!word || !/^(?:Bearer|Basic|Token|token|bearer|basic|ApiKey)$/.test(word.text) || text[word.after] !== ' ')
    return word
  return bareAt(text, word.after + 1, 'inner')
}

const SCHEME =
  /^(?:Bearer|Basic|Token|token|bearer|basic|ApiKey|Apikey|api-key|Key|JWT|AWS|Digest|SSWS|GoogleLogin auth=)[ \t]{1,4}(?=\S)/

/** Of a header's value the credential alone. */
function withoutScheme(value: Value): Value {
  const scheme = SCHEME.exec(value.text)
  if (!scheme) return value
  return { ...value, start: value.start + scheme[0].length, text: value.text.slice(scheme[0].length) }
}

function lineBefore(text: string, at: number): string {
  const from = Math.max(0, at - 400)
  const part = text.slice(from, at)
  return part.slice(part.lastIndexOf('\n') + 1)
}

/** The quote that is open at the end of this part of a line, empty where none is. Apostrophes within words are none. */
function openQuote(line: string): string {
  let open = ''
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!
    if (char === '\\') i++
    else if (open !== '') {
      if (char === open) open = ''
    } else if (char === '"' || char === '`' || (char === "'" && !/\w/.test(line[i - 1] ?? ''))) open = char
  }
  return open
}

/** One candidate a place: the first that begins there. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const out: Candidate[] = []
  let past = -1
  for (const candidate of [...candidates].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (candidate.start < past) continue
    out.push(candidate)
    past = candidate.end
  }
  return out
}
