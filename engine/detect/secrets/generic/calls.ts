import { ENDS, findTakes } from './callees.ts'
import type { Link } from './link.ts'
import type { NameSense } from './name.ts'
import { readQuoted, readWrapped, type Value } from './value.ts'

/** A secret that a call or a pair of brackets holds beside a user's name. */
export interface Given {
  value: Value
  link: Link
  kind: 'password' | 'secret' | 'salt'
}

const CALLEE = /[\w$.:>-]{1,80}$/
const OPENING = /\s{0,4}\(\s{0,40}/y
/** Calls without parentheses, as Ruby writes them. */
const SPACED = /[ \t]{1,4}(?=["'][^"'\n]{1,60}["'][ \t]{0,4},)/y

/** Whether `readGiven` has anything to look at: the name ends as one that takes a secret, and what follows may be arguments. */
export function mayTake(text: string, end: number): boolean {
  const next = text.charCodeAt(end)
  if (next !== 0x28 && next > 0x20 && next < 0x80) return false
  // A key is one of many names; a call that makes one of a text has its parenthesis at once.
  return (
    ENDS.has(text.slice(end - 3, end).toLowerCase()) ||
    (next === 0x28 && (text.startsWith('SecurityKey', end - 11) || text.startsWith('from_secret', end - 11)))
  )
}

/** The secret among the arguments of the call whose name ends at `end`; undefined where the call takes none or gets it from elsewhere. */
export function readGiven(text: string, end: number): Given | undefined {
  // What makes a thing of the name, as Rust writes it.
  if (text.startsWith('::new(', end)) return readGiven(text, end + '::new'.length)
  const curried = curriedAt(text, end)
  if (curried) return curried
  if (!mayTake(text, end)) return undefined
  OPENING.lastIndex = end
  const spaced = !OPENING.test(text)
  if (spaced) {
    SPACED.lastIndex = end
    if (!SPACED.test(text)) return undefined
  }
  const callee = CALLEE.exec(text.slice(Math.max(0, end - 80), end))?.[0] ?? ''
  const takes = findTakes(callee)
  if (!takes) return undefined
  // A call that gives credentials by their name, where one named for taking them would be given.
  if (/(?:^|[.>:_])(?:get|find|load|list|delete|remove|parse|fetch|read)\w{0,30}credentials?$/i.test(callee))
    return undefined
  const from = spaced ? SPACED.lastIndex : OPENING.lastIndex
  const isLater =
    (/\bconnect$/i.test(callee) && isPort(text, readArgument(text, from, 1))) ||
    // Host and realm stand before user and password.
    (callee.endsWith('->credentials') && readArgument(text, from, 3) !== undefined)
  const at = isLater ? readArgument(text, from, 3) : secretAt(text, from, callee, takes.argument)
  const value = at === undefined ? undefined : (readQuoted(text, at) ?? readWrapped(text, at))
  // A wallet has a name as often as a key.
  if (callee.endsWith('Wallet') && !/^(?:0x)?[0-9a-fA-F]{64}$/.test(value?.text ?? '')) return undefined
  if (takes.kind === 'salt') {
    // What a key is derived from is as much a literal as the salt, and worth more.
    const own = readQuoted(text, from)
    if (own) return { value: own, link: 'login', kind: 'password' }
  }
  // What the text goes through on its way is the language's: `[]byte("…")`.
  return value && { value: { ...value, wrapped: false }, link: 'login', kind: takes.kind }
}

const CURRIED = /[ \t]{1,4}"[^"\n]{1,60}"[ \t]{1,4}(?="[^"\n]{3,80}")/y

/** User and password behind the name of a function that takes both, as Haskell writes calls: `basicAuth "bob" "…"`. */
function curriedAt(text: string, end: number): Given | undefined {
  if (text[end + 1] !== '"' || !/(?:basicAuth|AuthorizationBasic)$/i.test(text.slice(Math.max(0, end - 20), end)))
    return undefined
  CURRIED.lastIndex = end
  const value = CURRIED.test(text) ? readQuoted(text, CURRIED.lastIndex) : undefined
  return value && { value, link: 'login', kind: 'password' }
}

/** Where the secret stands among the arguments, whose number says what they are: a service may stand before the account, and an address be left out. */
function secretAt(text: string, from: number, callee: string, argument: number): number | undefined {
  if (/password$/i.test(callee) && argument === 1 && !/with/i.test(callee))
    return [2, 1].map(count => readArgument(text, from, count)).find(at => at !== undefined && readQuoted(text, at))
  const at = readArgument(text, from, argument)
  if (at !== undefined || !/create_?user$/i.test(callee)) return at
  const second = readArgument(text, from, 1)
  return second !== undefined && !readQuoted(text, second)?.text.includes('@') ? second : undefined
}

/** Whether a number stands there, as that of the port between host and user. */
function isPort(text: string, at: number | undefined): boolean {
  return at !== undefined && /^\d{2,5}\s{0,4},/.test(text.slice(at, at + 10))
}

