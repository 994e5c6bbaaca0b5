import { describe, expect, it } from 'vitest'
import { classifyName } from '../../../engine/detect/secrets/generic/name.ts'
import { classifyWord } from '../../../engine/detect/secrets/generic/word-kind.ts'
import { splitName } from '../../../engine/detect/secrets/generic/words-of.ts'
import fc from '../../made/property.ts'

describe('the words of a name', () => {
  it.each([
    ['DB_rootPassword2', ['db', 'root', 'password2']],
    ['HTTPServerKEY', ['http', 'server', 'key']],
    ['x-auth-token', ['x', 'auth', 'token']],
    ['aB', ['a', 'b']],
    ['sha256Sum', ['sha256', 'sum']],
    ['--', []],
    ['żółtaBarka', ['żółta', 'barka']],
    ['größeKey', ['größe', 'key']],
  ])('%s', (name, words) => {
    expect(splitName(name)).toEqual(words)
  })

  it('begin where a capital follows a small letter or a digit, and before the last of several where a small letter follows', () => {
    const unit = fc.constantFrom('a', 'z', 'A', 'Z', '0', '_', '-', '.', ' ')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), name => {
        const spaced = name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').toLowerCase()
        expect(splitName(name)).toEqual(spaced.split(/[^a-z0-9]+/).filter(word => word !== ''))
      }),
    )
  })
})

describe('a word of a name', () => {
  it.each([
    ['password', 'password'],
    ['dbpassword2', 'password'],
    ['password123', null],
    ['sehrlangespassword', 'password'],
    ['vielzulangespassword', 'password'],
    ['einvielzulangespassword', null],
    ['dbpass', 'password'],
    ['bypass', null],
    ['compass', null],
    ['пароль', 'password'],
    ['clientsecret', 'secret'],
    ['secrets', 'secret'],
    ['secretary', null],
    ['authtoken', 'token'],
    ['jwt', 'token'],
    ['tokenizer', null],
    ['creds', 'credential'],
    ['creds2', null],
    ['authorization', 'auth'],
    ['author', null],
    ['cnonce', 'salt'],
    ['iv2', 'salt'],
    ['private', null],
    ['apikeys', 'key'],
    ['des3key', 'key'],
    ['monkey', null],
    ['keyboard', null],
    ['', null],
  ])('%s: %s', (word, kind) => {
    expect(classifyWord(word)).toBe(kind)
  })
})

describe('a name', () => {
  it.each([
    ['aws_access_key', { kind: 'key', strength: 0.8, last: true, other: false }],
    ['aes256_key', { kind: 'key', strength: 0.8, last: true, other: false }],
    ['primary_key', null],
    ['public_token', null],
    ['password_salt', { kind: 'salt', strength: 0.6, last: true, other: false }],
    ['password_hint', { kind: 'password', strength: 1, last: false, other: true }],
    ['tests_pass', null],
    ['next_token', null],
    ['token', { kind: 'token', strength: 0.6, last: true, other: false }],
    ['random_seed', { kind: 'salt', strength: 0.3, last: true, other: false }],
    ['secret_value_2', { kind: 'secret', strength: 0.9, last: true, other: false }],
  ])('%s', (name, sense) => {
    expect(classifyName(name)).toEqual(sense)
  })
})
