import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kind, parse, type SgNode } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../engine/base/languages/languages.ts'
import { lex } from '../../../engine/detect/lexer/lexer.ts'
import { getGrammarName } from '../../../engine/detect/syntax/grammar.ts'
import { growth, SQUARE } from '../../made/effort.ts'
import fc from '../../made/property.ts'

const LEXED = [...LANGUAGES.values()].filter(({ lexis }) => lexis).map(({ name }) => name)

/** Pieces out of which trouble is made: every delimiter of the language, and those of others. */
function pieces(language: string): string[] {
  const { line = [], block = [], strings = [] } = LANGUAGES.get(language)!.lexis!
  const own = [
    ...line.map(({ open }) => open),
    ...block.flatMap(({ open, close }) => [open, close]),
    ...strings.flatMap(({ open, close, interpolations = [] }) => [
      open,
      close ?? open,
      ...interpolations.flatMap(i => [i.open, i.close]),
    ]),
  ]
  const others = [
    '"',
    "'",
    '`',
    '/',
    '\\',
    '#',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '<<EOF',
    'EOF',
    '<<<A',
    '<?',
    '?>',
    '%q(',
    's/',
    '$"',
    '"""',
    'r#"',
    'R"x(',
    '|',
    '>',
    '-',
    ':',
    '=',
    '~S',
  ]
  return [...own, ...others, '\n', '\r\n', ' ', 'a', '0', 'é', '😀', '\u2028', '\0']
}

describe('the lexer, on any text', () => {
  test.each(LEXED)('ends in %s, with spans that are ordered, disjoint and inside the text', language => {
    const text = fc.array(fc.constantFrom(...pieces(language)), { maxLength: 60 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: text }, fc.string({ unit: 'binary', maxLength: 80 })), source => {
        let behind = 0
        for (const { start, end } of lex(language, source).spans()) {
          expect(start).toBeGreaterThanOrEqual(behind)
          expect(end).toBeGreaterThan(start)
          behind = end
        }
        expect(behind).toBeLessThanOrEqual(source.length)
      }),
      { numRuns: 60 },
    )
  })

  test('is the same whether it is read at once or a little at a time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LEXED), fc.infiniteStream(fc.nat()), (language, dice) => {
        const stock = pieces(language)
        const source = [...dice.take(50)].map(n => stock[n % stock.length]).join('')
        const slow = lex(language, source)
        for (let offset = 0; offset < source.length; offset++) slow.contextAt(offset)
        expect(slow.spans()).toEqual(lex(language, source).spans())
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    ['bash', 'a <<b '],
    ['bash', '"$('],
    ['javascript', '=/['],
    ['javascript', '`${'],
    ['javascript', '{/**/ /'],
    ['perl', ' s(a)('],
    ['ruby', ' %q('],
    ['ruby', 'x <<~A '],
    ['html', '<script>/*</script>'],
    ['html', '<script type="text/x">'],
    ['yaml', 'a: |'],
    ['yaml', `${'- '.repeat(20_000)}a|\n`],
    ['rust', '/*'],
    ['python', 'f"{'],
    ['php', '<?php <<<A\n'],
  ])('takes time linear to the text in %s for %j again and again', (language, piece) => {
    const read = (length: number) => lex(language, piece.repeat(Math.ceil(length / piece.length))).spans()
    expect(growth(read, 100_000)).toBeLessThan(SQUARE)
  })
})

describe('the lexer, beside a grammar', () => {
  test('finds the comments of this project where ast-grep finds them', () => {
    const grammar = getGrammarName('typescript')
    expect(kind(grammar, 'comment')).toBeGreaterThan(0)
    let comments = 0
    for (const path of readdirSync('engine', { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue
      const text = readFileSync(join('engine', path), 'utf8')
      const parsed = parse(grammar, text)
        .root()
        .findAll({ rule: { kind: 'comment' } })
      const expected = parsed.map((node: SgNode) => node.text())
      const found = lex('typescript', text)
        .spans()
        .filter(({ context }) => context === 'comment')
      expect(
        found.map(({ start, end }) => text.slice(start, end)),
        path,
      ).toEqual(expected)
      comments += found.length
    }
    expect(comments).toBeGreaterThan(100)
  })
})
