/** The words of an identifier, in lower case: `DB_rootPassword2` → db, root, password2. */
export function splitName(name: string): string[] {
  const words: string[] = []
  let start = 0
  let before = NO_WORD
  for (let at = 0; at <= name.length; at++) {
    const code = at < name.length ? name.charCodeAt(at) : 0
    if (code >= 128) return wordsOfAnyScript(name)
    const own = CLASS[code]!
    const begins =
      own === UPPER &&
      (before === LOWER || (before === UPPER && CLASS[name.charCodeAt(at + 1)] === LOWER && isLetter(name, at + 1)))
    if (at > start && (own === NO_WORD || begins)) words.push(name.slice(start, at).toLowerCase())
    if (own === NO_WORD) start = at + 1
    else if (begins) start = at
    before = own
  }
  return words
}

const NO_WORD = 0
const LOWER = 1
const UPPER = 2
/** Of ASCII characters: digits go with small letters. */
const CLASS = Uint8Array.from({ length: 128 }, (_, code) =>
  isDigit(code) || (code >= 97 && code <= 122) ? LOWER : code >= 65 && code <= 90 ? UPPER : NO_WORD,
)

function isLetter(name: string, at: number): boolean {
  return !isDigit(name.charCodeAt(at))
}

/** Letters of all scripts are a class that takes a millisecond to compile, and few names have any but the Latin ones. */
function wordsOfAnyScript(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}0-9]+/u)
    .filter(word => word !== '')
}

/** Whether a character's code is that of a decimal digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
