import type { BlockComment, Lexis, LineComment, StringForm } from '../../base/languages/language.ts'
import { LANGUAGES } from '../../base/languages/languages.ts'
import { BEGINNINGS, QUIRK_OPENERS } from './quirks.ts'
import { COMMENT, isWord, STRING } from './reading.ts'
import { type Grammar, getBody, type Opener, type Scanner } from './scanner.ts'

const compiled = new Map<string, Grammar | undefined>()
const counting = new Map<string, Grammar | undefined>()

/** The compiled lexis of a language; undefined for one that is unknown or has neither comments nor strings. */
export function findGrammar(language: string): Grammar | undefined {
  return find(language, compiled, lexis => lexis)
}

/** The same as line counts read the language. */
export function findCountingGrammar(language: string): Grammar | undefined {
  return find(language, counting, lexis => ({ ...lexis, quirks: [...(lexis.counted ?? []), ...(lexis.quirks ?? [])] }))
}

function find(
  language: string,
  known: Map<string, Grammar | undefined>,
  read: (lexis: Lexis) => Lexis,
): Grammar | undefined {
  if (!known.has(language)) {
    const lexis = LANGUAGES.get(language)?.lexis
    known.set(language, lexis && compile(read(lexis)))
  }
  return known.get(language)
}

/** What may begin at one character is tried in this order: quirks, comments, strings with a prefix, strings; longer ones first. */
function compile(lexis: Lexis): Grammar {
  const openers: Opener[][] = [[]]
  const outer = new Uint8Array(128)
  const add = (first: string, opener: Opener) => {
    const code = first.charCodeAt(0)
    if (outer[code] === 0) outer[code] = openers.push([]) - 1
    openers[outer[code]!]!.push(opener)
  }
  for (const quirk of lexis.quirks ?? []) {
    for (const [triggers, opener] of QUIRK_OPENERS[quirk]) for (const trigger of triggers) add(trigger, opener)
  }
  const comments = [
    ...(lexis.line ?? []).map(form => ({ open: form.open, word: form.word, opener: lineComment(form) })),
    ...(lexis.block ?? []).map(form => ({ open: form.open, word: undefined, opener: blockComment(form) })),
  ]
  for (const { open, word, opener } of comments.sort((a, b) => b.open.length - a.open.length)) {
    add(open, opener)
    if (word) add(open[0]!.toUpperCase(), opener)
  }
  const rank = (form: StringForm) => (form.prefix || form.tagged ? 100 : 0) + form.open.length
  for (const form of [...(lexis.strings ?? [])].sort((a, b) => rank(b) - rank(a))) add(form.open, stringForm(form))
  for (const character of lexis.escape ?? '') add(character, (_, at) => at + 2)
  const inner = outer.slice()
  for (const character of '\n(){}') inner[character.charCodeAt(0)] ||= 255
  const begin = lexis.quirks?.map(quirk => BEGINNINGS[quirk]).find(found => found !== undefined)
  return { outer, inner, openers, begin }
}

function lineComment(form: LineComment): Opener {
  const { open, after, not_after, not_before, first, column, word, continued, until } = form
  return (scanner, at) => {
    const { text } = scanner
    if (word) {
      if (text.slice(at, at + open.length).toLowerCase() !== open) return -1
      if (isWord(text.charCodeAt(at - 1)) || isWord(text.charCodeAt(at + open.length))) return -1
    } else if (open.length > 1 && !text.startsWith(open, at)) return -1
    if (scanner.formatting) return -1
    if (first && !scanner.firstOnLine(at)) return -1
    if (column !== undefined && !inColumn(scanner, at, column)) return -1
    if (after !== undefined && !scanner.lineBegins(at) && !after.includes(text[at - 1]!)) return -1
    if (not_after !== undefined && at > 0 && not_after.includes(text[at - 1]!)) return -1
    const behind = at + open.length
    if (not_before !== undefined && behind < text.length && not_before.includes(text[behind]!)) return -1
    let end = scanner.lineEnd(at)
    if (continued) while (end < scanner.end && backslashEnds(text, end)) end = scanner.lineEnd(end + 1)
    if (until !== undefined) {
      const ends = text.slice(at, end).indexOf(until)
      if (ends >= 0) end = at + ends
    }
    scanner.push(at, end, COMMENT)
    return Math.max(end, at + 1)
  }
}

