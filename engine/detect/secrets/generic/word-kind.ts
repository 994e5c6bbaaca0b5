import { toSet } from './word-set.ts'
import { isDigit } from './words-of.ts'

/*
 * A name is read by comparing its words' endings and looking them up, without regular expressions: tens of names stand in each file,
 * and an expression takes as long to compile as a commit hook has for a file.
 */

/** Words that are a password's by themselves. */
const PASSWORD_WORDS = toSet(
  'pwds pass assword pw psk kennwort senha clave contrasena contraseña contrasenya parol parola пароль 密码 口令 パスワード 비밀번호 motdepasse passe passord heslo haslo hasło losenord lösenord kodeord adgangskode salasana jelszo jelszó sifre şifre geheim',
)
/** How words of one run end that are a password's, and letters that may stand before at most. */
const PASSWORD_ENDINGS: readonly Ending[] = [
  ...endings('password passwd passwrd passphrase passcode passwort passwords pswd paswd pwd', 12),
  ...endings('wachtwoord', 10),
]
/** Whose `pass` or `pw` a password is where both are run together: `dbpass`. */
const WHOSE_PASS = toSet(
  'user db my admin root smtp ftp mail ssh login auth key store keystore ldap mysql new old default test http proxy sudo web api conn imap bind access email jdbc vnc wifi require master host server client cert p12 jks trust session app account site wp pg redis mongo die restart send recv receive oper link peer remote local service sys super guest operator sender relay upload sync backup repl monitor agent daemon node cluster channel irc nickserv sasl krb kerberos radius snmp priv socks wlan wpa sign pfx pem zip archive pdf disk luks crypt vault enc dec unlock boot rdp smb samba sftp rest mq mqtt amqp rabbit kafka elastic jenkins git svn nexus jira',
)
const SECRET_ENDINGS = endings('secret secrets', 12)
/** What a token is for where both are run together: `authtoken`. */
const WHOSE_TOKEN = toSet(
  'auth access api bot bearer refresh id csrf xsrf session user oauth jwt my app device github gitlab slack security deploy push test client ci npm registry vault',
)
/** What a key is for where both are run together: `apikey`. */
const WHOSE_KEY = toSet(
  'api access secret private priv pvt auth encryption encrypt crypt crypto cipher signing sign signature master license licence service app application account storage shared session client server aes des des3 hmac rsa ssh gpg host consumer maps google aws azure stripe twilio sendgrid mail admin security root wep wpa pre preshared subscription publishable write read integration deploy activation product serial symmetric cookie csrf jwt token mac data dec enc',
)
type Ending = readonly [text: string, before: number]

function endings(words: string, before: number): Ending[] {
  return words.split(' ').map(word => [word, before])
}

/** The word without the digits at its end; undefined where these are more than two. */
export function stripNumber(word: string): string | undefined {
  let end = word.length
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) end--
  return word.length - end > 2 ? undefined : end === word.length ? word : word.slice(0, end)
}

/** Whether the word ends so, behind no more than so many letters from a to z. */
function endsInOne(word: string, ways: readonly Ending[]): boolean {
  return ways.some(way => word.endsWith(way[0]) && isOfLetters(word, word.length - way[0].length, way[1]))
}

/** Whether the first characters of a word, `most` of them at most, are letters from a to z. */
function isOfLetters(word: string, count: number, most: number): boolean {
  if (count > most) return false
  for (let at = 0; at < count; at++) {
    const code = word.charCodeAt(at)
    if (code < 97 || code > 122) return false
  }
  return true
}

/** What stands before one of the texts in a word that ends so; undefined where it does not. */
function before(word: string, ...texts: string[]): string | undefined {
  const text = texts.find(ending => word.endsWith(ending))
  return text === undefined ? undefined : word.slice(0, -text.length)
}

const TOKEN_WORDS = toSet('jwt pat bearer')
const AUTH = toSet('authorization auth authentication basicauth httpauth authheader userauth bauth')
const CREDENTIAL = toSet('credential credentials cred creds')
const SALT_WORDS = toSet('cnonce iv initvector')
const SALT_ENDINGS: readonly Ending[] = [
  ...endings('salt', 10),
  ...endings('nonce', 8),
  ...endings('seed', 6),
  ...endings('pepper', 8),
]

/** What a word names by itself; digits at its end, up to two, are no matter but to `auth` and `credential`. */
export type WordKind = 'password' | 'secret' | 'token' | 'credential' | 'auth' | 'salt' | 'key' | null

function kindOf(word: string): WordKind {
  const base = stripNumber(word)
  if (base !== undefined) {
    if (PASSWORD_WORDS.has(base) || endsInOne(base, PASSWORD_ENDINGS)) return 'password'
    if (WHOSE_PASS.has(before(base, 'pass', 'pw') ?? '')) return 'password'
    if (endsInOne(base, SECRET_ENDINGS)) return 'secret'
    const token = before(base, 'token', 'tokens')
    if (token === '' || (token !== undefined && WHOSE_TOKEN.has(token)) || TOKEN_WORDS.has(base)) return 'token'
  }
  if (CREDENTIAL.has(word)) return 'credential'
  if (AUTH.has(word)) return 'auth'
  if (base === undefined) return null
  if (SALT_WORDS.has(base) || endsInOne(base, SALT_ENDINGS)) return 'salt'
  const key = before(base, 'key', 'keys')
  return key === '' || (key !== undefined && WHOSE_KEY.has(key)) ? 'key' : null
}

/** Of words that were seen before: programs have far fewer words than names. */
const kinds = new Map<string, WordKind>()
const MOST_WORDS = 20_000

/** What a word of a name, in lower case, says by itself; the same word is read only once. */
export function classifyWord(word: string): WordKind {
  let kind = kinds.get(word)
  if (kind === undefined) {
    kind = kindOf(word)
    if (kinds.size > MOST_WORDS) kinds.clear()
    // A copy: as it came, the word may be a window on the text of its file, and would keep all of that in memory.
    kinds.set(Buffer.from(word).toString(), kind)
  }
  return kind
}
