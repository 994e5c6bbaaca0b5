import { describe, expect, it } from 'vitest'
import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { runGeneric } from '../../../engine/detect/secrets/generic/run.ts'
import { growth, SQUARE } from '../../made/effort.ts'
import { found, looked, value } from './made.ts'

const hex = (digits: number, seed: string) => value(`{hex:${digits}}`, seed)
const KEY = hex(64, 'key')
const SURE = 0.7

/** How sure the surest finding in a text is, 0 where there is none. */
const surest = (text: string, language: string) =>
  Math.max(0, ...runGeneric(text, findAnchors(text), language, false).map(({ confidence }) => confidence))

const IV = hex(32, 'iv')
const CHOSEN = value('{base62:8}', 'chosen')
const PLAIN = hex(64, 'plain')
const SEALED = hex(64, 'sealed')

describe('a key beside what a cipher makes of it is a known answer, and no sure finding', () => {
  it.each([
    ['go', `{\n\tkey: "${KEY}",\n\tnonce: "${hex(24, 'n')}",\n\tinput: "${PLAIN}",\n\toutput: "${SEALED}",\n},`],
    [
      'go',
      `key: dehex("${KEY}"),\nnonce: dehex("${hex(24, 'n')}"),\nplaintext: dehex("${PLAIN}"),\nciphertext: dehex("${SEALED}"),`,
    ],
    ['rust', `let pt = "${PLAIN}";\nlet ct = "${SEALED}";\nlet key = "${KEY}";\nlet iv = "${IV}";`],
    ['json', `{"key": "${KEY}", "iv": "${IV}", "aad": "", "msg": "${PLAIN}", "tag": "${hex(32, 't')}"}`],
    ['text', `Key = ${KEY}\nIV = ${IV}\nPlaintext = ${PLAIN}\nCiphertext = ${SEALED}`],
    ['python', `salt = unhexlify("${IV}")\nikm = unhexlify("${PLAIN}")\nokm = unhexlify("${SEALED}")`],
    ['text', `import_key:"${KEY}":TYPE_AES:128:1`],
    ['go', `{"secret", "${KEY}"},\n{"secret2", "${SEALED}"},`],
    ['rust', 'let key = "2b7e151628aed2a6abf7158809cf4f3c";'],
  ])('in %s: %s', (language, text) => {
    expect(surest(text, language)).toBeLessThan(SURE)
  })
})

describe('a key in use stays a sure finding', () => {
  it.each([
    ['python', `SIGNING_KEY = "${KEY}"`],
    ['javascript', `const box = { key: '${hex(64, 'b')}', iv: '${IV}' }`],
    [
      'dotenv',
      ['APP_KEY', 'SESSION_SECRET', 'ENCRYPTION_KEY', 'CSRF_KEY', 'COOKIE_SECRET']
        .map(name => `${name}=${hex(64, name)}`)
        .join('\n'),
    ],
    ['yaml', `signing_key: ${KEY}\nhash: ${hex(40, 'h')}`],
    ['json', `[{"name": "bob", "api_key": "${hex(32, 'x')}"}, {"name": "amy", "api_key": "${hex(32, 'y')}"}]`],
  ])('in %s: %s', (language, text) => {
    expect(surest(text, language)).toBeGreaterThanOrEqual(SURE)
  })
})

describe('bytes written as letters and signs hold no names', () => {
  const made = `L)PW_T=${value('{ALNUM:9}')}@-5W`
  const line = (end: string) => `J?GMYQ<"DEL"N&A@${made}\`S9W2DU9A5/'${'LQGM4*9TW[;'.repeat(3)}`.slice(0, end.length)

  it.each([
    ['uuencode', `M${'A3$K'.repeat(15)}\nM${line('0'.repeat(60))}\nM${'A3$K'.repeat(15)}\n`],
    [
      'Ascii85',
      `Gb".!#CINAeM%Kj4*>2jb\\Z\`reQ1+u<$lX5(IJ+d[P^F2o]@?:;&,-/_${made.replace('@', ')')}${'h&Sd2[Q'.repeat(8)}\n`,
    ],
  ])('in %s', (_, text) => {
    expect(looked(text, 'text').length).toBeGreaterThan(0)
    expect(found(text, 'text')).toEqual([])
  })
})

it('takes time in step with the length of a file of vectors', () => {
  const block = `key: "${KEY}",\ninput: "${PLAIN}",\noutput: "${SEALED}",\n`
  expect(growth(count => found(block.repeat(count), 'go'), 400)).toBeLessThan(SQUARE)
})

it.each([
  ['csv', 'user,password,'],
  ['python', `users = {"bob": "${CHOSEN}", `],
  ['python', `md5("${CHOSEN}" + password) `],
  ['conf', 'tacacs-server key smtp.acme.io bob:'],
])('takes time in step with the length of a line of %s: %s', (language, unit) => {
  expect(growth(count => found(unit.repeat(count), language), 1000, 3)).toBeLessThan(SQUARE)
})
