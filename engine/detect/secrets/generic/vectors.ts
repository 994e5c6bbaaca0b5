/* The known answers by which programs test ciphers, MACs and hashes: a key beside what goes in and what comes out. */

/**
 * What an algorithm is given and gives back, and nobody keeps secret, given hexadecimal digits: `plaintext: "…"`, `ct = …`,
 * `expected = hex::decode("…")`, `Output: …`.
 */
const DATA =
  /((?:plain|cipher|crypt)_?te?xt|additional_?(?:authenticated_?)?data|associated_?data|encrypted|decrypted|expect(?:ed)?|message|digest|returned_?bits|(?<![A-Za-z])(?:[pc]t|aad|adata?|msg|input|output|in|out|src|dst|data|result|want|got|md|mac|hash|sig|signature|okm|ikm|prk|tag|info|entropy|plain|cipher))_?(?:data|text|bytes|hex|tag|value|mac|hash|\d{1,2})?["'\]]?[ \t]{0,12}(?::=|=>|[:=])\s{0,8}(?:[\w.:&]{1,30}\([ \t]{0,4}){0,2}[bx]?["']?(?:0x)?[0-9a-fA-F]{16}/gi
const HEX = /^(?:0x)?[0-9a-fA-F\s]{16,}$/
/** Keys and counters of the standards' own examples, which every test of a cipher has. */
const STANDARD =
  /^(?:0x)?(?:2b7e151628aed2a6|603deb1015ca71be|8e73b0f7da0e6452|feffe9928665731c|f0f1f2f3f4f5f6f7|0001020304050607|4041424344454647)/i
/** How far a record of vectors reaches around its key. */
const REACH = 700
/** So many values that go in and come out make a file of vectors; fewer make an example, where both stand by the key. */
const MANY = 4

/** Where a value stands that goes in or comes out, and under which name. */
interface Given {
  name: string
  start: number
}

let last: { text: string; given: Given[] } | undefined

/**
 * Whether a value is the key, the nonce or the salt of a known answer: hexadecimal digits beside those that an algorithm turns into
 * others. A key by itself, or several under names of their own, is none.
 */
export function isVector(text: string, start: number, end: number, value: string): boolean {
  if (!HEX.test(value)) return false
  if (STANDARD.test(value) || isInRow(text, start, end) || isOfAnswers(text, start, end)) return true
  if (last?.text !== text) {
    const given = Array.from(text.matchAll(DATA), ({ index, 1: name }) => ({ name: name!.toLowerCase(), start: index }))
    last = { text, given }
  }
  const { given } = last
  const names = new Set<string>()
  for (let at = firstFrom(given, start - REACH); at < given.length && given[at]!.start < end + REACH; at++)
    names.add(given[at]!.name)
  return names.size >= 2 || (names.size === 1 && given.length >= MANY)
}

/** Whether colons part a quoted value from its neighbours on either side, as in a file of arguments for tests, and in no other notation. */
function isInRow(text: string, start: number, end: number): boolean {
  const isQuoted = text[start - 1] === '"' && text[end] === '"'
  return isQuoted && text[start - 2] === ':' && text[end + 1] === ':'
}

/** Whether rows of a text and its digest follow one another: `{"secret", "…"}, {"secret2", "…"}`. */
function isOfAnswers(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 160), start)
  if (!/[{([]\s?["'][^"'\n]{0,60}["'],\s?["']$/.test(before)) return false
  const row = /[{([]\s?["'][^"'\n]{0,60}["'],\s?["'](?:0x)?[0-9a-f]{32,128}["']\s?[})\]]/i
  return row.test(before) || row.test(text.slice(end + 1, end + 240))
}

/** The first of the places, ascending, that begins at `from` or behind it. */
function firstFrom(given: readonly Given[], from: number): number {
  let low = 0
  let high = given.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (given[middle]!.start < from) low = middle + 1
    else high = middle
  }
  return low
}
