import type { GenericClass } from '../../../base/records/secret-detector.ts'
import { isProgramWord, looksMade } from './shape.ts'
import { type Found, PASSWORD } from './special.ts'

/** Users of whom a call is given the password next. */
const USERS = ['admin', 'administrator', 'root']

/**
 * Texts of which one stands before a password that no name leads to: a user as an argument, routers' words for who may ask, a sentence. None ends behind
 * the stem of a name that it holds (`key`, `pw`, `salt`): such a name would be come by first.
 */
export const SPOKEN_STEMS: readonly string[] = [
  ...USERS.flatMap(user => [`("${user}",`, `('${user}',`]),
  ...['server community', 'rocommunity', 'rwcommunity'],
  ...['login with ', 'log in with ', 'login as ', 'log in as ', 'login: `'],
  ...['fi key', 'isakmp k', 'radius-server ', 'tacacs-server ', 'digest-k', 'snmp-server user ', 'neighbor '],
  ...['standby ', 'ospf a', ' : eap "', ' : xau', 'unprotect ', '.open "', 'btoa(', '64encode(', '64_encode('],
  ...['register =', 'createuser ', 'sqlconnec', 'serv identi', 'pragma k', 'sp_addlogin '],
  ...['mastera', '{noop}', '{plain}', '{cleartext}', 'rootp', 'private"', 'private=', 'smtp.', 'gen_sal'],
]

