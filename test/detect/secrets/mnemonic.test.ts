import { entropyToMnemonic, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { describe, expect, test } from 'vitest'
import { encodeMnemonic, isMnemonic } from '../../../engine/detect/secrets/mnemonic.ts'
import fc from '../../made/property.ts'

const sizes = fc.constantFrom(16, 20, 24, 28, 32)
const bytes = sizes.chain(size => fc.uint8Array({ minLength: size, maxLength: size }))
const repeats = (phrase: string) => phrase.split(' ').length - new Set(phrase.split(' ')).size

describe('a recovery phrase of a wallet', () => {
  test('is written as the reference implementation writes it', () => {
    fc.assert(fc.property(bytes, entropy => encodeMnemonic(entropy) === entropyToMnemonic(entropy, wordlist)))
  })

  test('is known by its words and its checksum, as the reference implementation knows it', () => {
    const words = fc
      .constantFrom(12, 13, 15, 18, 21, 24)
      .chain(count => fc.uniqueArray(fc.constantFrom(...wordlist), { minLength: count, maxLength: count }))
      .map(chosen => chosen.join(' '))
    const phrases = fc.oneof(
      bytes.map(entropy => encodeMnemonic(entropy)).filter(phrase => repeats(phrase) < 2),
      words,
    )
    fc.assert(
      fc.property(phrases, phrase => isMnemonic(phrase) === validateMnemonic(phrase, wordlist)),
      { numRuns: 500 },
    )
  })

  test('that repeats itself, or that a tool hands out to everybody, is none', () => {
    for (const shown of [
      'legal winner thank year wave sausage worth useful legal winner thank yellow',
      'test test test test test test test test test test test junk',
      'candy maple cake sugar pudding cream honey rich smooth crumble sweet treat',
      'myth like bonus scare over problem client lizard pioneer submit female collect',
    ]) {
      expect(validateMnemonic(shown, wordlist)).toBe(true)
      expect(isMnemonic(shown)).toBe(false)
    }
  })
})
