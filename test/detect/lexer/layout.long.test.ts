import { describe, expect, it } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { layOutOnOneLine } from '../../../engine/detect/lexer/layout.ts'
import { matchAcrossLines } from '../../../engine/detect/regex/fast-regex.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { readWritten } from '../../../engine/detect/taint/written.ts'
import { parseRule } from '../../../engine/sources/packs/parse.ts'

const oneLine = (language: string, text: string) => layOutOnOneLine(language, text)?.text ?? text

describe('a text on one line', () => {
  it('has calls whose arguments stand on lines of their own', () => {
    expect(oneLine('python', 'f(\n    a,\n    b=g(\n        c,\n    ),\n)\nh()')).toBe('f(a, b=g(c))\nh()')
    expect(oneLine('go', 'f(\n\ta,\n\tb,\n)')).toBe('f(a, b)')
  })

  it('has a call go on where a line begins or ends with a dot', () => {
    expect(oneLine('javascript', "crypto\n  .createHash('md5')\n  .digest()")).toBe("crypto.createHash('md5').digest()")
    expect(oneLine('php', '$a\n  ->b()\n  ?->c();')).toBe('$a->b()?->c();')
    expect(oneLine('go', 'a.\n\tB().\n\tC()')).toBe('a.B().C()')
    expect(oneLine('python', 'a = b\n.c')).toBe('a = b\n.c')
  })

  it('has no comments between signs and none of the line ends of Windows', () => {
    expect(oneLine('java', 'f(/* why */ a, // more\r\n  b);\r\ng();')).toBe('f(a, b);\ng();')
    expect(oneLine('yaml', 'a: 1\r\nb: 2')).toBe('a: 1\nb: 2')
  })

  it('keeps what stands in texts, and lines between statements, also behind a regular expression with a bracket', () => {
    const code = 'f("(\\n//,)")\nif (a) {\n  b()\n}\n'
    expect(oneLine('javascript', code)).toBe(code)
    expect(oneLine('javascript', 'x = /[(]/\nconst y = 1;\nz()')).toBe('x = /[(]/\nconst y = 1;\nz()')
  })

  it('says where its characters stood', () => {
    const code = 'a(\n  b, // c\n  d\n)'
    const laid = layOutOnOneLine('javascript', code)!
    for (const sign of 'abd') expect(code[laid.origin(laid.text.indexOf(sign))]).toBe(sign)
    expect(code[laid.origin(laid.text.indexOf(')'))]).toBe(')')
  })

  it('is made in time linear to a text of brackets, comments and texts that nobody closes', () => {
    for (const part of ['(', '/*', '`', "'", '(\n', '.\n', ')', '// \n', '"\\'])
      expect(oneLine('javascript', part.repeat(100_000)).length).toBeLessThanOrEqual(part.length * 100_000)
  })
})

const rule = (type: string, what: string) => `
id: js-double-call
type: ${type}
title: a
message: b
severity: low
languages: [javascript]
remediation: c
${what}
match: ['lib.take(one, 5)']
clean: [give(1)]
`

async function found(text: string, code: string) {
  registerGrammars()
  const rules = new RuleSet([await parseRule(new TextEncoder().encode(text), 'a.yaml', 'test')])
  const file = { path: 'a.js', language: 'javascript', in_test: false, bytes: new TextEncoder().encode(code) }
  const limits = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }
  const scan = scanFile(rules, file, limits)
  return scan.matches.map(match => [match.line, match.end_line])
}

describe('layout', () => {
  const WAYS: [code: string, lines: number[]][] = [
    ['lib.take(one, 5)', [1, 1]],
    ['lib.take(\n  one,\n  5,\n)', [1, 4]],
    ['lib\n  .take(one, 5)', [1, 2]],
    ['lib.take (one, 5)', [1, 1]],
    ['lib.take(/* why */ one, 5 /* more */)', [1, 1]],
    ['lib.take(// why\r\n  one,\r\n  5)', [1, 3]],
  ]

  it.each([
    ['an expression', rule('regex', String.raw`regex: '\blib\.take\(one, 5\)'`)],
    [
      'arguments by number',
      rule('ast', 'rule: { kind: call_expression, has: { field: arguments, has: { nthChild: 2, regex: ^5$ } } }'),
    ],
    ['the text of a node', rule('ast', String.raw`rule: { kind: call_expression, regex: '^[\w.]+\([^)]*5\)$' }`)],
  ])('is nothing to a rule by %s', async (_, text) => {
    for (const [code, lines] of WAYS) expect(await found(text, code), code).toEqual([lines])
  })
})

describe('an expression over nodes', () => {
  it('takes space around dots and parentheses of calls, outside of classes and before no quantifier', () => {
    expect(matchAcrossLines('^(http\\.)?get\\(a\\)')).toBe('^(http\\s*\\.\\s*)?get\\s*\\(\\s*a\\s*,?\\s*\\)')
    expect(matchAcrossLines('^[^.()\\)]\\(?\\.5\\\\)')).toBe('^[^.()\\)]\\(?\\.5\\\\)')
    expect(matchAcrossLines('[\\w.]+x')).toBe('(?:[\\w.]|\\s*\\.\\s*)+x')
  })
})

it('names what a call is sent to as on one line', () => {
  const code = "db\n  .collection(\n    'users'\n  )"
  expect(readWritten(code, { start: 0, end: code.length })).toBe("db.collection('users')")
})
