import type { Bare } from './candidates.ts'
import type { NameSense } from './name.ts'

/** Texts of which one begins a place where a secret stands without a name; the automaton looks for them too. */
export const SPECIAL_STEMS = [
  '://',
  'curl',
  'sshpass',
  'mysql',
  'wget',
  'identified',
  'smbclient',
  'ldapsearch',
  'openssl',
  'docker login',
  'redis-cli',
  'mongo -',
  'mongodump',
  'securestring',
  'net user',
  'zip -',
  '7z ',
] as const

type Found = Omit<Bare, 'writing' | 'inText' | 'inComment'>

const PASSWORD: NameSense = { kind: 'password', last: true, strength: 1, other: false }

const URL_LOGIN = /:\/\/([^\s:/@"'`<>\\|]{0,100}):([^\s/@"'`<>\\|]{1,200})@(?=[\w[{$%<*-])/y

/** The password in an address (RFC 3986, userinfo), `at` being that of `://`. */
export function urlAt(text: string, at: number): Found | undefined {
  URL_LOGIN.lastIndex = at
  const found = URL_LOGIN.exec(text)
  if (!found) return undefined
  const start = at + 4 + found[1]!.length
  return {
    kind: 'url',
    name: found[1]!,
    sense: { ...PASSWORD, kind: 'url' },
    link: 'url',
    quote: '',
    wrapped: false,
    start,
    end: start + found[2]!.length,
    text: decoded(found[2]!),
  }
}

const WORD = `["']?([^\\s"'\`<>;|&]{1,200})`
/** Of each program, made when it is first come by: how it takes a password on its command line, the password being the last group. */
const COMMANDS: Record<string, () => RegExp[]> = {
  curl: () => [
    new RegExp(
      `\\bcurl\\b[^\\n|;]{0,300}?\\s(?:-u|--user|-U|--proxy-user)[ =]?["']?[^\\s:"'\`]{1,80}:${WORD.replace(`["']?`, '')}`,
      'dy',
    ),
  ],
  wget: () => [new RegExp(`\\bwget\\b[^\\n|;]{0,300}?\\s--(?:http-|ftp-|proxy-)?password[ =]${WORD}`, 'dy')],
  sshpass: () => [new RegExp(`\\bsshpass\\s+-p\\s?${WORD}`, 'dy')],
  mysql: () => [new RegExp(`\\bmysql(?:dump|admin|import)?\\b[^\\n|;]{0,200}?\\s-p${WORD}`, 'dy')],
  smbclient: () => [
    new RegExp(`\\bsmbclient\\b[^\\n|;]{0,200}?\\s-U\\s?["']?[^\\s%"'\`]{1,80}%${WORD.replace(`["']?`, '')}`, 'dy'),
  ],
  ldapsearch: () => [new RegExp(`\\bldapsearch\\b[^\\n|;]{0,200}?\\s-w\\s?${WORD}`, 'dy')],
  openssl: () => [new RegExp(`\\bopenssl\\b[^\\n|;]{0,200}?(?:\\s-k\\s|\\bpass:)${WORD}`, 'dy')],
  docker: () => [new RegExp(`\\bdocker login\\b[^\\n|;]{0,200}?\\s-p[ =]?${WORD}`, 'dy')],
  'redis-cli': () => [new RegExp(`\\bredis-cli\\b[^\\n|;]{0,200}?\\s-a[ =]?${WORD}`, 'dy')],
  mongo: () => [new RegExp(`\\bmongo(?:dump|restore|sh)?\\b[^\\n|;]{0,200}?\\s-p[ =]?${WORD}`, 'dy')],
  passwd: () => [
    new RegExp(`(?<=\\bht)passwd\\s+-\\w{0,4}b\\w{0,4}\\s+\\S{1,100}\\s+\\S{1,80}\\s+${WORD}`, 'dy'),
    /(?<=["'\s][\w${}-]{1,30}:([^\s"'|:]{3,100})["']?\s{0,4}\|\s{0,4}(?:sudo\s+)?ch)passwd/dy,
    /(?<=\becho\s+["']?([^\s"'|:]{3,100})["']?\s{0,4}\|\s{0,4}(?:sudo\s+)?)passwd\s+--stdin/dy,
  ],
  securestring: () => [
    /(?<=ConvertTo-)SecureString\s+(?:-AsPlainText\s+|-Force\s+|-String\s+){0,3}["']([^"'\s$]{3,200})/diy,
  ],
  'net user': () => [new RegExp(`\\bnet user\\s+(?!/)["']?[^\\s"'/]{1,60}["']?\\s+(?![/*])${WORD}`, 'diy')],
  'zip -': () => [new RegExp(`\\bzip\\b[^\\n|;]{0,100}?\\s-P\\s?${WORD}`, 'dy')],
  '7z ': () => [new RegExp(`\\b7z\\s[^\\n|;]{0,100}?\\s-p${WORD}`, 'dy')],
  identified: () => [
    /(?<=\b(?:create|alter|grant)\b[^;]{0,300})\bidentified\s+(?:by|with\s+\w+\s+(?:by|as))\s+(?:password\s+)?["']([^"'\s]{1,200})/diy,
  ],
}

const PROGRAMS = Object.keys(COMMANDS)
const LONGEST_NAME = Math.max(...PROGRAMS.map(({ length }) => length))
/** 1 for each code that one of them begins with, letters in either case. */
const BEGINS = new Uint8Array(128)
for (const name of PROGRAMS) for (const first of [name[0]!, name[0]!.toUpperCase()]) BEGINS[first.charCodeAt(0)] = 1

const NONE: readonly Found[] = []

const made = new Map<string, RegExp[]>()

function formsOf(program: string): RegExp[] {
  let forms = made.get(program)
  if (!forms) {
    forms = COMMANDS[program]!()
    made.set(program, forms)
  }
  return forms
}

/** Passwords given to a program on its command line, `at` being where the program's name stands. */
export function commandsAt(text: string, at: number): readonly Found[] {
  // Most anchors are no programs: `key`, `token`, `auth`, and `iv` within a word.
  const second = text.charCodeAt(at + 1) | 32
  if (BEGINS[text.charCodeAt(at)] !== 1 || second === 0x76) return NONE
  const name = text.slice(at, at + LONGEST_NAME).toLowerCase()
  const key = PROGRAMS.find(known => name.startsWith(known))
  if (key === undefined) return NONE
  const out: Found[] = []
  for (const form of formsOf(key)) {
    form.lastIndex = at
    const found = form.exec(text)
    if (!found) continue
    const [start, end] = found.indices!.at(-1)!
    const value = text.slice(start, end)
    out.push({
      kind: 'password',
      name: key,
      sense: PASSWORD,
      link: 'command',
      quote: '',
      wrapped: false,
      start,
      end,
      text: value,
    })
  }
  return out
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
