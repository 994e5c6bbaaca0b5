/* Values that are made to be given away, known by their own form. */

/** The identity of a peer, its message or its blob (Scuttlebutt): a public key or a digest of 32 bytes, and what it is. A private key has 64 bytes. */
const PEER = /^[@%&]?[A-Za-z0-9+/]{43}=\.(?:ed25519|sha256)$/
/** The name of a signing key, which stands where Git asks for the key: the algorithm, and a selector that is too short for a key. */
const SELECTOR = /^(?:ed25519|openpgp|rsa|ecdsa):[\w.-]{1,24}$/
/** The first bytes of a public key of OpenPGP (RFC 9580, 4.2 and 5.5.2): tag 6 in the old or new form. A secret key has tag 5. */
const OLD_TAG = 0x98
const NEW_TAG = 0xc6
const VERSIONS: ReadonlySet<number> = new Set([3, 4, 5, 6])
const SHORTEST_KEY = 100

/** Whether a value is public by what it is: the identity of a peer, the name of a key, a public key of OpenPGP in base64. */
export function isPublicValue(value: string): boolean {
  return PEER.test(value) || SELECTOR.test(value) || isPublicKey(value)
}

/** A character or two by their numbers, as style sheets write icons: `"\\f21b"` (CSS Syntax 3, 4.3.7). */
const CHARACTERS = /^(?:\\{1,2}[0-9A-Fa-f]{4,6} ?){1,2}$/

/** Whether a value, as it is written, is a character of a font. */
export function isIcon(written: string): boolean {
  return CHARACTERS.test(written)
}

/** Whether base64 begins with a packet that holds a public key. */
function isPublicKey(value: string): boolean {
  if (value.length < SHORTEST_KEY || !/^[mx][A-Za-z0-9+/]{31}/.test(value)) return false
  const bytes = Buffer.from(value.slice(0, 32), 'base64')
  const tag = bytes[0]!
  // In the old form the two lowest bits say how many bytes the length has; in the new one the length's own first byte does.
  const header =
    (tag & 0xfc) === OLD_TAG
      ? [2, 3, 5, 1][tag & 3]!
      : tag === NEW_TAG
        ? bytes[1]! < 192
          ? 2
          : bytes[1]! < 224
            ? 3
            : 6
        : undefined
  return header !== undefined && VERSIONS.has(bytes[header]!)
}

/** A number on the line of a value, with the name before it. */
const NUMBERED = /^[ \t]*[\w.:-]{1,80}[ \t]*[=:][ \t]*["']?(\d{5,12})["']?,?[ \t]*\r?$/
/** How many lines on either side are looked at, how far a neighbor's number may be, and how many such neighbors make an enumeration. */
const BESIDE = 3
const STEP = 4096
const NEIGHBORS = 3
const REACH = 400

/** Whether a value is a number in a row of names with numbers close to it, as identifiers of resources and events are written. */
export function isEnumerated(text: string, start: number, end: number, value: string): boolean {
  if (!/^\d{5,12}$/.test(value)) return false
  const before = text
    .slice(Math.max(0, start - REACH), start)
    .split('\n')
    .slice(-1 - BESIDE, -1)
  const after = text
    .slice(end, end + REACH)
    .split('\n')
    .slice(1, 1 + BESIDE)
  const own = Number(value)
  return (
    [...before, ...after].filter(line => {
      const number = NUMBERED.exec(line)?.[1]
      return number !== undefined && number.length === value.length && Math.abs(Number(number) - own) <= STEP
    }).length >= NEIGHBORS
  )
}

/** What a comment says of a key that its maker gives to everybody. */
const GIVEN_TO_ALL =
  /\bpublic(?:ly)?[ \t]+(?:known[ \t]+|available[ \t]+|shared[ \t]+)?(?:beta[ \t]+|test[ \t]+|demo[ \t]+|api[ \t]+){0,3}(?:key|token)\b/i
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*|#|--|;)/
const MOST_COMMENT = 12

/** Whether the comment right above a value's line says that its key is public. */
export function isSaidPublic(text: string, start: number): boolean {
  const lines = text
    .slice(Math.max(0, start - 1200), start)
    .split('\n')
    .slice(-1 - MOST_COMMENT, -1)
  for (let at = lines.length - 1; at >= 0 && COMMENT_LINE.test(lines[at]!); at--)
    if (GIVEN_TO_ALL.test(lines[at]!)) return true
  return false
}

/** The test for equality that stands before a value, and what a program does where it holds: it complains. */
const EQUAL = /(?:[^!=]={2,3}|\.(?:equals|equalsIgnoreCase)\()[ \t]{0,4}["'`]$/
const COMPLAINS = /\b(?:warn\w*|error\w*|fatal|throw|raise|die|panic|abort|exit)\b/i
const UNTIL = 160

/** Whether a program compares with a value in order to complain that it has not been replaced. */
export function isRefused(text: string, start: number, end: number): boolean {
  if (!EQUAL.test(text.slice(Math.max(0, start - 40), start))) return false
  const consequence = text.slice(end, end + UNTIL).split(/\}|\belse\b/)[0]!
  return COMPLAINS.test(consequence)
}

/** Whether a constant of a grammar names the sign that it stands for: `EOF_TOKEN = "eofmark"`. */
export function isSyntaxToken(name: string, value: string): boolean {
  const sign = /(?:^|[.:])([A-Z]{3,20})_TOKEN$/.exec(name)?.[1]
  return sign !== undefined && /^[a-z]{3,16}$/.test(value) && value.includes(sign.toLowerCase())
}

/** Whether a call makes an entry of Unix's database of users, whose first field is the user: `set_passwd("amy", 1000)`. */
export function isUserEntry(text: string, name: string, end: number): boolean {
  return /(?:^|[_.])passwd$/.test(name) && /^["'],[ \t]{0,4}\d{1,10}[ \t]{0,4}\)/.test(text.slice(end, end + 24))
}

/** Whether a product with such a word in its name is given the short form of the name: `"1Password" => "1password"`. */
export function isSlug(name: string, value: string): boolean {
  return /^\d\w*[A-Z]/.test(name) && value === name.toLowerCase()
}

/** Whether what looks like a name is a line of base64, in which any word may occur by chance. */
export function isEncodedName(name: string): boolean {
  return name.length >= 48 && /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/]+$/.test(name)
}
