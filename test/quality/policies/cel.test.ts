import { isCelError } from '@bufbuild/cel'
import { describe, expect, test } from 'vitest'
import { CelTypeError } from '../../../engine/quality/policies/cel/check.ts'
import { LONGEST_EXPRESSION, loadCel } from '../../../engine/quality/policies/cel/compile.ts'
import type { CelSubject } from '../../../engine/quality/policies/policy.ts'

const cel = await loadCel()

function faultOf(source: string, subject: CelSubject = 'file', wanted: 'bool' | 'string' = 'bool'): CelTypeError {
  try {
    cel.compile(source, subject, wanted)
  } catch (error) {
    if (error instanceof CelTypeError) return error
    throw error
  }
  throw new Error(`no fault: ${source}`)
}

describe('types of an expression', () => {
  test.each([
    'file.lines < 400',
    'file.path.matches("^src/") || file.in_test',
    'files.filter(f, f.language == "go").all(f, f.size < 1000)',
    'files.map(f, f.size).exists(s, s > 10)',
    'size(files) > 0 && files.size() < 1000',
    'file.extension in ["ts", "tsx"]',
    'has(file.lines) ? file.lines < 3 : true',
    'double(file.size) / 1024.0 < 4.5',
    '{"a": 1}["a"] == 1',
    'findings.exists_one(f, "CWE-89" in f.cwe)',
    'file.name.lowerAscii() == file.name',
    'file.size < 4.5',
  ])('%s gives bool', source => {
    expect(() => cel.compile(source, 'file', 'bool')).not.toThrow()
  })

  test.each([
    ['file.liness < 4', 4, /liness is not a known field of file; did you mean lines\?/],
    ['fil.lines < 4', 0, /fil is not a known variable; did you mean file\?/],
    ['file.path < 4', 10, /`<` does not work on string and int/],
    ['file.path == 4', 10, /string and int are never equal/],
    ['4 in ["a"]', 2, /int is never in a list\(string\)/],
    ['file.lines', 0, /must give bool, but gives int/],
    ['file.path.startWith("a")', 9, /startWith is not a known method; did you mean startsWith\?/],
    ['file.path.startsWith(3)', 9, /string\.startsWith\(int\) does not exist: startsWith takes string/],
    ['file.lines && true', 4, /`&&` needs bool on both sides, but this is int/],
    ['files.all(f, f.nam == "a")', 14, /nam is not a known field of file; did you mean name\?/],
    ['file.size.all(x, x > 1)', 4, /a macro needs a list or a map, but this is int/],
    ['sise(files) > 1', 0, /sise is not a known function; did you mean size\?/],
    ['file.path[0] == "a"', 9, /string has no elements to index/],
    ['file.in_test ? 1 : 2', 0, /must give bool/],
    ['finding.rule == "a"', 0, /finding is not a known variable/],
  ])('%s is refused at its place', (source, offset, message) => {
    const fault = faultOf(source)
    expect(fault.message).toMatch(message)
    expect(fault.offset).toBe(offset)
  })

  test('a message must give string', () => {
    expect(faultOf('file.lines', 'file', 'string').message).toMatch(/must give string, but gives int/)
  })
})

describe('an expression is bounded', () => {
  test('in length, and in brackets within each other, before it is parsed', () => {
    expect(faultOf(`true ${'|| true '.repeat(LONGEST_EXPRESSION)}`).message).toMatch(/the limit is 4000/)
    expect(faultOf(`${'('.repeat(100)}true${')'.repeat(100)}`).message).toMatch(/more than 60 brackets/)
  })

  test('matches() takes linear time where backtracking would take minutes', () => {
    const { evaluate } = cel.compile('file.name.matches("(a+)+$")', 'file', 'bool')
    expect(evaluate({ file: { name: `${'a'.repeat(40)}!` } })).toBe(false)
  })

  test('what the parser does not understand is told with its place', () => {
    const fault = faultOf('file.lines < ')
    expect(fault.message).toMatch(/cannot be parsed/)
    expect(fault.offset).toBeGreaterThan(0)
  })
})

test('an expression says what it needs to know', () => {
  const { needs, variables } = cel.compile(
    'file.lines < 3 && git.branch == "main" && findings.size() == 0',
    'file',
    'bool',
  )
  expect([...needs].sort()).toEqual(['findings', 'git', 'metrics'])
  expect([...variables].sort()).toEqual(['file', 'findings', 'git'])
})

test('a field that is not known makes the answer an error, never true or false', () => {
  const { evaluate } = cel.compile('file.lines < 3', 'file', 'bool')
  expect(isCelError(evaluate({ file: { path: 'a' } }))).toBe(true)
})
