import type { Bare } from './candidates.ts'
import { readKeyBytes } from './key-bytes.ts'
import type { NameSense } from './name.ts'

/** Texts of which one begins a place where a secret stands without a name; the automaton looks for them too. */
export const SPECIAL_STEMS = [
  '://',
  'session=',
  'sessionid=',
  'sessid=',
  'session_id=',
  '.tochararray(',
  '.getbytes(',
  '@tcp(',
  '@unix(',
  '@/',
  ' login ',
] as const

/** A candidate that no name led to. */
export type Found = Omit<Bare, 'writing' | 'inText' | 'inComment'>

export const PASSWORD: NameSense = { kind: 'password', last: true, strength: 1, other: false }

const URL_LOGIN = /:\/\/([^\s:/@"'`<>\\|]{0,100}):([^\s/@"'`<>\\|]{3,200}|[\w.~+=-]{201,3000})@(?=[\w[{$%<*/-])/y

/** The password in an address (RFC 3986, userinfo), `at` being that of `://`; of one or two signs it would be no value. */
export function readUrl(text: string, at: number): Found | undefined {
  URL_LOGIN.lastIndex = at
  const found = URL_LOGIN.exec(text)
  if (!found) return undefined
  const start = at + 4 + found[1]!.length
  const password = found[2]!
  return loginOf(found[1]!, start, start + password.length, decoded(password))
}

/** The password that stands behind a user's name in an address. */
function loginOf(user: string, start: number, end: number, text: string): Found {
  return {
    kind: 'url',
    name: user,
    sense: { ...PASSWORD, kind: 'url' },
    link: 'url',
    quote: '',
    wrapped: false,
    start,
    end,
    text,
  }
}

/** A session's own name in a cookie, an address or a header, and what it is worth. */
const SESSION = /(?:sessionid|sessid|session_id|session)=["']?([A-Za-z0-9%+/=._:-]{16,3000})/iy

/** A member of an object (`e.session=this._requestSession`), which names no session. Made values have more digits, or are JSON (`eyJ`). */
const MEMBER = /^(?!eyJ)(?:(?:this|self|that)\.[A-Za-z_]|(?!(?:\D*\d){4})[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$)/

/** The session that a cookie carries: whoever sends it is taken for the one who signed in. */
function sessionAt(text: string, at: number): Found | undefined {
  SESSION.lastIndex = at
  const found = SESSION.exec(text)
  if (!found) return undefined
  const value = found[1]!
  if (MEMBER.test(value)) return undefined
  const end = SESSION.lastIndex
  return {
    kind: 'token',
    name: 'session',
    sense: { kind: 'token', last: true, strength: 0.8, other: false },
    link: 'header',
    quote: '',
    wrapped: false,
    start: end - value.length,
    end,
    text: value,
  }
}

/** What takes a password as characters in Java, on the line of the text that becomes them. */
const TAKES_CHARACTERS = /key|pass|pwd|store|\bload\b|login|pbe|cred|unlock|secret/i
const BEFORE_CALL = /"([^"\\\n]{3,80})"$/

/** A text that is made an array of characters, as Java's ways of taking passwords want it: `load(in, "…".toCharArray())`. */
function charactersAt(text: string, at: number): Found | undefined {
  const before = BEFORE_CALL.exec(text.slice(Math.max(0, at - 90), at))
  if (!before) return undefined
  const line = text.slice(Math.max(0, at - 200), at - before[0].length)
  if (!TAKES_CHARACTERS.test(line.slice(line.lastIndexOf('\n') + 1))) return undefined
  const value = before[1]!
  return {
    kind: 'password',
    name: 'toCharArray',
    sense: PASSWORD,
    link: 'call',
    quote: '"',
    wrapped: true,
    start: at - 1 - value.length,
    end: at - 1,
    text: value,
  }
}

/** A login before the address of a server, as Go's drivers write it: `user:…@tcp(host:3306)/db`. */
const BEFORE_SERVER = /(?:^|["'`\s=/])(?!(?:mailto|sips?|xmpp|acct|git|ssh):)([\w.-]{1,60}):([^\s:@"'`/]{1,100})$/

function serverAt(text: string, at: number): Found | undefined {
  const before = BEFORE_SERVER.exec(text.slice(Math.max(0, at - 170), at))
  if (!before) return undefined
  const [, user, password] = before
  return loginOf(user!, at - password!.length, at, password!)
}

/** The password in the command by which a client of IMAP logs in, behind its mark. */
function imapAt(text: string, at: number): Found | undefined {
  const login =
    /(?<=(?:^|[\s"'`>])[A-Za-z]{0,4}\d{1,5}) LOGIN \\?["']?([^\s"'\\]{1,60})\\?["']? \\?["']?([^\s"'\\]{3,60})/y
  login.lastIndex = at
  const found = login.exec(text)
  if (!found) return undefined
  const end = login.lastIndex
  const password = found[2]!
  return {
    kind: 'password',
    name: found[1]!,
    sense: PASSWORD,
    link: 'login',
    quote: '"',
    wrapped: false,
    start: end - password.length,
    end,
    text: password,
  }
}

/** What stands at an anchor that is no name: an address with a login, a cookie's session, a text made characters. */
export function readSpecial(text: string, at: number): Found | undefined {
  switch (text.charCodeAt(at)) {
    case 0x3a:
      return readUrl(text, at)
    case 0x2e:
      return (text.charCodeAt(at + 1) | 32) === 0x67 ? readKeyBytes(text, at) : charactersAt(text, at)
    case 0x40:
      return serverAt(text, at)
    case 0x20:
      return imapAt(text, at)
    case 0x53:
    case 0x73:
      return (text.charCodeAt(at + 1) | 32) === 0x65 ? sessionAt(text, at) : undefined
    default:
      return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
