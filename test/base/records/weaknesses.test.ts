import { expect, it, test } from 'vitest'
import { findWeakness, isAbout, WEAKNESSES } from '../../../engine/base/records/weaknesses.ts'

test.each([
  ['CWE-89', 'SQL injection'],
  ['cwe-0089', 'SQL injection'],
  ['89', 'SQL injection'],
  ['sql injection', 'SQL injection'],
  ['SQL-Injection', 'SQL injection'],
  ['sqli', 'SQL injection'],
  ['xss', 'Cross-site scripting (XSS)'],
  ['Cross-Site Scripting', 'Cross-site scripting (XSS)'],
  ['hard-coded credentials', 'Hard-coded credential'],
  ['hardcoded password', 'Hard-coded credential'],
  ['CWE-23', 'Path traversal'],
  ['insecure deserialization', 'Unsafe deserialization'],
  ['OPEN REDIRECT', 'Open redirect'],
])('%s is %s', (words, name) => {
  expect(findWeakness(words)?.name).toBe(name)
})

test.each(['', 'injection of sql', 'CWE-', 'CWE-999999', '-', 'python-yaml-unsafe-load'])(
  '%j names no weakness',
  words => {
    expect(findWeakness(words)).toBeUndefined()
  },
)

it('each name, other name and number leads to one weakness alone', () => {
  for (const weakness of WEAKNESSES)
    for (const words of [weakness.name, ...weakness.also, ...weakness.cwe]) expect(findWeakness(words)).toBe(weakness)
})

it('is about a rule that has one of its numbers', () => {
  const weakness = findWeakness('path traversal')!
  expect(isAbout(weakness, ['CWE-20', 'CWE-23'])).toBe(true)
  expect(isAbout(weakness, ['CWE-20'])).toBe(false)
  expect(isAbout(weakness, [])).toBe(false)
})
