import type { Bare } from './candidates.ts'
import { isNoValue, isProgramWord, looksMade } from './shape.ts'

/** Names under which a key's own short name stands rather than a key, and the form of such a name. */
const NAMES_KEY = /gpg|pgp|recv[_-]?keys?|sign(?:ing)?[_-]?key|fingerprint|key[_-]?id/i
const KEY_NAME = /^(?:(?:0x)?[0-9A-Fa-f]{8}(?:[0-9A-Fa-f]{8})?|[0-9A-F]{40})$/
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** A call that takes over what it is given: `setPassword(`, `.password(`. */
const SETS =
  /(?:^|\.)(?:set|with|add|update|change|reset|verify|check|hash|encrypt|make|create|new)?_?(?:[pP]ass|PASS)\w{0,12}$|(?:^|\.)(?:set|with)\w{0,30}$|^[pP]assword\.new$/

/** Whether to ask the model at all: where name or place say little, the value itself must look made up. */
export function isWorthwhile({
  text,
  name,
  quote,
  sense,
  kind,
  link,
  inText,
  inComment,
  writing,
  wrapped,
}: Bare): boolean {
  if (isNoValue(text, quote)) return false
  if (sense.strength < 1 && kind === 'password' && !/[a-z\d][_.-]?pass|psk$/i.test(name)) {
    // `pw` and `pass` are also a processor's word, a verb, and what a test says when it has gone well.
    if (
      (link === 'space' && !(writing === 'prose' && /[A-Za-z]\d|\d[A-Za-z]/.test(text) && text.length >= 6)) ||
      (link === 'call' && !wrapped) ||
      link === 'argument' ||
      link === 'pair' ||
      /(?:^|_)PW\d*$|^PASS$/.test(name)
    ) {
      if (inText || (link !== 'assign' && (quote === '' || link !== 'arrow'))) return false
    }
  }
  // The digest that a packet ends with; what logs in is behind `Authorization`.
  if (kind === 'auth' && quote === '' && /^authentication$/i.test(name) && /^[0-9a-f]{16,}$/i.test(text)) return false
  // Palau among the codes of countries.
  if (/^(?:[a-z]{2}_)?PW$/.test(name) && link !== 'assign' && !/[\d!#%^&*@]/.test(text)) return false
  // A row of digits starts a generator of numbers, and keeps nothing.
  if (kind === 'salt' && /^\d+$/.test(text)) return false
  if (inComment && /seed$/i.test(name)) return false
  // In a comment a bare word of letters is a value only where nothing but a secret can stand.
  if (inComment && quote === '' && sense.strength < 1 && /^[A-Za-z]+$/.test(text)) return false
  if (sense.other && UUID.test(text)) return false
  if (((sense.strength < 0.5 && kind !== 'salt') || NAMES_KEY.test(name)) && KEY_NAME.test(text)) return false
  if (isCipherKey(text) && quote !== '' && kind === 'key' && sense.last && !sense.other) return true
  const says = sense.strength >= 0.5 && kind !== 'auth' && !sense.other
  if (says && quote !== '' && (link !== 'argument' || (sense.last && sense.strength >= 0.9))) {
    if (link !== 'call' || (sense.strength >= 0.9 && sense.last && SETS.test(name))) return true
  }
  if (link === 'header') return true
  // A variable of the environment in a text, as containers are given theirs.
  if (inText && says && link === 'assign' && /^[A-Z][A-Z0-9_]*$/.test(name) && sense.last && sense.strength >= 0.8)
    return true
  if (says && !inText && !inComment && writing !== 'prose' && writing !== 'code') {
    if (link !== 'colon' || (writing === 'config' && sense.last && sense.strength >= 0.8 && !/\s/.test(text)))
      return true
  }
  return looksMade(text, sense.strength < 0.5)
}

/** Whether a text is as long as a cipher's key, has digits among its letters, and no other signs. */
function isCipherKey(text: string): boolean {
  return (
    (text.length === 16 || text.length === 24 || text.length === 32) &&
    /^[A-Za-z0-9]*[A-Za-z]\d+[A-Za-z][A-Za-z0-9]*$|^[A-Za-z]{4,}\d{3,}$/.test(text)
  )
}

/** What may follow a value that stands by itself: the end of the line, or what closes or goes on a list; a semicolon that ends the line ends a statement. */
const OVER = /[ \t]{0,40}(?:[,|)*`\]<]|;(?![ \t]{0,40}(?:\\[nr]|\r?\n|$))|[.!]?(?:\r?\n|$))/y

/** Ties behind which a bare word may stand alone. */
const TO_WORDS: ReadonlySet<string> = new Set(['assign', 'colon', 'table', 'query', 'flag', 'login', 'element'])
/** What ends an entry of a connection string, an address or a default within a text. */
const BESIDE = ` \t\r\n"'\`;&}#`

/** Whether a value stands right behind an equals sign, and so does another one of its line: in what a program logs of its settings. */
function isAmongPairs(text: string, start: number): boolean {
  return (
    text[start - 1] === '=' && /[\w-]=[^\s=]{1,60}[ ,;][^\n]{0,40}$/.test(text.slice(Math.max(0, start - 140), start))
  )
}

/** Whether a bare word is all that a text for people gives a password's name, and none that programs use. */
export function isAlone(text: string, { text: value, start, end, quote, sense, kind, link, inText }: Bare): boolean {
  if (quote !== '' || kind !== 'password' || sense.strength < 1 || !sense.last || sense.other) return false
  if (!TO_WORDS.has(link)) return false
  if (!/^[A-Za-z][\w.-]{4,29}$/.test(value) || isNoValue(value, quote) || isProgramWord(value.toLowerCase()))
    return false
  // Within a text a word behind a blank is the sentence's, unless the text ends with it.
  if (inText && text[start - 1] === ' ' && !`"'\`}`.includes(text[end] ?? ' ')) return false
  // The end of a text before a colon ends a key.
  if (inText && link === 'colon' && /^["'`]\s{0,4}:/.test(text.slice(end, end + 6))) return false
  if (inText || link === 'query' || link === 'flag' || isAmongPairs(text, start))
    return BESIDE.includes(text[end] ?? ' ')
  OVER.lastIndex = end
  return OVER.test(text)
}
