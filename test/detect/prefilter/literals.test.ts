import { describe, expect, test } from 'vitest'
import type { AstRule } from '../../../engine/base/records/rule.ts'
import { deriveRequirement } from '../../../engine/detect/file/requirement.ts'
import { buildLiteralTrie } from '../../../engine/detect/prefilter/literal-trie.ts'
import { deriveFromRegex, deriveFromRustRegex, deriveFromTextRegex } from '../../../engine/detect/prefilter/literals.ts'
import { makePrefilter } from '../../../engine/detect/prefilter/prefilter.ts'
import type { Requirement } from '../../../engine/detect/rules/requirement.ts'
import fc from '../../made/property.ts'

const texts = (requirement: Requirement) => requirement.map(clause => clause.map(({ text }) => text))
const ast = (rule: Record<string, unknown>, more: Partial<AstRule> = {}) =>
  deriveRequirement({ type: 'ast', languages: ['python'], rule, ...more } as AstRule)
const holds = (requirement: Requirement, text: string) =>
  requirement.every(clause => clause.some(literal => text.toLowerCase().includes(literal.text)))

describe('required literals of a regular expression', () => {
  test('are its literal runs', () => {
    expect(texts(deriveFromRegex('BEGIN [A-Z]+ PRIVATE KEY'))).toEqual([[' private key'], ['begin ']])
  })

  test('are one of the alternatives where there are some', () => {
    expect(texts(deriveFromRegex('(?:password|passwd)\\s*='))).toEqual([['passwd', 'password']])
  })

  test('leave out what may be absent', () => {
    expect(texts(deriveFromRegex('(?:secret)?key_id'))).toEqual([['key_id']])
    expect(deriveFromRegex('(?:secret)*')).toEqual([])
  })

  test('are none where one alternative has none', () => {
    expect(deriveFromRegex('password|\\d+')).toEqual([])
  })

  test('see through classes that differ in case only', () => {
    expect(texts(deriveFromRegex('[Pp]assword'))).toEqual([['password']])
  })

  test('read escapes as the rules mean them, and are none where that is not known', () => {
    expect(texts(deriveFromRegex('foo\\p{L}bar'))).toEqual([['foo'], ['bar']])
    expect(texts(deriveFromRegex('foo\\u{1F600}bar'))).toEqual([['foo'], ['bar']])
    expect(deriveFromRegex('\\Afoobar')).toEqual([])
  })

  test('hold for every text that the expression matches', () => {
    // A random expression, built together with a text that it matches.
    const leaf = fc
      .string({ unit: fc.constantFrom('a', 'b', 'K', '_', '1'), minLength: 1, maxLength: 5 })
      .map(text => ({ source: text, sample: text }))
    const { node } = fc.letrec<{ node: { source: string; sample: string } }>(tie => ({
      node: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc
          .tuple(tie('node'), tie('node'))
          .map(([a, b]) => ({ source: a.source + b.source, sample: a.sample + b.sample })),
        fc
          .tuple(tie('node'), tie('node'), fc.boolean())
          .map(([a, b, first]) => ({ source: `(?:${a.source}|${b.source})`, sample: first ? a.sample : b.sample })),
        fc.tuple(tie('node'), fc.nat(2)).map(([a, n]) => ({ source: `(?:${a.source})*`, sample: a.sample.repeat(n) })),
        fc
          .tuple(tie('node'), fc.integer({ min: 1, max: 3 }))
          .map(([a, n]) => ({ source: `(${a.source})+`, sample: a.sample.repeat(n) })),
        tie('node').map(a => ({ source: `(?:${a.source})?[xX]\\d`, sample: 'X7' })),
        tie('node').map(a => ({ source: `(?!zzz)${a.source}\\b`, sample: a.sample })),
      ),
    }))
    fc.assert(
      fc.property(node, ({ source, sample }) => {
        expect(holds(deriveFromRegex(source), sample)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('required literals of an expression over whole texts', () => {
  const called = (text: string) => ({ text, word: true, call: true })

  test('are words that are called, where it has them from end to end', () => {
    expect(deriveFromTextRegex('\\b(?:p?Read|md[45])\\s*\\(', true)).toEqual([
      ['md4', 'md5', 'pread', 'read'].map(called),
    ])
    expect(deriveFromTextRegex('\\b(?<!x )popen\\(')).toEqual([[called('popen')], [{ text: 'popen(', word: false }]])
  })

  test('are words where nothing may stand between them and a call', () => {
    expect(deriveFromTextRegex('\\bpopen\\s*\\(')).toEqual([[{ text: 'popen', word: true }]])
    expect(deriveFromTextRegex('\\breturn\\s+x')).toEqual([[{ text: 'return', word: true }]])
  })

  test.each(['\\bread\\w*\\(', '\\bread', '\\bread\\s*\\w', '\\Bread\\b', '\\bread[a(]'])(
    'are parts of words in %s',
    source => {
      expect(deriveFromTextRegex(source, true)).toEqual([[{ text: 'read', word: false }]])
    },
  )

  test('leave no text out that it matches', () => {
    const word = fc.constantFrom(
      'read',
      'p?read',
      '(?:v|kv)?free',
      'md[245]',
      '(?:get|put)(?:_all)?',
      '\\w+read',
      'read\\w*',
    )
    const end = fc.constantFrom('\\s*\\(', '\\(', '\\s+x', '\\b', '\\s*', '\\s*x', ',', '(?=\\()')
    const part = fc.tuple(fc.constantFrom('\\b', '\\b(?!re)', '\\B', ''), word, end).map(parts => parts.join(''))
    const piece = fc.constantFrom(
      'read',
      'pread',
      'free',
      'kvfree',
      'md5',
      'get',
      'put_all',
      '_',
      '(',
      ' ',
      '\n',
      ',',
      'x',
      'ä',
    )
    const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''))
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean(), text, (parts, isFree, code) => {
        const source = parts.join('|')
        const trie = buildLiteralTrie([deriveFromTextRegex(source, isFree)])
        const filter = makePrefilter(trie, Int32Array.of(0), { asksForAnchors: false })
        filter.scan(new TextEncoder().encode(code))
        expect(filter.admits(0) || !new RegExp(source, 'mu').test(code)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('required literals of an expression of Rust', () => {
  test('are those of the text, whatever Rust alone has around it', () => {
    expect(texts(deriveFromRustRegex('\\Afoobar\\z'))).toEqual([['foobar']])
    expect(texts(deriveFromRustRegex('(?i)foo\\-bar\\_key'))).toEqual([['foo-bar_key']])
    expect(texts(deriveFromRustRegex('foo\\\\Abar'))).toEqual([['foo\\abar']])
  })

  test('are none where JavaScript would read something else', () => {
    for (const source of ['(?x)foo bar', '\\pLfoobar', '[[:alpha:]]foobar', 'foo\\x{41}bar', '\\<foobar'])
      expect(deriveFromRustRegex(source), source).toEqual([])
  })
})

describe('required literals of an ast-grep rule', () => {
  test('are none of a pattern that matches without the words of the grammar', () => {
    expect(ast({ pattern: { context: 'let value = $A', strictness: 'ast' } }, { languages: ['javascript'] })).toEqual(
      [],
    )
  })

  test('are the words of its pattern, not its metavariables', () => {
    expect(
      texts(ast({ pattern: 'yaml.load($DATA, $$$REST)' }))
        .flat()
        .sort(),
    ).toEqual(['load', 'yaml'])
  })

  test('add up over what must hold together, relations included', () => {
    expect(
      texts(
        ast({ all: [{ pattern: 'foo($A)' }, { inside: { pattern: 'with bar($B): $$$C', stopBy: 'end' } }] }),
      ).flat(),
    ).toEqual(expect.arrayContaining(['foo', 'bar', 'with']))
  })

  test('take nothing from what must not hold', () => {
    expect(texts(ast({ pattern: 'foo($A)', not: { pattern: 'foo("quiet")' } }))).toEqual([['foo']])
  })

  test('are one clause for rules of which any may hold', () => {
    expect(texts(ast({ any: [{ pattern: 'eval($A)' }, { pattern: 'exec($A)' }] }))).toEqual([['eval', 'exec']])
  })

  test('use a constraint only where the pattern always captures its variable', () => {
    const constraints = { ALG: { regex: '^(?:md5|sha1)$' } }
    expect(texts(ast({ pattern: 'hash($ALG)' }, { constraints }))).toContainEqual(['md5', 'sha1'])
    expect(
      texts(ast({ any: [{ pattern: 'hash($ALG)' }, { pattern: 'digest($X)' }] }, { constraints })).flat(),
    ).not.toContain('md5')
  })

  test('are those of the selected node where a pattern has a context', () => {
    const rule = { pattern: { context: 'void outer() { strcpy($DST, $SRC); }', selector: 'call_expression' } }
    expect(texts(ast(rule, { languages: ['c'] }))).toEqual([['strcpy']])
  })

  test('keep a name whole that holds an underscore and a capital', () => {
    const rule = { pattern: { context: 'void outer() { SSL_CTX_free($CTX); }', selector: 'call_expression' } }
    expect(texts(ast(rule, { languages: ['c'] }))).toEqual([['ssl_ctx_free']])
  })

  test('are none for a rule by kind alone, so that it looks at every file', () => {
    expect(ast({ kind: 'catch_clause' })).toEqual([])
  })
})
