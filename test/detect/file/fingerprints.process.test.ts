import { describe, expect, test } from 'vitest'
import { ruleExamples, type Sample } from '../../../bench/soak/samples.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { loadBuiltinRules } from '../../../engine/sources/packs/load.ts'
import fc from '../../made/property.ts'

registerGrammars()
const rules = new RuleSet(loadBuiltinRules())
const limits = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

/** Languages in which a line further in means the same, and an empty line above nothing. */
const FREE = new Set([
  'javascript',
  'typescript',
  'java',
  'go',
  'c',
  'cpp',
  'csharp',
  'php',
  'rust',
  'kotlin',
  'scala',
  'swift',
])

/** Rules and identities of what is found in a text, in order. */
function found({ name, language }: Sample, text: string): string[] {
  const file = { path: `src/${name}`, language, in_test: false, bytes: new TextEncoder().encode(text) }
  const scan = scanFile(rules, file, limits)
  return scan.matches.map(({ rule, fingerprint }) => `${rules.rules[rule]!.id} ${fingerprint}`).sort()
}

const samples = ruleExamples().filter(
  ({ language, text }) => FREE.has(language) && text.length < 20_000 && !/`|"""|\\\r?\n|<<<|@"|R"|\r/.test(text),
)
// Every seventh, since looking for findings in all takes longer than the test.
const withFindings = samples.filter((sample, index) => index % 7 === 0 && found(sample, sample.text).length > 0)
const some = fc.constantFrom(...withFindings)
const RUNS = { numRuns: 60 }

describe('a fingerprint', () => {
  test('is looked at in many rules and languages', () => {
    expect(withFindings.length).toBeGreaterThan(50)
    expect(new Set(withFindings.map(({ language }) => language)).size).toBeGreaterThan(4)
  })

  test('survives lines that are inserted above', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 40 }), (sample, lines) => {
        const lead = sample.language === 'php' ? '' : '\n'.repeat(lines)
        expect(found(sample, lead + sample.text)).toEqual(found(sample, sample.text))
      }),
      RUNS,
    )
  })

  test('survives indentation', () => {
    fc.assert(
      fc.property(some, fc.constantFrom('  ', '\t', '        '), (sample, by) => {
        const further = sample.text.replaceAll(/\n(?=[^\n#])/g, `\n${by}`)
        expect(found(sample, further)).toEqual(found(sample, sample.text))
      }),
      RUNS,
    )
  })

  test('survives the line ends of another system', () => {
    fc.assert(
      fc.property(some, sample => {
        expect(found(sample, sample.text.replaceAll('\n', '\r\n'))).toEqual(found(sample, sample.text))
      }),
      RUNS,
    )
  })

  test('is another for another path, another rule and other code', () => {
    const java = { name: 'A.java', language: 'java', text: '' }
    const one = found(java, 'class A { void a() throws Exception { Runtime.getRuntime().exec("ls " + b); } }')
    const other = found(java, 'class A { void a() throws Exception { Runtime.getRuntime().exec("ls " + c); } }')
    expect(one.length).toBeGreaterThan(0)
    expect(one.filter(each => other.includes(each))).toEqual([])
    expect(
      found(
        { ...java, name: 'B.java' },
        'class A { void a() throws Exception { Runtime.getRuntime().exec("ls " + b); } }',
      ).filter(each => one.includes(each)),
    ).toEqual([])
    expect(new Set(one).size).toBe(one.length)
  })
})
