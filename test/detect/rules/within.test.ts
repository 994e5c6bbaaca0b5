import { describe, expect, it } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { loadBuiltinRules, loadExamples } from '../../../engine/sources/packs/load.ts'
import { parseRule } from '../../../engine/sources/packs/parse.ts'

registerGrammars()

const rule = (more: string) => `
id: c-double-call
type: ast
title: a
message: b
severity: low
languages: [c]
remediation: c
within: function
rule: { pattern: { context: 'void f() { take($A); }', selector: call_expression } }
${more}
match: ['void f() { take(1); }']
clean: ['void f() { give(1); }']
`
const WHEN = String.raw`when: '\btake\s*\((?!0)'`

const made = (text: string) => parseRule(new TextEncoder().encode(text), 'a.yaml', 'test')

function scanned(rules: CompiledRule[], code: string, max_parse_bytes = 1 << 20) {
  const file = { path: 'a.c', language: 'c', in_test: false, bytes: new TextEncoder().encode(code) }
  const scan = scanFile(new RuleSet(rules), file, {
    rule_deadline_ms: 60_000,
    file_deadline_ms: 60_000,
    max_parse_bytes,
  })
  return scan
}

describe('a rule within functions', () => {
  it('finds what stands in the functions in which its expression matches, and says where in the file', async () => {
    const code =
      'int x;\n/* take(9) */\nvoid a(void) { give(0); }\nvoid b(int n)\n{\n\tgive(n); /* more */ take(n);\n}\n'
    const { matches, failures } = scanned([await made(rule(WHEN))], code)
    expect(failures).toEqual([])
    expect(matches.map(({ line, column, snippet }) => ({ line, column, snippet }))).toEqual([
      { line: 6, column: 22, snippet: '\tgive(n); /* more */ take(n);' },
    ])
  })

  it('does not have the rest of the file parsed', async () => {
    const long = 'void a(void) { give(0); }\n'.repeat(100)
    const { matches, failures } = scanned([await made(rule(WHEN))], `${long}void b(int n) { take(n); }\n`, 100)
    expect(failures).toEqual([])
    expect(matches).toHaveLength(1)
  })

  it('looks at the file as a whole where the expression matches outside of functions', async () => {
    const { matches } = scanned([await made(rule(WHEN))], 'int x = take(1);\nvoid b(int n) { take(n); }\n')
    expect(matches.map(({ line }) => line)).toEqual([1, 2])
  })

  it('looks at the file as a whole where a function may go on behind what was taken for its end', async () => {
    const guarded = rule(WHEN).replace(
      'rule: {',
      'rule: { not: { inside: { kind: function_definition, stopBy: end, regex: stop } },',
    )
    const code = 'void b(int n)\n{\nif (n) {\ntake(n);\n}\nstop();\n}\n'
    expect(scanned([await made(guarded)], code).matches).toEqual([])
    expect(scanned([await made(guarded)], code.replace('stop', 'halt')).matches).toHaveLength(1)
  })

  it('finds in a file of all examples what it finds in the whole of it', () => {
    const rules = loadBuiltinRules().filter(each => each.type === 'ast' && each.within)
    expect(rules.length).toBeGreaterThan(10)
    const examples = rules.flatMap(each => [...loadExamples(each).match, ...loadExamples(each).clean])
    const code = examples.map((each, index) => `/* of ${index} */\n${each.code}\nint id${index}(int a) { return a; }\n`)
    for (const each of rules) {
      const { within: _, ...whole } = each as CompiledRule & { within?: string }
      const places = (found: CompiledRule) => {
        const { matches, failures } = scanned([found], code.join('\n'))
        return {
          failures,
          at: matches.map(({ line, column, end_line, end_column }) => [line, column, end_line, end_column]),
        }
      }
      expect(places(each), each.id).toEqual(places(whole as CompiledRule))
    }
  })

  it('is refused without an expression, and of another language', async () => {
    for (const text of [rule(''), rule(WHEN).replace('[c]', '[java]')])
      await expect(made(text)).rejects.toMatchObject({ code: 'PACK_INVALID', faults: [{ message: /within/ }] })
  })
})
