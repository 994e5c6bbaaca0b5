import type { GenericClass } from '../detector.ts'

/** What the name beside a value says of it. */
export interface NameSense {
  kind: GenericClass
  /** The name ends with the word that says so (`db_password`), rather than going on (`password_hint`). */
  last: boolean
  /** How much the words say by themselves, from 0 to 1: `password` 1, `key` alone little. */
  strength: number
  /** A word that makes of it something else: an id, a name, a length, a field of a form. */
  other: boolean
}

/**
 * Texts of which one is in every name that is looked at, in lower case; they go into the automaton of the one pass over a file's
 * bytes, so a file without them costs nothing more.
 */
export const NAME_STEMS = [
  'pass',
  'pwd',
  'pw',
  'secret',
  'token',
  'key',
  'auth',
  'cred',
  'salt',
  'nonce',
  'seed',
  'bearer',
  'senha',
  'clave',
  'contras',
  'kennwort',
  'parol',
  'motdepasse',
  'iv',
  'psk',
  'wachtwoord',
  'geheim',
  'heslo',
  'haslo',
  'hasło',
  'lösenord',
  'losenord',
  'kodeord',
  'adgangskode',
  'salasana',
  'jelsz',
  'sifre',
  'şifre',
  'パスワード',
  '비밀번호',
  '密码',
  '口令',
  'пароль',
] as const

const PASSWORD =
  /^(?:[a-z]{0,12}(?:password|passwd|passwrd|passphrase|passcode|passwort|passwords|pswd|paswd|pwd)|pwds|pass|pw|psk|kennwort|senha|clave|contrasena|contraseña|contrasenya|parola?|пароль|密码|口令|パスワード|비밀번호|motdepasse|passe|passord|[a-z]{0,10}wachtwoord|heslo|has[lł]o|l[oö]senord|kodeord|adgangskode|salasana|jelsz[oó]|[sş]ifre|geheim)\d{0,2}$/
/** Whose `pass` or `pw` a password is where both are run together: `dbpass`. */
const WHOSE_PASS = setOf(
  'user db my admin root smtp ftp mail ssh login auth key store keystore ldap mysql new old default test http proxy sudo web api conn imap bind access email jdbc vnc wifi require master host server client cert p12 jks trust session app account site wp pg redis mongo die restart send recv receive oper link peer remote local service sys super guest operator sender relay upload sync backup repl monitor agent daemon node cluster channel irc nickserv sasl krb kerberos radius snmp priv socks wlan wpa sign pfx pem zip archive pdf disk luks crypt vault enc dec unlock boot rdp smb samba sftp rest mq mqtt amqp rabbit kafka elastic jenkins git svn nexus jira',
)
const SECRET = /^(?:[a-z]{0,12})secrets?\d{0,2}$/
/** What a token is for where both are run together: `authtoken`. */
const WHOSE_TOKEN = setOf(
  'auth access api bot bearer refresh id csrf xsrf session user oauth jwt my app device github gitlab slack security deploy push test client ci npm registry vault',
)
/** What a key is for where both are run together: `apikey`. */
const WHOSE_KEY = setOf(
  'api access secret private priv pvt auth encryption encrypt crypt crypto cipher signing sign signature master license licence service app application account storage shared session client server aes des des3 hmac rsa ssh gpg host consumer maps google aws azure stripe twilio sendgrid mail admin security root wep wpa pre preshared subscription publishable write read integration deploy activation product serial symmetric cookie csrf jwt token mac data dec enc',
)
/** Words before `key` that make it one of a lock. */
const KEY_WORDS = setOf(
  'api access secret private priv pvt auth authentication authorization encryption encrypt encrypted decryption decrypt crypt crypto cipher signing sign signature master license licence service app application account storage shared session client server aes des hmac rsa ssh gpg consumer maps google aws azure stripe twilio sendgrid mailgun admin security root wep wpa preshared subscription integration deploy activation symmetric cookie csrf jwt mac firebase algolia datadog openai github gitlab slack telegram instrumentation ssl tls pgp dsa ec ecdsa ed25519 xor hash site recaptcha captcha rest dev developer my user write wireguard vpn',
)

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/** What stands before one of the endings in a word that ends so, digits after it aside; undefined where it does not. */
function before(word: string, endings: RegExp): string | undefined {
  const found = endings.exec(word)
  return found ? word.slice(0, found.index) : undefined
}

