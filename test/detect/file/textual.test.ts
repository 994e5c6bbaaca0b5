import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { parseDetector } from '../../../engine/sources/packs/detector-file.ts'
import { readRule } from '../../../engine/sources/packs/parse.ts'

const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

function scan(rules: readonly CompiledRule[], bytes: Uint8Array, encoding?: string) {
  const file = { path: 'a.py', language: 'python', in_test: false, bytes, ...(encoding !== undefined && { encoding }) }
  const own = scanFile(new RuleSet(rules), file, LIMITS)
  return own.matches
}

const regexRule = (regex: string): CompiledRule =>
  readRule(
    {
      id: 'own-rule',
      type: 'regex',
      title: 'A rule',
      message: 'Something is found.',
      severity: 'low',
      languages: ['any'],
      remediation: 'None.',
      match: ['a'],
      clean: ['b'],
      regex,
    },
    'rule',
    'own',
    () => ({ file: 'rule' }),
  )

test('an expression that may match nothing goes on beyond a character of two units', () => {
  const matches = scan([regexRule('a*')], new TextEncoder().encode('😀aa\u{10FFFF}a'))
  expect(matches.map(({ column, end_column }) => [column, end_column])).toEqual([
    [3, 5],
    [7, 8],
  ])
})

test('a secret is found behind letters that a declared encoding writes as one byte', async () => {
  const path = 'packs/secrets/detectors/secret-generic-password.yaml'
  const detectors = [await parseDetector(readFileSync(path), path, 'secrets')]
  const value = ['Xk9', 'vQ2mL8pRt5Wz'].join('#')
  const text = `# ${'é'.repeat(300)}\npassword = "${value}"\n`
  const lines = (bytes: Uint8Array, encoding?: string) => scan(detectors, bytes, encoding).map(({ line }) => line)
  expect(lines(Buffer.from(text))).toEqual([2])
  expect(lines(Buffer.from(text, 'latin1'), 'iso-8859-1')).toEqual([2])
})
