import { describe, expect, it } from 'vitest'
import { digestCode } from '../../../engine/delivery/drift/digest.ts'
import { listSymbols } from '../../../engine/delivery/trace/symbols.ts'

const digest = (language: string, text: string, name?: string) =>
  digestCode(
    language,
    text,
    name === undefined ? undefined : listSymbols(language, text).find(each => each.name === name),
  )!
const compare = (language: string, a: string, b: string, name?: string) => {
  const [before, now] = [digest(language, a, name), digest(language, b, name)]
  return now.tree === before.tree ? 'same' : now.structure === before.structure ? 'body' : 'structure'
}

describe('a digest of code', () => {
  it.each([
    [
      'typescript',
      "export function f(a: string) { return g('x', a) }",
      'export function f(\n  a: string,\n) {\n  // why\n  return g("x", a);\n}\n',
    ],
    [
      'python',
      'def f(a, b):\n    return g(a,\n        b)\n',
      '# why\ndef f(\n    a,\n    b,\n):\n    """Docs stay."""\n    return g(a, b)\n'.replace(
        '    """Docs stay."""\n',
        '',
      ),
    ],
    ['go', 'func f(a int) int { return a }', 'func f(a int) int {\n\treturn a // why\n}\n'],
    ['sql', 'CREATE TABLE t (a INT, b TEXT)', 'CREATE TABLE t (\n  a INT, -- why\n  b TEXT\n);'],
    ['unknown-language', 'a  b\n', 'a b'],
  ])('is the same for another layout and other comments: %s', (language, a, b) => {
    expect(compare(language, a, b)).toBe('same')
  })

  it.each([
    ['typescript', 'function f(a: string) { return a }', 'function f(a: string) { return a + 1 }', 'body'],
    ['typescript', 'function f(a: string) { return a }', 'function f(a: number) { return a }', 'structure'],
    ['typescript', 'const f = (a: string) => { return a }', 'const f = (a: string) => { return 2 }', 'body'],
    ['typescript', "app.get('/a', () => { run() })", "app.get('/b', () => { run() })", 'structure'],
    ['python', '@app.get("/a")\ndef f():\n    return 1\n', '@app.get("/b")\ndef f():\n    return 1\n', 'structure'],
    ['python', 'if a:\n    b()\n    c()\n', 'if a:\n    b()\nc()\n', 'structure'],
    ['java', 'class A { int f() { return 1; } }', 'class A { int f() { return 2; } }', 'body'],
    ['java', 'class A { int f() { return 1; } }', 'class A { long f() { return 1; } }', 'structure'],
    ['rust', 'fn f() -> u8 { 1 }', 'fn f() -> u8 { 2 }', 'body'],
    ['c', 'int f(void) { return 1; }', 'int f(int a) { return 1; }', 'structure'],
    ['sql', 'CREATE TABLE t (a INT)', 'CREATE TABLE t (a INT, b INT)', 'structure'],
  ])('tells what changed: %s, %s', (language, a, b, expected) => {
    expect(compare(language, a, b)).toBe(expected)
  })

  it('of a declaration is about it alone, with its decorators', () => {
    const text = (route: string, other: string) =>
      `@app.get("${route}")\ndef f():\n    return 1\n\ndef g():\n    return ${other}\n`
    expect(compare('python', text('/a', '1'), text('/a', '2'), 'f')).toBe('same')
    expect(compare('python', text('/a', '1'), text('/b', '1'), 'f')).toBe('structure')
  })
})
