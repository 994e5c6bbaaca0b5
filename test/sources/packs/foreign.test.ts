import { describe, expect, test } from 'vitest'
import { checkPack } from '../../../engine/sources/packs/import/check.ts'
import { makeDraft } from '../../../engine/sources/packs/import/import.ts'
import { makeText } from '../../../engine/sources/packs/import/made-examples.ts'
import { parseSource } from '../../../engine/sources/packs/import/source.ts'

/** The rules taken over and the reasons for those left out, by id. */
async function imported(text: string, format?: 'ast-grep' | 'semgrep') {
  const draft = makeDraft(parseSource(text, 'rules.yaml'), { id: 'theirs', ...(format && { format }) })
  const { pack, written } = await checkPack(draft, [])
  return {
    rules: Object.fromEntries(written.map(rule => [rule.id, rule])),
    pack,
    leftOut: Object.fromEntries(draft.left_out.map(({ id, reason }) => [id, reason])),
    places: Object.fromEntries(draft.left_out.map(({ id, place }) => [id, place.line])),
  }
}

describe('ast-grep rule files', () => {
  test('keep their rule object; tests among the documents become examples', async () => {
    const { rules, pack } = await imported(`id: no-alert
language: JavaScript
severity: error
message: An alert stops the page. Use a dialog.
note: Show a dialog instead.
rule:
  pattern: alert($MSG)
---
id: no-alert
valid: ["confirm('x')"]
invalid: ["alert('x')", "alert(text)"]
`)
    expect(rules['no-alert']).toMatchObject({
      type: 'ast',
      title: 'An alert stops the page',
      severity: 'high',
      languages: ['javascript'],
      remediation: 'Show a dialog instead.',
      rule: { pattern: 'alert($MSG)' },
      match: ["alert('x')", 'alert(text)'],
      clean: ["confirm('x')"],
    })
    expect(pack.languages).toEqual(['javascript'])
  })

  test('get examples made of their pattern where they bring none', async () => {
    const { rules } = await imported(
      'id: no-eval\nlanguage: ts\nmessage: No eval here.\nrule:\n  pattern: eval($CODE)\n',
    )
    expect(rules['no-eval']!.match).toEqual(['eval(value_code)'])
    expect(rules['no-eval']!.clean).toEqual(['other(value_code)'])
  })

  test.each([
    ['severity: "off"', 'its severity is off'],
    ['rewriters: []', 'its key rewriters has no counterpart'],
    ['fix: { template: x, expandEnd: { regex: "," } }', 'its fix is not a plain string'],
  ])('are left out for %s, with the reason and the line', async (line, reason) => {
    const text = `id: kept-rule\nlanguage: js\nrule: { pattern: "alert($A)" }\n---\nid: odd-rule\nlanguage: js\nrule: { pattern: "eval($A)" }\n${line}\n`
    const { rules, leftOut, places } = await imported(text)
    expect(Object.keys(rules)).toEqual(['kept-rule'])
    expect(leftOut['odd-rule']).toBe(reason)
    expect(places['odd-rule']).toBe(5)
  })
})

describe('Semgrep rules', () => {
  const one = (body: string, languages = '[python]') =>
    `rules:\n  - id: the-rule\n    languages: ${languages}\n    severity: ERROR\n    message: Do not do this here.\n${body.replace(/^/gm, '    ')}\n  - id: kept-rule\n    languages: [python]\n    severity: INFO\n    message: Kept.\n    pattern: print($X)\n`

  test.each([
    ['pattern: os.system(...)', { pattern: 'os.system($$$)' }],
    ['pattern: run($X, ..., shell=True)', { pattern: 'run($X, $$$, shell=True)' }],
    ['pattern: run($...ARGS)', { pattern: 'run($$$ARGS)' }],
    [
      'pattern-either:\n  - pattern: exec($X)\n  - pattern: eval($X)',
      { any: [{ pattern: 'exec($X)' }, { pattern: 'eval($X)' }] },
    ],
    [
      'patterns:\n  - pattern: open($X)\n  - pattern-not: open("a")',
      { all: [{ pattern: 'open($X)' }, { not: { pattern: 'open("a")' } }] },
    ],
  ])('%s says the same', async (body, rule) => {
    const { rules } = await imported(one(body))
    expect(rules['the-rule']).toMatchObject({ type: 'ast', severity: 'high', rule })
  })

  test('an expression is taken with its flag', async () => {
    const { rules } = await imported(one('pattern-regex: (?i)api_key\\s*=\\s*[a-f0-9]{8}', '[generic]'))
    expect(rules['the-rule']).toMatchObject({ type: 'regex', regex: 'api_key\\s*=\\s*[a-f0-9]{8}', ignore_case: true })
  })

  test('CWE numbers, references and paths come along', async () => {
    const { rules } = await imported(
      one(
        'pattern: os.system(...)\nmetadata:\n  cwe: ["CWE-78: OS command injection"]\n  references: [https://example.com/a]\npaths:\n  exclude: [tests]',
      ),
    )
    expect(rules['the-rule']).toMatchObject({
      cwe: ['CWE-78'],
      references: ['https://example.com/a'],
      exclude_files: ['**/tests'],
    })
  })

  test.each([
    ['mode: taint\npattern: f($X)', /mode is taint/],
    ['pattern: |\n  a = 1\n  ...\n  b(a)', /several lines/],
    ['pattern: f("...")', /any string/],
    ['pattern: f(<... $X ...>)', /deep expressions/],
    ['pattern: f((int $X))', /metavariable with a type/],
    ['pattern: $X. ... .close()', /chain of calls/],
    ['pattern: f(a=1, b=2)', /named arguments/],
    ['patterns:\n  - pattern: f($X)\n  - focus-metavariable: $X', /focus-metavariable has no counterpart/],
    ['pattern-regex: (?<=a)b\\Z', /not valid in JavaScript/],
    ['pattern-regex: (a|a|b)*c$x', /backtrack without bound|no valid examples/],
    ['pattern: f($X)\npattern-regex: f', /both/],
    ['pattern: f($X, shell=True, ...)', /no valid examples could be generated/],
  ])('is left out: %s', async (body, reason) => {
    const { rules, leftOut } = await imported(one(body))
    expect(Object.keys(rules)).toEqual(['kept-rule'])
    expect(leftOut['the-rule']).toMatch(reason)
  })

  test('a file of which nothing can be taken is refused, with every reason', async () => {
    const text = 'rules:\n  - id: a-b\n    languages: [python]\n    severity: ERROR\n    message: M.\n    mode: join\n'
    await expect(imported(text)).rejects.toMatchObject({
      code: 'PACK_INVALID',
      faults: [{ message: 'a-b: its mode is join', place: { file: 'rules.yaml', line: 2 } }],
    })
  })
})

test.each(['ab?c+', '(?:x|y)[a-f0-9]{4}\\d', '[^a-z]\\w\\s', '\\bfoo\\b'])(
  'the text made for %s is one that it matches',
  source => {
    expect(makeText(source)).toMatch(new RegExp(source, 'u'))
  },
)
