import { looksMade } from './shape.ts'
import { type Found, PASSWORD } from './special.ts'

/** Users of whom a call is given the password next. */
const USERS = ['admin', 'administrator', 'root']

/** Texts of which one stands before a password that no name leads to: a user as an argument, routers' words for who may ask, a sentence. */
export const SPOKEN_STEMS: readonly string[] = [
  ...USERS.flatMap(user => [`("${user}",`, `('${user}',`]),
  ...['server community', 'rocommunity', 'rwcommunity'],
  ...['login with `', 'log in with `', 'login as `', 'log in as `'],
]

/** What such a place begins with, and what it is as a whole: the password is the last group. */
const FORMS: readonly (readonly [begins: string, form: () => RegExp])[] = [
  // The call makes or finds a user, opens a session or a connection.
  [
    '(',
    () =>
      /(?<=(?:[Uu]ser|[Cc]lient|[Ll]ogin|[Aa]uth\w{0,20}|[Aa]ccount|[Cc]onnect\w{0,10}|[Ss]ession|sign_?[Ii]n))\((["'])\w{4,13}\1,\s{0,4}(["'])([^"'\\\s$%{}<>]{6,60})\2\s{0,4}[,)]/y,
  ],
  // SNMP (RFC 3584, section 5.2) knows by it who asks; public and private are what everybody has.
  ['server c', () => /server community (?!public\b|private\b)([\w!@#%^&*.-]{4,40})(?=\s|$)/y],
  ['rocom', () => /rocommunity[ \t]{1,4}(?!public\b|private\b)([\w!@#%^&*.-]{4,40})(?=\s|$)/y],
  ['rwcom', () => /rwcommunity[ \t]{1,4}(?!public\b|private\b)([\w!@#%^&*.-]{4,40})(?=\s|$)/y],
  [
    'log',
    () => /log ?in (?:with|as) `[\w.@-]{2,40}`(?: ?[/:] ?|,? and | with |, )(?:(?:the )?password )?`([^`\s]{4,60})`/iy,
  ],
]

/** The password behind such a text, `at` being where it begins. */
export function spokenAt(text: string, at: number): Found | undefined {
  const begin = text.slice(at, at + 8).toLowerCase()
  const form = FORMS.find(([begins]) => begin.startsWith(begins))?.[1]()
  if (!form) return undefined
  form.lastIndex = at
  const value = form.exec(text)?.at(-1)
  if (value === undefined || !looksMade(value, false)) return undefined
  const start = text.lastIndexOf(value, form.lastIndex - value.length)
  return {
    kind: 'password',
    name: 'password',
    sense: PASSWORD,
    link: 'login',
    quote: '"',
    wrapped: false,
    start,
    end: start + value.length,
    text: value,
  }
}
