import { describe, expect, it } from 'vitest'
import { found, value } from './made.ts'

const HEX = '1f9a03c4e87b52d06699ab17f1043dce'
const bytes = HEX.match(/../g)!
const C = bytes.map(byte => `0x${byte}`).join(', ')
const NUMBERS = bytes.map(byte => Number.parseInt(byte, 16)).join(', ')
const SIGNED = bytes.map(byte => (Number.parseInt(byte, 16) << 24) >> 24).join(', ')

describe('a key that is written as a list of bytes is found', () => {
  it.each([
    ['c', `static const unsigned char aes_key[16] = {${C}};`],
    ['c', `static const uint8_t secret_key[] = {\n  ${C},\n};`],
    ['java', `private static final byte[] SECRET_KEY = new byte[] { ${SIGNED} };`],
    ['java', `byte[] key = { ${bytes.map(byte => `(byte) 0x${byte}`).join(', ')} };`],
    ['python', `KEY = [${NUMBERS}]`],
    ['python', `iv = bytes([${NUMBERS}])`],
    ['go', `var hmacKey = []byte{${C}}`],
    ['rust', `const ENCRYPTION_KEY: [u8; 16] = [${C}];`],
    ['javascript', `const key = new Uint8Array([${NUMBERS}])`],
    ['kotlin', `val secretKey = byteArrayOf(${SIGNED})`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language).map(one => one.value)).toEqual([HEX])
  })

  it('and a password that is written as a list of characters', () => {
    const password = value('{lower:6}{digits:2}')
    const letters = [...password].map(letter => `'${letter}'`).join(', ')
    expect(found(`char[] password = { ${letters} };`, 'java')).toEqual([{ kind: 'password', value: password }])
  })
})

describe('a list of numbers is no key', () => {
  it.each([
    ['c', 'static const unsigned char key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};'],
    ['c', `unsigned char key[16] = {${'0x00, '.repeat(15)}0x00};`],
    ['c', 'static const int key_sizes[] = {16, 24, 32, 48, 64, 96, 128, 192, 256};'],
    ['c', `static const uint8_t public_key[] = {${C}};`],
    ['c', `static const unsigned int release_keys[] = {${C}};`],
    ['c', `static const u8 keycodes[] = {${C}};`],
    [
      'c',
      'key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};',
    ],
    ['javascript', 'const key = rgb(18, 52, 254)'],
    ['python', 'ipsAuthCred = MibIdentifier((1, 3, 6, 1, 2, 1, 141, 1, 7))'],
    ['python', 'token_ids = [101, 2023, 2003, 1037, 3231, 102]'],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})
