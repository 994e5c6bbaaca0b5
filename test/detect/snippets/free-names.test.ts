import { expect, test } from 'vitest'
import { listFreeNames } from '../../../engine/detect/snippets/free-names.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { parseSyntax } from '../../../engine/detect/syntax/parsed.ts'
import { findAdapter } from '../../../engine/detect/taint/languages/adapters.ts'

registerGrammars()

function listFree(language: string, code: string) {
  const parsed = parseSyntax(language, code)
  if (!('root' in parsed)) throw new Error(parsed.detail)
  return listFreeNames(findAdapter(language)!.lower(parsed.root, code), parsed.root)
}

test.each([
  ['javascript', 'const { a, b: [c], ...d } = x; try { a(c, d) } catch (e) { e() }', ['x']],
  ['javascript', 'import y, { w as z } from "m"; for (const k of y) z(k, (p, { q }) => p + q + r)', ['r']],
  ['typescript', 'function run(a: string, b?: Kind): void { load(a, b) }', ['load']],
  [
    'python',
    'import a.b\nfrom c import d as e\nwith open(p) as f: e(f, shell=True)\nprint([q for q in f])',
    ['open', 'p', 'print'],
  ],
  ['python', 'def run(self, a=v, *args, **more):\n    return lambda s: (s, args, more)', ['v']],
  ['php', '<?php foreach ($a as $k => $v) { list($b) = $v; f($k, $b); }', ['$a', 'f']],
  ['go', 'func f(a int) { if v, ok := m[a]; ok { g(v) } }', ['m', 'g']],
  ['go', 'func f() { g(url, http.Client) }', ['g', 'url', 'http']],
  ['go', 'import "net/url"\nfunc f() { g(url) }', ['g']],
  ['ruby', 'a.each { |x, (y, z)| f(x, y, z) }', ['a', 'f']],
  [
    'java',
    'class A { int f; void m(String[] a) { for (String s : a) g(s, f); if (x instanceof B b) g(b); } }',
    ['g', 'x'],
  ],
  ['csharp', 'foreach (var a in b) F(a); if (x is string s) G(s);', ['b', 'F', 'x', 'G']],
])('the free names of %s code are those that it declares nowhere: %s', (language, code, names) => {
  expect(listFree(language, code).map(({ name }) => name)).toEqual(names)
})

test.each([
  ['javascript', 'f($größe, _0, jQuery$)', ['$größe', '_0', 'jQuery$']],
  ['ruby', 'system(größe)', ['größe']],
  ['php', '<?php f($größe);', ['$größe']],
])('names of %s may have any letter: %s', (language, code, names) => {
  const values = listFree(language, code).filter(({ isValue }) => isValue)
  expect(values.map(({ name }) => name)).toEqual(names)
})

test('a name that is only called, or called methods of, is no value', () => {
  const free = listFree('javascript', 'fs.readFile(name, done); load()')
  expect(free.filter(({ isValue }) => isValue).map(({ name }) => name)).toEqual(['name', 'done'])
})
