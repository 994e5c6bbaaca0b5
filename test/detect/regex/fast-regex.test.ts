import { parse } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import { anchorAtStart, compileFastRegexes, toAsciiRegex } from '../../../engine/detect/regex/fast-regex.ts'
import fc from '../../made/property.ts'

/** Whether ast-grep, which is to say Rust's regex, finds the expression in an identifier. */
const finds = (regex: string, text: string) =>
  parse('JavaScript' as never, `'${text}'`)
    .root()
    .find({ rule: { kind: 'string_fragment', regex } } as never) !== null

describe('an ASCII expression', () => {
  test('takes classes and word boundaries as JavaScript does', () => {
    expect(toAsciiRegex('\\w[^a].')).toBe('(?-u)\\w(?u:[^a])(?u:.)')
    expect(finds(toAsciiRegex('^\\w+$'), 'abc_1')).toBe(true)
    expect(finds(toAsciiRegex('^\\w+$'), 'é')).toBe(false)
    expect(finds(toAsciiRegex('\\bfoo\\b'), 'a foo b')).toBe(true)
    expect(finds(toAsciiRegex('\\bfoo\\b'), 'afoo b')).toBe(false)
    expect(finds(toAsciiRegex('^[\\w-]+\\s[^\\s]$'), 'a-b c')).toBe(true)
  })

  test('leaves alone what is escaped', () => {
    expect(toAsciiRegex('\\\\w\\$\\.')).toBe('(?-u)\\\\w\\$\\.')
    expect(toAsciiRegex('[]^.]')).toBe('(?-u)[]^.]')
  })

  test('leaves alone what speaks of more than ASCII', () => {
    for (const source of ['\\p{L}+', 'é\\w', '[ä-ü]']) expect(toAsciiRegex(source)).toBe(source)
  })

  test('still takes any character where the expression says so', () => {
    expect(finds(toAsciiRegex('^a.b$'), 'aéb')).toBe(true)
    expect(finds(toAsciiRegex('^a[^x]b$'), 'aéb')).toBe(true)
    expect(finds(toAsciiRegex('(?i)^TOKEN\\W'), 'token→')).toBe(true)
  })

  test('agrees with JavaScript on ASCII text', () => {
    const piece = fc.constantFrom(
      '\\w',
      '\\d',
      '\\s',
      '\\b',
      'a',
      '_',
      '[\\w.]',
      '[^\\s]',
      '\\W',
      '\\S',
      '.',
      '[^a]',
      '[\\Wa]',
      '(?:a|\\d)',
      '\\.',
    )
    const text = fc.string({ unit: fc.constantFrom('a', '1', '_', ' ', '.', '-'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), text, (pieces, sample) => {
        const source = pieces.join('')
        expect(finds(toAsciiRegex(source), sample)).toBe(new RegExp(source).test(sample))
      }),
    )
  })

  test('replaces every regex of a rule, however deep', () => {
    expect(compileFastRegexes({ any: [{ regex: '\\d' }, { has: { regex: '\\d', kind: 'x' } }], regex: 'a' })).toEqual({
      any: [{ regex: '(?-u)\\d' }, { has: { regex: '(?-u)\\d', kind: 'x' } }],
      regex: '(?-u)a',
    })
  })
})

describe('an expression told to begin at the beginning', () => {
  test('finds what it found anywhere', () => {
    const piece = fc.constantFrom('a', 'b', '^a', 'a$', '^', '$', '|', '|', '(a|b)', '.', '\\b', 'ab', '(?i)A', '\n')
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '.'), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (pieces, sample) => {
        const source = pieces.join('')
        expect(finds(anchorAtStart(source), sample)).toBe(finds(source, sample))
      }),
      { numRuns: 1000 },
    )
  })

  test('passes over line breaks', () => {
    const node = (regex: string) =>
      parse('JavaScript' as never, '`x\ny`')
        .root()
        .find({ rule: { kind: 'template_string', regex } } as never)
    expect(node(anchorAtStart('y|z'))).not.toBeNull()
  })

  test('is left alone where its flags change what begins a line or what is text', () => {
    for (const source of ['(?m)^a|b', '(?x) a | b # or', '(?im)a|b', '(?x:a|b)'])
      expect(anchorAtStart(source)).toBe(source)
  })

  test('is not told so twice', () => {
    const once = compileFastRegexes({ regex: 'a|b' })
    expect(compileFastRegexes(once)).toEqual(once)
    expect(once.regex).not.toBe('a|b')
  })
})
