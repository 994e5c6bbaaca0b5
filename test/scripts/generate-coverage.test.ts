import { expect, test } from 'vitest'
import { type CoverageTable, formatCoverage } from '../../scripts/generate-coverage.ts'

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
const RULES = [
  { id: 'a-b', languages: ['python', 'c'], cwe: ['CWE-89', 'CWE-20'] },
  { id: 'a-c', languages: ['any'], cwe: ['CWE-89'] },
  { id: 'a-d', languages: ['c'], cwe: ['CWE-787'] },
  { id: 'a-e', languages: ['hcl'] },
]

test('a cell counts the rules of a family in a language, and says why it has none', () => {
  const page = formatCoverage(TABLE, RULES)
  expect(page).toContain('| SQL injection | 2 | 2 | 1 |')
  expect(page).toContain('| Memory safety | (1) | 1 | – |')
  expect(page).toContain('4 cells have rules, 1 are gaps')
  expect(page).toContain('| hcl | 1 |')
})

test('a column or reason that does not exist is an error', () => {
  const wrong = (not: Record<string, string>) => () =>
    formatCoverage({ ...TABLE, families: [{ name: 'A', cwe: [], not }] }, RULES)
  expect(wrong({ Pascal: 'managed' })).toThrow('there is no column Pascal')
  expect(wrong({ C: 'because' })).toThrow('there is no reason because')
})