const isPassword = (word: string): boolean =>
  PASSWORD.test(word) || WHOSE_PASS.has(before(word, /(?:pass|pw)\d{0,2}$/) ?? '')

const isToken = (word: string): boolean => {
  const whose = before(word, /tokens?\d{0,2}$/)
  return whose === '' || (whose !== undefined && WHOSE_TOKEN.has(whose)) || /^(?:jwt|pat|bearer)\d{0,2}$/.test(word)
}

const isKey = (word: string): boolean => {
  const whose = before(word, /keys?\d{0,2}$/)
  return whose === '' || (whose !== undefined && WHOSE_KEY.has(whose)) || /^psk\d{0,2}$/.test(word)
}

const locks = (word: string): boolean => KEY_WORDS.has(word) || /^(?:aes|des)\d{1,4}$/.test(word)

const AUTH = /^(?:authorization|auth|authentication|basicauth|httpauth|authheader|userauth|bauth)$/
const CREDENTIAL = /^(?:credentials?|creds?)$/
const SALT = /^(?:[a-z]{0,10}salt|[a-z]{0,8}nonce|cnonce|iv|initvector|[a-z]{0,6}seed)\d{0,2}$/

/** Words after which a name means something about the secret, or something else altogether. */
const OTHER = new Set(
  (
    'id ids name names field fields label labels type types url urls uri path paths file files filename count counts length len size max min policy policies hint hints regex ' +
    'regexp pattern error errors err message messages msg text title prompt public pub pubkey column columns index idx expires expiry expiration expire ttl timeout age ' +
    'required enabled disabled enable disable valid invalid validation validator validate strength check checker manager provider service factory handler helper ' +
    'input inputs output form button dialog view page link help info desc description placeholder confirm confirmation reset change changed forgot forgotten update updated ' +
    'attempts attempt retry retries min max rule rules format encoding encoder algorithm change must sum db row algo alg digest method mode class classes cls ' +
    'parser tokenizer map list array set dict table prefix suffix separator delimiter sep header headers param params parameter parameters arg args attr attribute ' +
    'property prop guid uuid option options setting settings flag flags key_id keyid ref reference location source store dir directory endpoint callback cb fn func function ' +
    'event events state status code codes number num position pos style color colour icon selector xpath css locator element el exists present missing kind scope scopes ' +
    'issuer audience usage bytes bits version date time timestamp created modified at by ring chain board press down up stroke event word words frame generator gen generate var variable env ' +
    'verification verify verified group section category tag tags schema module import primary foreign unique sort partition bucket cache lookup ' +
    'not no is has can should need needs require requires use uses using of for to from with without get show hide visible toggle display char chars'
  ).split(' '),
)
/** Words after which a name still means the secret itself. */
const NEUTRAL = new Set(
  'string str value val text plain plaintext clear cleartext data hex base64 b64 raw default prod production dev development staging live literal const constant'.split(
    ' ',
  ),
)
/** Words before a key that make it a key of something else than a lock. */
const NO_LOCK = new Set(
  'public pub primary foreign sort partition hot arrow shortcut map dict cache object row unique natural translation message lookup index sorting group grouping registry config setting property enter return escape tab space delete home end function'.split(
    ' ',
  ),
)

/** Words before a token that make a place in a list or a signal of it. */
const NO_TOKEN = new Set(
  'next previous prev page continuation continue cancellation cancel sync resume start end'.split(' '),
)
/** Words before `pass` that make a verb of it. */
const NO_PASSWORD = new Set(
  'proxy by single first second third render two one multi no not did test tests must will per reverse'.split(' '),
)