const KEPT_IN_CLEAR = /\{(?:noop|plain|cleartext)\}([^\s"'`<>,;:{}$]{4,80})/iy

/** What such a place begins with, and what it is as a whole: the password is the last group, and may be a word where the form is sure. */
const FORMS: readonly (readonly [begins: string, form: () => RegExp, kind?: GenericClass, sure?: 'sure'])[] = [
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
  // Routers' words for what two of them share.
  ['isakmp ', () => /isakmp key (?:[06] )?([^\s"'<>]{6,80}) (?:address|hostname)\b/y, 'password', 'sure'],
  ['radius-', () => /radius-server [^\n"'<>]{0,120}?\bkey (?:[0567] )?([^\s"'<>]{6,80})/y, 'password', 'sure'],
  ['tacacs-', () => /tacacs-server [^\n"'<>]{0,120}?\bkey (?:[0567] )?([^\s"'<>]{6,80})/y, 'password', 'sure'],
  ['digest-', () => /digest-key \d{1,3} md5 (?:[07] )?([^\s"'<>]{5,60})/y, 'password', 'sure'],
  ['snmp-se', () => /snmp-server user [^\n"'<>]{1,80}? auth (?:md5|sha\S{0,5}) ([^\s"'<>]{8,64})/y, 'password', 'sure'],
  ['neighbo', () => /neighbor [\w.:-]{2,40} password (?:[057] )?([^\s"'<>]{5,80})/y, 'password', 'sure'],
  [
    'standby ',
    () => /standby \d{1,4} authentication (?:md5 key-string |text )?(?:[07] )?([^\s"'<>]{5,60})(?=[ \t]*(?:\r?\n|$))/y,
    'password',
    'sure',
  ],
  ['ospf aut', () => /ospf authentication-key (?:[07] )?([^\s"'<>]{5,60})(?=[ \t]*(?:\r?\n|$))/y, 'password', 'sure'],
  // What strongSwan keeps for a user.
  [': eap "', () => /: EAP "([^"\n]{4,60})"/y, 'password', 'sure'],
  [': xauth ', () => /: XAUTH "([^"\n]{4,60})"/y, 'password', 'sure'],
  // Visual Basic's calls without parentheses.
  ['unprotec', () => /unprotect[ (](?:Password:=)?"([^"\n]{4,40})"/iy, 'password', 'sure'],
  ['.open "', () => /\.open "[^"\n]{1,200}", ?"[\w.\\-]{1,40}", ?"([^"\n]{4,60})"/iy, 'password', 'sure'],
  // User and password, as the header of a request takes them.
  ['btoa(', () => /btoa\((["'`])[\w.@-]{2,40}:([^"'`\s:$<>{}%]{5,60})\1\)/y, 'password', 'sure'],
  ['64encode', () => /64encode\(b?(["'])[\w.@-]{2,40}:([^"'\s:$<>{}%]{5,60})\1/y, 'password', 'sure'],
  ['64_encod', () => /64_encode\((["'])[\w.@-]{2,40}:([^"'\s:$<>{}%]{5,60})\1/y, 'password', 'sure'],
  ['rootpw ', () => /rootpw --plaintext ([^\s"'<>$]{5,60})/y, 'password', 'sure'],
  // A line of Asterisk's that signs on at another exchange, SNMP's users, ProFTPD's database, an IRC service, SQLCipher and SQL Server.
  ['register', () => /register => [\w.+-]{1,60}:([^\s:@/]{4,60})@(?=[\w.-])/y, 'password', 'sure'],
  ['createus', () => /createuser [\w.-]{1,40} (?:md5|sha(?:-?\d{3})?) "?([^\s"'<>$]{8,60})"?/iy, 'password', 'sure'],
  [
    'sqlconne',
    () => /sqlconnectinfo[ \t]+\S{1,80}[ \t]+[\w.-]{1,40}[ \t]+"?([^\s"'<>$]{4,60})"?/iy,
    'password',
    'sure',
  ],
  ['serv ide', () => /serv identify (?:[\w-]{1,30} )?([^\s"'<>$()[\]\\|]{5,60})(?=["'\s]|$)/iy, 'password', 'sure'],
  ['pragma k', () => /pragma key\s?=\s?["']([^"'\n$]{4,80})["']/iy, 'password', 'sure'],
  [
    'sp_addlo',
    () => /sp_addlogin (?:@\w+ ?= ?)?N?'[^'\n]{1,60}', ?(?:@\w+ ?= ?)?N?'([^'\n$]{4,60})'/iy,
    'password',
    'sure',
  ],
  // What a replica of Redis gives its master.
  ['masterau', () => /masterauth[ \t]{1,4}["']?([^\s"'<>$]{4,80})["']?(?=[ \t]*(?:\r?\n|$))/y, 'password', 'sure'],
  // What says before a password that it is kept in clear.
  ['{noop}', () => KEPT_IN_CLEAR, 'password', 'sure'],
  ['{plain}', () => KEPT_IN_CLEAR, 'password', 'sure'],
  ['{cleart', () => KEPT_IN_CLEAR, 'password', 'sure'],
  ['fi key', () => /fi key(?:[ \t]+is|:)[ \t]+[`"'*]{0,2}([^\s`"'*<>]{8,63})(?=[`"'*\s.,;]|$)/iy],
  ['private', () => /private["']?\s?[:=]\s?["'](?:0x)?([0-9a-fA-F]{64})["']/y, 'key'],
  ['login: ', () => /login: `[\w.@-]{2,40}` ?[/:] ?`([^`\s]{5,60})`/iy],
  // What Postfix says behind a server's name: `[smtp.host.io]:587 user:…`.
  ['smtp.', () => /(?<=(?:^|\n)\[?)smtp\.[\w.-]{3,60}\]?(?::\d{2,5})?[ \t]+[\w.@+-]{1,60}:([^\s:]{5,60})(?=\s|$)/y],
  ['gen_sal', () => /(?<=\bcrypt\(\s?'([^'\s]{5,60})',\s?)gen_salt\(/iy],
  ['login ', () => /login (?:with|as) ([\w.@-]{2,40}):([^\s"'`,;:/<>]{6,40})(?=[\s.,;)"']|$)/iy],
  ['log in', () => /log in (?:with|as) ([\w.@-]{2,40}):([^\s"'`,;:/<>]{6,40})(?=[\s.,;)"']|$)/iy],
  [
    'log',
    () => /log ?in (?:with|as) `[\w.@-]{2,40}`(?: ?[/:] ?|,? and | with |, )(?:(?:the )?password )?`([^`\s]{4,60})`/iy,
  ],
]

/** The password behind such a text, `at` being where it begins. */
export function readSpoken(text: string, at: number): Found | undefined {
  const begin = text.slice(at, at + 8).toLowerCase()
  for (const way of FORMS) {
    if (!begin.startsWith(way[0])) continue
    const [, form, kind = 'password', sure] = way
    const found = foundAt(text, at, form(), kind, sure === 'sure')
    if (found) return found
  }
  return undefined
}

/** A word that no program and no sentence about one would put there: `password`, `KEY`, `string`. */
function isOwnWord(value: string): boolean {
  return /^(?!.*(?:pass|secret|your|key|word|string))[a-z][a-z-]{3,}$/.test(value) && !isProgramWord(value)
}

/** What a form finds, where it looks made up, or is a word behind what is `sure` to come before a password. */
function foundAt(text: string, at: number, form: RegExp, kind: GenericClass, sure: boolean): Found | undefined {
  form.lastIndex = at
  const value = form.exec(text)?.at(-1)
  if (value === undefined || !(looksMade(value, false) || (sure && isOwnWord(value)))) return undefined
  const start = text.lastIndexOf(value, form.lastIndex - value.length)
  return {
    kind,
    name: kind,
    sense: { ...PASSWORD, kind },
    link: 'login',
    quote: '"',
    wrapped: false,
    start,
    end: start + value.length,
    text: value,
  }
}
