import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readRules } from '../../scripts/generate-coverage.ts'
import {
  formatInfrastructure,
  type InfrastructureTable,
  readInfrastructureTable,
} from '../../scripts/generate-infrastructure-coverage.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const TABLE: InfrastructureTable = {
  columns: [
    { name: 'TF AWS', languages: ['hcl'], code: '"aws_' },
    { name: 'TF Azure', languages: ['hcl'], code: '"azurerm_' },
    { name: 'Compose', languages: ['yaml'], rule: '^docker-compose-' },
    { name: 'OpenAPI', languages: ['json'], path: 'openapi' },
  ],
  reasons: { none: 'the format has no such resource' },
  families: [
    { name: 'CORS', cwe: ['CWE-942'], not: { OpenAPI: 'none' } },
    { name: 'Open ports', rules: 'port-' },
  ],
}
const RULES = [
  {
    id: 'a-cors',
    languages: ['hcl'],
    cwe: ['CWE-942'],
    match: ['resource "aws_a" "b" {}', 'resource "azurerm_a" "b" {}'],
  },
  { id: 'a-more', languages: ['hcl'], cwe: ['CWE-942'], match: ['resource "aws_a" "b" {}'] },
  { id: 'docker-compose-port-open', languages: ['yaml'], match: [{ path: 'compose.yaml', code: 'a' }] },
  { id: 'api-port-open', languages: ['yaml', 'json'], match: [{ path: 'api/openapi.json', code: '{}' }, 'a'] },
]

test('a cell counts the rules of a family that show an example of the format, and says why it has none', () => {
  const section = formatInfrastructure(TABLE, RULES)
  expect(section).toContain('| CORS | 2 | 1 | – | (1) |')
  expect(section).toContain('| Open ports | – | – | 1 | 1 |')
  expect(section).toContain('4 cells have rules, 3 are gaps')
  expect(section).toContain('1. the format has no such resource')
})

test('a format or reason that does not exist is an error', () => {
  const wrong = (not: Record<string, string>) => () =>
    formatInfrastructure({ ...TABLE, families: [{ name: 'A', not }] }, RULES)
  expect(wrong({ Pascal: 'none' })).toThrow('there is no format Pascal')
  expect(wrong({ OpenAPI: 'because' })).toThrow('there is no reason because')
})

test('each format and family of the page has a rule', () => {
  const rows = formatInfrastructure(readInfrastructureTable(ROOT), readRules(ROOT))
    .split('\n')
    .filter(line => /^\| [A-Z]/.test(line) && !line.startsWith('| Family'))
    .map(line => line.split(' | ').slice(1))
  const hasRules = (cells: string[]) => cells.some(cell => /^\d/.test(cell))
  expect(rows.every(hasRules)).toBe(true)
  expect(rows[0]!.every((_, column) => hasRules(rows.map(row => row[column]!)))).toBe(true)
})