const memory = new Map<string, NameSense | null>()
const MOST_NAMES = 50_000

/** What a name says, null where it names no secret. The same name is split only once. */
export function senseOf(name: string): NameSense | null {
  let found = memory.get(name)
  if (found === undefined) {
    found = read(wordsOf(name))
    if (memory.size > MOST_NAMES) memory.clear()
    // A copy: as it came, the name is a window on the text of its file, and would keep all of that in memory.
    memory.set(Buffer.from(name).toString(), found)
  }
  return found
}

/** The words of an identifier, in lower case: `DB_rootPassword2` → db, root, password2. */
export function wordsOf(name: string): string[] {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
  // Letters of all scripts are a class that takes a millisecond to compile, and few names have any but the Latin ones.
  const words = /^[\x00-\x7f]*$/.test(spaced) ? spaced.split(/[^a-z0-9]+/) : spaced.split(/[^\p{L}\p{M}0-9]+/u)
  return words.filter(word => word !== '')
}

function read(words: readonly string[]): NameSense | null {
  if (words.some(word => /^(?:public|pub|pubkey|nopasswd|keepass)$/.test(word))) return null
  let best: NameSense | null = null
  let at = -1
  words.forEach((word, index) => {
    const sense = readWord(word, words[index - 1], words[index - 2], words.length)
    // The last word says what the thing is: the salt of a password is a salt.
    const decides = sense !== null && index === words.length - 1 && sense.strength >= 0.5
    if (sense && (best === null || decides || sense.strength >= best.strength)) {
      best = { ...sense, last: false, other: false }
      at = index
    }
  })
  if (best === null) return null
  const sense: NameSense = best
  const rest = words.slice(at + 1).filter(word => !/^\d+$/.test(word) && !NEUTRAL.has(word))
  sense.last = rest.length === 0
  sense.other =
    rest.some(word => OTHER.has(word)) ||
    words.slice(0, at).some(word => word === 'public' || word === 'no' || word === 'is' || word === 'has')
  return sense
}

function readWord(
  word: string,
  previous: string | undefined,
  further: string | undefined,
  count: number,
): Pick<NameSense, 'kind' | 'strength'> | null {
  if (isPassword(word)) {
    if (word === 'pass' && previous !== undefined && NO_PASSWORD.has(previous)) return null
    return {
      kind: 'password',
      strength:
        word === 'pw' || word === 'clave' || word === 'parol' || word === 'passe'
          ? 0.6
          : word === 'pass' || word === 'psk'
            ? 0.8
            : 1,
    }
  }
  if (SECRET.test(word)) return { kind: 'secret', strength: 0.9 }
  if (isToken(word) && previous !== undefined && NO_TOKEN.has(previous)) return null
  if (isToken(word)) return { kind: 'token', strength: word === 'token' && count === 1 ? 0.6 : 0.8 }
  if (CREDENTIAL.test(word)) return { kind: 'secret', strength: 0.6 }
  if (AUTH.test(word)) return { kind: 'auth', strength: 0.5 }
  if (SALT.test(word)) return { kind: 'salt', strength: /seed|iv/.test(word) ? 0.3 : 0.6 }
  if (isKey(word)) {
    if (!/^keys?\d{0,2}$/.test(word)) return { kind: 'key', strength: 0.8 }
    // The key of a function that a cloud runs is one, that on a keyboard is none.
    if (previous !== undefined && NO_LOCK.has(previous) && !(previous === 'function' && further === 'azure'))
      return null
    const locked =
      previous !== undefined &&
      (locks(previous) ||
        (further !== undefined &&
          locks(further) &&
          /^(?:access|account|secret|private|shared|signing)$/.test(previous)))
    return { kind: 'key', strength: locked ? 0.8 : 0.2 }
  }
  return null
}
