import type { GenericClass } from '../../../base/records/secret-detector.ts'
import { classifyWord, stripNumber } from './word-kind.ts'
import { toSet } from './word-set.ts'
import { isDigit, splitName } from './words-of.ts'

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
  // What scripts wait for, whichever letter it begins with: `expect "assword:"`.
  'assword',
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
  'pepper',
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

/** Words before `key` that make it one of a lock. */
const KEY_WORDS = toSet(
  'api access secret private priv pvt auth authentication authorization encryption encrypt encrypted decryption decrypt crypt crypto cipher signing sign signature master license licence service app application account storage shared session client server aes des hmac rsa ssh gpg consumer maps google aws azure stripe twilio sendgrid mailgun admin security root wep wpa preshared subscription integration deploy activation symmetric cookie csrf jwt mac firebase algolia datadog openai github gitlab slack telegram instrumentation ssl tls pgp dsa ec ecdsa ed25519 xor hash site recaptcha captcha rest dev developer my user write wireguard vpn',
)

/** Words that make a name say nothing secret, whatever else is in it. */
const OPEN = toSet('public pub pubkey thumbprint fingerprint nopasswd keepass')

/** Words after which a name means something about the secret, or something else altogether. */
const OTHER = toSet(
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
    'not no is has can should need needs require requires use uses using of for to from with without get show hide visible toggle display char chars',
)
/** Words after which a name still means the secret itself. */
const NEUTRAL = toSet(
  'new string str value val text plain plaintext clear cleartext data hex base64 b64 raw default prod production dev development staging live literal const constant',
)
/** Words before a key that make it a key of something else than a lock. */
const NO_LOCK = toSet(
  'public pub primary foreign sort partition hot arrow shortcut map dict cache object row unique natural translation message lookup index sorting group grouping registry config setting property enter return escape tab space delete home end function',
)

/** Words before a token that make a place in a list or a signal of it. */
const NO_TOKEN = toSet('next previous prev page continuation continue cancellation cancel sync resume start end')
/** Words before `pass` that make a verb of it, or say to which kind of server a request is passed. */
const NO_PASSWORD = toSet(
  'proxy uwsgi fastcgi scgi grpc memcached by single first second third render two one multi no not did test tests must will per reverse',
)

const memory = new Map<string, NameSense | null>()
const MOST_NAMES = 50_000

/** What a name says, null where it names no secret. The same name is split only once. */
export function classifyName(name: string): NameSense | null {
  let found = memory.get(name)
  if (found === undefined) {
    found = read(splitName(name))
    if (memory.size > MOST_NAMES) memory.clear()
    // A copy: as it came, the name is a window on the text of its file, and would keep all of that in memory.
    memory.set(Buffer.from(name).toString(), found)
  }
  return found
}

function read(words: readonly string[]): NameSense | null {
  if (words.some(word => OPEN.has(word))) return null
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
  const rest = words.slice(at + 1).filter(word => !isNumber(word, word.length) && !NEUTRAL.has(word))
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
  const known = classifyWord(word)
  switch (known) {
    case null:
      return null
    case 'password':
      if (word === 'pass' && previous !== undefined && NO_PASSWORD.has(previous)) return null
      return { kind: known, strength: PASSWORD_STRENGTH[word] ?? 1 }
    case 'secret':
      return { kind: known, strength: 0.9 }
    case 'token':
      if (previous !== undefined && NO_TOKEN.has(previous)) return null
      return { kind: known, strength: word === 'token' && count === 1 ? 0.6 : 0.8 }
    case 'credential':
      return { kind: 'secret', strength: 0.6 }
    case 'auth':
      return { kind: known, strength: 0.5 }
    case 'salt':
      return { kind: known, strength: word.includes('seed') || word.includes('iv') ? 0.3 : 0.6 }
    case 'key':
      return ofKey(word, previous, further)
  }
}

function locks(word: string): boolean {
  return KEY_WORDS.has(word) || ((word.startsWith('aes') || word.startsWith('des')) && isNumber(word.slice(3)))
}

/** Whether all of it, one to `most` characters, is digits. */
function isNumber(text: string, most = 4): boolean {
  if (text.length === 0 || text.length > most) return false
  for (let at = 0; at < text.length; at++) if (!isDigit(text.charCodeAt(at))) return false
  return true
}

/** What passwords' words say by themselves that may mean something else. */
const PASSWORD_STRENGTH: Record<string, number> = {
  pw: 0.6,
  clave: 0.6,
  parol: 0.6,
  parola: 0.6,
  passe: 0.6,
  pass: 0.8,
  psk: 0.8,
}
const KEY = toSet('key keys')
/** Words between the one that locks and the key: `aws_access_key`. */
const BETWEEN = toSet('access account secret private shared signing')

function ofKey(
  word: string,
  previous: string | undefined,
  further: string | undefined,
): Pick<NameSense, 'kind' | 'strength'> | null {
  if (!KEY.has(stripNumber(word)!)) return { kind: 'key', strength: 0.8 }
  if (previous === undefined) return { kind: 'key', strength: 0.2 }
  // The key of a function that a cloud runs is one, that on a keyboard is none.
  if (NO_LOCK.has(previous) && !(previous === 'function' && further === 'azure')) return null
  const locked = locks(previous) || (further !== undefined && locks(further) && BETWEEN.has(previous))
  return { kind: 'key', strength: locked ? 0.8 : 0.2 }
}
