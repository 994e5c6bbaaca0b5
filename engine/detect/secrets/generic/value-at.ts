import { readBytes } from './bytes.ts'
import type { Link } from './link.ts'
import type { Writing } from './place.ts'
import { looksMade } from './shape.ts'
import { isWordAlone } from './told.ts'
import { readBare, readQuoted, readWrapped, type Value } from './value.ts'

/** Where a name stands, as far as it says how its value is written. */
export interface Surroundings {
  writing: Writing
  /** The quote that the name stands within, empty where in none. */
  open: string
  inComment: boolean
  /** The name is that of several. */
  isPlural: boolean
  /** The line up to the name. */
  line: string
}

/** What may stand before a name that begins its line. */
const AT_LINE_START =
  /^\s*(?:\w[\w./-]{0,20}[ \t]+config(?:ure)?[ \t]+(?:(?:set|add|-{1,2}[\w-]+)[ \t]+){1,3}[\w.-]*)$|^\s*(?:export\s+|set\s+|[sS]et[eE]nv\s+|fastcgi_param\s+|ENV\s+|ARG\s+|-\s+|-e\s+|-D|[\w.-]+\.)?["']?$/

/** The digit by which a router says how a password is written, and the password at the line's end. */
const TYPED = /^[05789] [^\s"'<>]{6,90}[ \t]*(?:\r?\n|$)/
const SETTER = /\bset[_A-Z]\w{0,30}\([ \t]{0,4}$/
/** A sentence that goes on with the password itself: `log in with password …`. */
const GIVEN_WITH = /\b(?:with|using|use|and)[ \t]+(?:the[ \t]+)?$/i

/** The value at `at` that is tied to a name by `link`; undefined where a reference or nothing stands there. */
export function readValue(text: string, at: number, link: Link, place: Surroundings): Value | undefined {
  const { writing, open, inComment, line } = place
  // The quote that closes the text around the name opens no value.
  if (open !== '' && text[at] === open) return undefined
  // A state of an element in a selector: `$('#password:focus')`.
  if (open !== '' && link === 'colon' && text[at - 1] === ':' && line.endsWith('#')) return undefined
  // What a shell has a command say.
  if (writing === 'shell' && text[at] === '`') return undefined
  if (link === 'element') return withoutSection(readBare(text, at, 'element'))
  if (link === 'query') return readBare(text, at, 'query')
  const quotedValue =
    (!place.isPlural && (link === 'assign' || link === 'colon' || link === 'space')
      ? readBytes(text, at)
      : undefined) ??
    readQuoted(text, at) ??
    (link === 'call' || link === 'space' ? undefined : (readWrapped(text, at) ?? listedAt(text, at, link)))
  if (quotedValue) {
    if (link === 'space' && writing === 'prose' && !/^['"`]/.test(text.slice(at, at + 1))) return undefined
    return quotedValue
  }
  // What a setter is given may go through another call: `setPassword(encode("…"))`.
  if (link === 'call')
    return text.startsWith('Some(', at) || SETTER.test(text.slice(Math.max(0, at - 40), at))
      ? readWrapped(text, at)
      : undefined
  if (link === 'compare') return undefined
  if (open !== '') return link === 'assign' || link === 'colon' || link === 'flag' ? innerAt(text, at) : undefined
  if (link === 'flag') return readBare(text, at, 'shell')
  // Routers say by a digit how what follows is written.
  if ((link === 'space' || link === 'login') && writing !== 'code' && TYPED.test(text.slice(at, at + 100)))
    return readBare(text, at + 2, 'shell')
  if (link === 'space' && (writing === 'prose' || inComment) && /\bis[ \t]+$/.test(text.slice(Math.max(0, at - 8), at)))
    return proseAt(text, at)
  if (link === 'login') return readBare(text, at, 'shell')
  if (link === 'space' && (writing === 'prose' || inComment) && GIVEN_WITH.test(line)) return madeAt(text, at, line)
  if (link === 'space')
    return (writing === 'config' || writing === 'shell') && AT_LINE_START.test(line)
      ? readBare(text, at, 'shell')
      : undefined
  if (link === 'arrow' || link === 'attribute') return undefined
  if (link === 'pair') return writing === 'config' ? readBare(text, at, 'line') : undefined
  switch (writing) {
    case 'config': {
      const value = readBare(text, at, AT_LINE_START.test(line) ? 'line' : 'word')
      // Of a block of YAML the first line, where the block has only one.
      const block =
        value && /^[|>][+-]?$/.test(value.text)
          ? /^[ \t]+(\S[^\r\n]*)(?:\r?\n(?![ \t]+\S)|$)/.exec(text.slice(value.after + 1, value.after + 400))
          : null
      if (block) return readBare(text, value!.after + 1, 'line')
      return value && (fallbackOf(value) ?? beforeCommand(value, line))
    }
    case 'shell':
      return withoutBrace(readBare(text, at, 'shell'), line)
    case 'markup':
    case 'prose':
      return proseAt(text, at)
    default:
      return inComment ? readBare(text, at, 'word') : undefined
  }
}

/** What a template of Ruby gives where the environment says nothing: `<%= ENV['PW'] || '…' %>`. */
const FALLBACK = /^<%=\s?ENV(?:\.fetch\(|\[)["']\w{1,60}["'](?:\]\s?\|\||,)\s?["']([^"'\s]{3,80})["']\)?\s?%>$/

function fallbackOf(value: Value): Value | undefined {
  const fallback = value.text.startsWith('<%') ? FALLBACK.exec(value.text)?.[1] : undefined
  if (fallback === undefined) return undefined
  const start = value.start + value.text.lastIndexOf(fallback)
  return { ...value, start, end: start + fallback.length, text: fallback, quote: '"' }
}

/** Of a line of a script that stands in a list, the word before the command that it is given: `- PGPASSWORD=… psql -h db`. */
function beforeCommand(value: Value, line: string): Value {
  const word = /^\s*-\s+$/.test(line) ? /^(\S+) [a-z][\w./-]* -/.exec(value.text)?.[1] : undefined
  return word === undefined ? value : { ...value, end: value.start + word.length, text: word }
}

/** Who logs in, right before the password: `as user bob and password …`. */
const WHO =
  /\b(?:user(?:name)?|login|account)[ \t:]+[`"'*]{0,2}(?!is\b|are\b|and\b|name\b|your\b)[\w.@-]{2,40}[`"'*]{0,2},?[ \t]+(?:and|with|using)[ \t]+(?:the[ \t]+)?$/i

/** A bare word, where digits or signs say that it is none of the sentence's, or a user's name before it and the sentence's end behind it. */
function madeAt(text: string, at: number, line: string): Value | undefined {
  const word = readBare(text, at, 'word')
  if (!word || looksMade(word.text, false)) return word
  const isLast = /^[.,;)]?[ \t]*(?:\r?\n|$)/.test(text.slice(word.end, word.end + 8))
  return isLast && WHO.test(line) && isWordAlone(word.text) ? { ...word, quote: '"' } : undefined
}

/** What a shell takes where a variable is empty, without the brace behind it: `${PASSWORD:-…}`. */
function withoutBrace(value: Value | undefined, line: string): Value | undefined {
  if (!value?.text.endsWith('}') || !line.endsWith('${')) return value
  return { ...value, end: value.end - 1, text: value.text.slice(0, -1) }
}

/** What an element holds, without the end of the section of characters that it stands in. */
function withoutSection(value: Value | undefined): Value | undefined {
  const end = value && /\s*\]\]$/.exec(value.text)
  return end ? { ...value, end: value.end - end[0].length, text: value.text.slice(0, end.index) } : value
}

const LIST = /[ \t]{0,4}(?:[\w<>[\], ]{0,30})?[[({][ \t]{0,4}(?:\r?\n[ \t]{0,80})?(?=[bru]?["'])/y

/** The first of a list of values that a name is given. */
function listedAt(text: string, at: number, link: Link): Value | undefined {
  if (link !== 'assign' && link !== 'colon' && link !== 'arrow') return undefined
  LIST.lastIndex = at
  if (!LIST.test(text)) return undefined
  // An index gives something else than what it is given.
  if (/[\w)\]]\[\s*$/.test(text.slice(at, LIST.lastIndex))) return undefined
  const value = readQuoted(text, LIST.lastIndex)
  // What a colon or an arrow follows is a name in a table.
  return value && /^\s{0,4}[,)\]}]/.test(text.slice(value.after, value.after + 8))
    ? { ...value, wrapped: true }
    : undefined
}

/** A bare word within a quoted text; behind the scheme of a header, the word after it. */
function innerAt(text: string, at: number): Value | undefined {
  const word = readBare(text, at, 'inner')
  if (!word || !/^(?:Bearer|Basic|Token|token|bearer|basic|ApiKey)$/.test(word.text) || text[word.after] !== ' ')
    return word
  return readBare(text, word.after + 1, 'inner')
}

/** What sets a value off in a page: `Password: <code>…</code>`. */
const MARKED = /<(?:code|tt|kbd|b|strong|em|samp)>(?=[^\s<>]{3,60}<\/)/y

/** A bare word of a text for people, which may be set off by signs; behind the scheme of a header, the word after it. */
function proseAt(text: string, at: number): Value | undefined {
  let from = at
  while (text[from] === '*') from++
  if (text[from] === '<') {
    MARKED.lastIndex = from
    if (MARKED.test(text)) from = MARKED.lastIndex
  }
  const word = readBare(text, from, 'word')
  if (!word) return undefined
  if (/^(?:Bearer|Basic|Token)$/i.test(word.text) && text[word.after] === ' ')
    return readBare(text, word.after + 1, 'word')
  const stars = /\*{1,2}$/.exec(word.text)
  return stars && from > at
    ? { ...word, end: word.end - stars[0].length, text: word.text.slice(0, -stars[0].length) }
    : word
}
