import { wordlist } from '@scure/bip39/wordlists/english.js'

/** Bits that a word stands for: there are 2,048. */
const WORD_BITS = 11

/** Phrases that tools hand out to everybody, so that nobody keeps anything behind them: Truffle's, and Ganache's with `--deterministic`. */
const HANDED_OUT = new Set([
  'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat',
  'myth like bonus scare over problem client lizard pioneer submit female collect',
])

let places: Map<string, number> | undefined

/**
 * Whether a text is a recovery phrase of a wallet (BIP-39): 12, 15, 18, 21 or 24 words of the English list, of which the last bits are
 * the first ones of the SHA-256 of all before. A phrase that says a word three times or two words twice was chosen by somebody to show
 * what one looks like; of random ones of 24 words, one in a hundred does.
 */
export function isMnemonic(text: string): boolean {
  const words = text.split(/\s+/)
  if (words.length < 12 || words.length > 24 || words.length % 3 !== 0) return false
  if (new Set(words).size < words.length - 1 || HANDED_OUT.has(words.join(' '))) return false
  places ??= new Map(wordlist.map((word, place) => [word, place]))
  let bits = ''
  for (const word of words) {
    const place = places.get(word)
    if (place === undefined) return false
    bits += place.toString(2).padStart(WORD_BITS, '0')
  }
  const entropy = bits.slice(0, -words.length / 3)
  const bytes = Uint8Array.from(entropy.match(/.{8}/g)!, octet => Number.parseInt(octet, 2))
  return bits === entropy + checkBits(bytes)
}

/** The phrase (BIP-39) of 16, 20, 24, 28 or 32 bytes. */
export function encodeMnemonic(entropy: Uint8Array): string {
  const bits = Array.from(entropy, byte => byte.toString(2).padStart(8, '0')).join('') + checkBits(entropy)
  return bits
    .match(new RegExp(`.{${WORD_BITS}}`, 'g'))!
    .map(word => wordlist[Number.parseInt(word, 2)])
    .join(' ')
}

/** One bit of the SHA-256 for every four bytes. Node's module is loaded for it only here: a commit hook has no time for it otherwise. */
function checkBits(entropy: Uint8Array): string {
  const first = process.getBuiltinModule('node:crypto').createHash('sha256').update(entropy).digest()[0]!
  return first
    .toString(2)
    .padStart(8, '0')
    .slice(0, entropy.length / 4)
}