function blockComment(form: BlockComment): Opener {
  const { open, close, nested, first, column, not_before } = form
  return (scanner, at) => {
    const { text } = scanner
    if (!text.startsWith(open, at)) return -1
    if (first && !scanner.firstOnLine(at)) return -1
    if (column !== undefined && !inColumn(scanner, at, column)) return -1
    const behind = at + open.length
    if (not_before !== undefined && behind < text.length && not_before.includes(text[behind]!)) return -1
    if (!nested) return scanner.until(close, behind, at, COMMENT)
    let depth = 1
    let i = behind
    const [opening, closing] = [open.charCodeAt(0), close.charCodeAt(0)]
    while (i < scanner.end && depth > 0) {
      const code = text.charCodeAt(i)
      if (code === closing && text.startsWith(close, i)) {
        depth--
        i += close.length
      } else if (code === opening && text.startsWith(open, i)) {
        depth++
        i += open.length
      } else i++
    }
    scanner.push(at, i, COMMENT)
    return i
  }
}

function stringForm(form: StringForm): Opener {
  const { open, prefix, tagged, char, not_after_word, not_after_name, not_in_number } = form
  const body = getBody(form)
  return (scanner, at) => {
    const { text } = scanner
    if (open.length > 1 && !text.startsWith(open, at)) return -1
    if (prefix && !prefix.includes(wordBefore(scanner, at).toLowerCase())) return -1
    if (tagged && !isWord(text.charCodeAt(at - 1))) return -1
    if (not_after_word && at > 0 && (isWord(text.charCodeAt(at - 1)) || ")]}.'".includes(text[at - 1]!))) return -1
    if (not_after_name && isBehindName(scanner, at, not_after_name)) return -1
    if (not_in_number && inNumber(scanner, at)) return -1
    if (!char) return scanner.body(body, at + open.length, at)
    const end = characterEnd(text, at, form)
    if (end < 0 || end > scanner.end) return -1
    scanner.push(at, end, STRING)
    return end
  }
}

/** Letters of the longest word that a string may touch. */
const LONGEST_WORD = 12

/** Whether a name or number touches an offset from before, and not one of the words that a string may follow. */
function isBehindName({ text }: Scanner, at: number, words: ReadonlySet<string>): boolean {
  let i = at
  while (i > 0 && at - i <= LONGEST_WORD && isWord(text.charCodeAt(i - 1))) i--
  return i < at && !words.has(text.slice(i, at))
}

/** The letters that touch an offset from before, as far as a prefix may be long; empty where they belong to a longer word. */
function wordBefore(scanner: Scanner, at: number): string {
  let i = at
  while (i > 0 && at - i < 4 && isWord(scanner.text.charCodeAt(i - 1))) i--
  return at - i < 4 ? scanner.text.slice(i, at) : ''
}

/** Whether an offset lies inside a numeric literal, as C++'s digit separator does. */
function inNumber(scanner: Scanner, at: number): boolean {
  let i = at
  while (i > 0 && at - i < 64) {
    const code = scanner.text.charCodeAt(i - 1)
    if (!isWord(code) && code !== 39 && code !== 46) break
    i--
  }
  const code = scanner.text.charCodeAt(i)
  return i < at && code >= 48 && code <= 57
}

/** End of a character literal, or -1 where the tick begins none. */
function characterEnd(text: string, at: number, { open, escape: escaping }: StringForm): number {
  if (escaping !== undefined && text[at + 1] === escaping) {
    const close = text.slice(at + 3, at + 14).indexOf(open)
    return close < 0 || text.slice(at + 3, at + 3 + close).includes('\n') ? -1 : at + 3 + close + 1
  }
  const point = text.codePointAt(at + 1)
  if (point === undefined || point === 10 || (escaping !== undefined && text[at + 1] === open)) return -1
  const close = at + 1 + (point > 0xffff ? 2 : 1)
  return text[close] === open ? close + 1 : -1
}

function inColumn(scanner: Scanner, at: number, column: number): boolean {
  const start = at - column + 1
  return start >= 0 && scanner.lineBegins(start) && !scanner.text.slice(start, at).includes('\n')
}

function backslashEnds(text: string, lineEnd: number): boolean {
  const last = text[lineEnd - 1] === '\r' ? lineEnd - 2 : lineEnd - 1
  return text[last] === '\\'
}
