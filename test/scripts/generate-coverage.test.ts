import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { detectLanguage } from '../../engine/base/languages/languages.ts'
import type { Example } from '../../engine/base/records/rule.ts'
import { scanFile } from '../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'
import { firesOn } from '../../engine/sources/packs/examples.ts'
import { loadBuiltinRules } from '../../engine/sources/packs/load.ts'
import {
  type CoverageTable,
  formatCoverage,
  type KnownLibrary,
  listKnownLibraries,
  listShownLanguages,
  readCoverageTable,
  readKnownLibraries,
  readRules,
} from '../../scripts/generate-coverage.ts'

const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }
const ROOT = resolve(import.meta.dirname, '../..')

const TABLE: CoverageTable = {
  columns: [
    { name: 'Python', languages: ['python'] },
    { name: 'C', languages: ['c'] },
    { name: 'Go', languages: ['go'] },
  ],
  reasons: { managed: 'the language manages memory' },
  families: [
    { name: 'SQL injection', cwe: ['CWE-89'] },
    { name: 'Memory safety', cwe: ['CWE-787'], not: { Python: 'managed' } },
  ],
}
const NONE = new Map<string, string[]>()
const RULES = [
  { id: 'a-b', languages: ['python', 'c'], cwe: ['CWE-89', 'CWE-20'], match: ['x', { path: 'a.c' }] },
  { id: 'a-c', languages: ['any'], cwe: ['CWE-89'], match: [{ path: 'a.py' }, { path: 'a.c' }, { path: 'a.go' }] },
  { id: 'a-d', languages: ['c'], cwe: ['CWE-787'], match: ['x'] },
  { id: 'a-e', languages: ['hcl'] },
]

test('a cell counts the rules of a family in a language, and says why it has none', () => {
  const page = formatCoverage(TABLE, RULES, NONE)
  expect(page).toContain('| SQL injection | 2 | 2 | 1 |')
  expect(page).toContain('| Memory safety | (1) | 1 | – |')
  expect(page).toContain('4 cells have rules, 1 are gaps')
  expect(page).toContain('| hcl | 1 |')
})

test('a column or reason that does not exist is an error', () => {
  const wrong = (not: Record<string, string>) => () =>
    formatCoverage({ ...TABLE, families: [{ name: 'A', cwe: [], not }] }, RULES, NONE)
  expect(wrong({ Pascal: 'managed' })).toThrow('there is no column Pascal')
  expect(wrong({ C: 'because' })).toThrow('there is no reason because')
})

test('a rule counts in the languages of its positive examples alone', () => {
  const any = { id: 'a-f', languages: ['any'], cwe: ['CWE-89'], match: [{ path: 'a.go' }] }
  const claimed = { id: 'a-g', languages: ['python', 'c'], cwe: ['CWE-89'], match: ['x', { path: 'b.py' }] }
  expect(formatCoverage(TABLE, [any, claimed], NONE)).toContain('| SQL injection | 1 | – | 1 |')
})

test('for each cell with rules, one of them reports an example in a language of the column', () => {
  const { columns, families } = readCoverageTable(ROOT)
  const rules = readRules(ROOT)
  const compiled = new Map(loadBuiltinRules().map(rule => [rule.id, rule]))
  const silent = families.flatMap(family =>
    columns.flatMap(({ name, languages }) => {
      const counted = rules.filter(({ cwe = [] }) => cwe.some(one => family.cwe.includes(one)))
      const rule = counted.find(one => listShownLanguages(one).some(shown => languages.includes(shown)))
      if (rule === undefined) return []
      const built = compiled.get(rule.key ?? rule.id)!
      const examples = rule.match!.map(one => (typeof one === 'string' ? { code: one } : one) as Example)
      const own = examples.filter(one => listShownLanguages({ ...rule, match: [one] }).some(x => languages.includes(x)))
      return own.some(example => firesOn(built, example)) ? [] : [`${family.name}, ${name}: ${rule.id}`]
    }),
  )
  expect(silent).toEqual([])
})

test('where secret detectors are the reason, they find a password in that language', () => {
  const detector = loadBuiltinRules().find(({ id }) => id === 'secret-generic-password')!
  const { columns, families } = readCoverageTable(ROOT)
  const named = families.flatMap(({ not = {} }) => Object.keys(not).filter(column => not[column] === 'secrets'))
  const languages = columns.filter(({ name }) => named.includes(name)).map(column => column.languages[0]!)
  expect(languages.length).toBeGreaterThan(5)
  const word = ['Vq7', 'mZ2t', 'Lp9x', 'Rw4'].join('')
  const silent = languages.filter(
    language => !firesOn({ ...detector, languages: [language] }, { code: `password = "${word}"\n` }),
  )
  expect(silent).toEqual([])
})

test('libraries are listed by language', () => {
  const page = formatCoverage(TABLE, RULES, new Map([['python', ['Flask', 'Acme']]]))
  expect(page).toContain('| Python | 2 | Flask, Acme |')
  expect(listKnownLibraries(ROOT).get('go')).toEqual(expect.arrayContaining(['Gin', 'GORM', 'chi']))
})

test('of each library that the page lists beside those of packs/libraries, misuse is reported and use is not', () => {
  const rules = loadBuiltinRules().filter(({ severity }) => severity !== 'info')
  const wrong = Object.entries(readKnownLibraries(ROOT)).flatMap(([language, libraries]) => {
    const own = rules.filter(({ languages, type }) => languages.includes(language) && type !== 'llm')
    const set = new RuleSet(own.map(({ number: _, ...rule }) => rule as CompiledRule))
    const count = (library: KnownLibrary, code: string) => countFindings(set, language, code, library.path)
    return libraries.flatMap(one => [
      ...(count(one, one.match) > 0 ? [] : [`${one.library}: nothing is reported`]),
      ...(count(one, one.clean) === 0 ? [] : [`${one.library}: the clean code is reported`]),
    ])
  })
  expect(wrong).toEqual([])
})

/** How many findings there are of rules that do not leave the place to a reviewer. */
function countFindings(set: RuleSet, language: string, code: string, path?: string): number {
  const file = {
    path: path ?? 'src/example',
    language: (path && detectLanguage(path)) ?? language,
    in_test: false,
    bytes: Buffer.from(code),
  }
  const { matches } = scanFile(set, file, LIMITS)
  return matches.filter(({ rule }) => set.rules[rule]!.review !== true).length
}