const PAIR = /\s{0,4}[([{]\s{0,10}(?:[([{]\s{0,10})?(["'])[^"'\n]{1,80}\1\s{0,4},\s{0,10}(?=["'])/y

/** The second of two texts in brackets, as in `auth=("user", "…")`. */
export function readPaired(text: string, at: number): Value | undefined {
  PAIR.lastIndex = at
  if (!PAIR.test(text)) return undefined
  const value = readQuoted(text, PAIR.lastIndex)
  return value && /^\s{0,4}[)\]}]/.test(text.slice(value.after, value.after + 8)) ? value : undefined
}

const LONGEST = 400

/** Where argument `count` of a call begins, whose first begins at `from`. */
export function readArgument(text: string, from: number, count: number): number | undefined {
  let left = count
  let depth = 0
  const most = Math.min(text.length, from + LONGEST)
  for (let at = from; at < most; at++) {
    if (left === 0) {
      while (/\s/.test(text[at] ?? '')) at++
      return at
    }
    const char = text[at]!
    if (char === '"' || char === "'" || char === '`') {
      const quoted = readQuoted(text, at)
      if (!quoted) return undefined
      at = quoted.after - 1
    } else if (char === '(' || char === '[' || char === '{') depth++
    else if (char === ')' || char === ']' || char === '}') {
      if (depth === 0) return undefined
      depth--
    } else if (char === ',' && depth === 0) left--
    else if (char === ';') return undefined
  }
  return undefined
}

const BEFORE =
  /(["'])([^"'\n]{3,100})\1(?:\s{0,4},\s{0,4}[\w$.>-]{0,60}|\.equals(?:IgnoreCase)?\([\w$.>-]{0,60}|\s{0,4}={2,3}\s{0,4}[\w$.>-]{0,60})$/

/** Whether two equals signs or three stand before a place, blanks between. */
function isAfterEquals(text: string, at: number): boolean {
  let before = at - 1
  while (before > at - 4 && text[before] === ' ') before--
  return text[before] === '=' && text[before - 1] === '='
}

/** A value that stands before the name it is compared with: `assertEquals("…", user.getPassword())`, `"…".equals(password)`. */
export function readComparedBefore(text: string, nameStart: number, nameEnd: number): Value | undefined {
  const isLast = mayClose(text.charCodeAt(nameEnd)) && /^(?:\(\))?\s{0,4}\)/.test(text.slice(nameEnd, nameEnd + 8))
  if (!isLast && !isAfterEquals(text, nameStart)) return undefined
  const from = Math.max(0, nameStart - 200)
  const found = BEFORE.exec(text.slice(from, nameStart))
  if (!found) return undefined
  const start = from + found.index + 1
  const end = start + found[2]!.length
  if (
    found[0].includes(',') &&
    !/(?:equals?|expect|assert|is|eq|str\w{0,4}cmp)\w{0,20}[ (]{1,2}(?:[tbs], ?)?$/i.test(
      text.slice(Math.max(0, start - 30), start - 1),
    )
  )
    return undefined
  return { start, end, text: found[2]!, quote: found[1]!, wrapped: false, after: nameEnd }
}

/** Whether an argument, or a call in it, may end there: at a parenthesis, a comma, or white space before one. */
function mayClose(code: number): boolean {
  return code === 0x28 || code === 0x29 || code === 0x2c || code <= 0x20
}

const ASSERTS =
  /(?:assert|equals?|expect|require|verify|is|eq|str\w{0,4}c(?:mp|py)|memc(?:mp|py))\w{0,20}[ (][^"'`;]{0,100}$/i
const NEXT = /(?:\(\))?\s{0,4},\s{0,40}(?=["'`])/y

/** A value that stands behind the name it is compared with, as tests do it: `AssertEquals(t, s.Password, "…")`. */
export function readComparedAfter(text: string, nameStart: number, nameEnd: number): Value | undefined {
  if (!mayClose(text.charCodeAt(nameEnd))) return undefined
  NEXT.lastIndex = nameEnd
  if (!NEXT.test(text)) return undefined
  const at = NEXT.lastIndex
  const from = Math.max(0, nameStart - 120)
  const line = text.slice(text.lastIndexOf('\n', nameStart - 1) + 1 || 0, nameStart)
  if (!ASSERTS.test(line.length > 120 ? text.slice(from, nameStart) : line)) return undefined
  const value = readQuoted(text, at)
  return value && /^\s{0,4}[,)]/.test(text.slice(value.after, value.after + 8)) ? value : undefined
}

/** What a secret is that a call takes. */
export const classifyGiven = (kind: Given['kind']): NameSense => ({ kind, last: true, strength: 1, other: false })

/** The password that a script types behind a prompt: `expect "Password:"` and `send "…\r"`. */
export function readAnswered(text: string, nameEnd: number): Value | undefined {
  if (!':"\'* '.includes(text[nameEnd] ?? '!')) return undefined
  const answers =
    /:?[ \t]?\*?["'}\])]{0,4}[;{]?\s{0,40}(?:[\w.]{0,30}(?:\.|exp_|\b)(?:sendline|send|write|puts)(?:\(|[ \t])[ \t]{0,4}(?:--[ \t])?)[bru]?(["'])([^"'\\$\n]{3,60})(\\[rn]){0,2}\1/y
  answers.lastIndex = nameEnd
  const found = answers.exec(text)
  if (!found || (found[3] === undefined && !found[0].includes('sendline'))) return undefined
  const [whole, quote, value] = found
  const start = nameEnd + whole.lastIndexOf(`${quote}${value}`) + 1
  return {
    start,
    end: start + value!.length,
    text: value!,
    quote: quote!,
    wrapped: false,
    after: nameEnd + whole.length,
  }
}
