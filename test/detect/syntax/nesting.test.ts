import { parse } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import { getGrammarName, registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { DEEPEST, explainUnparsable, isTooDeep } from '../../../engine/detect/syntax/nesting.ts'
import { textOf } from '../../root.ts'
import { projectFiles } from '../../sources.ts'

registerGrammars()
const deep = (language: string, text: string) => isTooDeep(parse(getGrammarName(language), text).root(), text)

describe('a tree', () => {
  const n = DEEPEST + 500
  test.each([
    ['javascript', 'brackets', `${'('.repeat(n)}1${')'.repeat(n)}`],
    ['javascript', 'brackets on lines of their own', `${'[\n'.repeat(n)}1${'\n]'.repeat(n)}`],
    ['javascript', 'a sum on one line', Array.from({ length: n }, () => 'a').join(' + ')],
    ['javascript', 'a sum over many lines', `x = ${Array.from({ length: n }, () => "'a'").join(' +\n  ')}`],
    ['javascript', 'calls on calls', `a${'\n  .b()'.repeat(n)}`],
    ['javascript', 'branch after branch', `if (a) {\n}\n${'else if (a) {\n}\n'.repeat(n)}`],
    ['javascript', 'conditions one below the other', `${'if (a)\n'.repeat(n)}b()`],
    ['javascript', 'words one below the other', `x = ${'typeof\n'.repeat(n)}a`],
    ['javascript', 'a sum over a few long lines', `x = ${`${'1+'.repeat(400)}\n`.repeat(8)}1`],
    [
      'javascript',
      'signs before each of a few functions',
      `${`x = ${'!'.repeat(990)}function () {\n`.repeat(8)}${'}'.repeat(8)}`,
    ],
    ['c', 'a sign before a sign', `int f() { return ${'!'.repeat(n)}a; }`],
    ['c', 'elements of elements', `int f() { return a${'[0]'.repeat(n)}; }`],
    ['javascript', 'calls of what was called', `a${'()'.repeat(n)}`],
    [
      'c',
      'blocks whose ends are written in comments as well',
      `void f() {\n${'{//}\n'.repeat(4000)}${'}'.repeat(4000)}}`,
    ],
    ['ruby', 'blocks without indentation', `${'begin\n'.repeat(n)}${'end\n'.repeat(n)}`],
    ['ruby', 'branch after branch', `if a\n${'elsif b\n'.repeat(n)}end`],
    ['lua', 'blocks without indentation', `${'do\n'.repeat(n)}${'end\n'.repeat(n)}`],
    ['bash', 'conditions one in the other', `${'if a\nthen\n'.repeat(n)}b\n${'fi\n'.repeat(n)}`],
    ['python', 'indentation', Array.from({ length: n }, (_, i) => `${' '.repeat(i)}if a:`).join('\n')],
    ['python', 'not not', `${'not '.repeat(n)}a`],
    ['php', 'text in text', `<?php ${'"{$a['.repeat(n)}1${']}"'.repeat(n)}`],
    ['java', 'a sum of texts', `class A { String a = ${Array.from({ length: n }, () => '"a"').join('\n+ ')}; }`],
  ])('of %s is too deep by %s', (language, _how, text) => {
    expect(deep(language, text)).toBe(true)
  })

  test('is not too deep because its file is long or wide', () => {
    expect(deep('javascript', `x = [${'1, '.repeat(20_000)}]`)).toBe(false)
    expect(deep('javascript', `${'f(a, b)\n'.repeat(5000)}`)).toBe(false)
    expect(deep('python', `x = {\n${'  "a": (1, 2),\n'.repeat(5000)}}`)).toBe(false)
    expect(deep('javascript', `${'('.repeat(200)}1${')'.repeat(200)}`)).toBe(false)
  })

  test('of a source of this project is none too deep', () => {
    const sources = projectFiles().filter(
      path => /^(engine|cli|api|test)\/.*\.ts$/.test(path) && !path.includes('.gen.'),
    )
    expect(sources.filter(path => deep('typescript', textOf(path)))).toEqual([])
  })
})

describe('a text', () => {
  test.each([
    ['yaml', 'lists in lists', '- '.repeat(400)],
    [
      'yaml',
      'keys and lists at each column',
      Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}a:\n${' '.repeat(i)}-`).join('\n'),
    ],
    ['yaml', 'complex keys', '? '.repeat(400)],
    ['bash', 'here-documents', 'cat <<A\n'.repeat(2000)],
    ['bash', 'conditions that are none', `${'if (a) {'.repeat(1500)}1${'}'.repeat(1500)}`],
    ['java', 'generics that never end', `class A {}\n${'a<'.repeat(3000)}`],
    ['java', 'generics that never end, on lines of their own', `class A {}\n${'a<\n'.repeat(3000)}`],
    ['java', 'generics that never end, on some lines', `class A {}\n${`${'a<'.repeat(400)}\n`.repeat(8)}`],
    ['typescript', 'brackets in code in a text', `\`${'${a['.repeat(3000)}\``],
  ])('of %s that its parser cannot bear is kept from it: %s', (language, _how, text) => {
    expect(explainUnparsable(language, text)).toMatch(/^more than \d+ /)
  })

  test.each([
    ['java', 'a table of comparisons in texts', `class A { String a = ${'"< a < b"\n + '.repeat(3000)}""; }`],
    ['c', 'many comparisons', 'if (a < b) c();\n'.repeat(5000)],
    ['python', 'many comparisons on lines of their own', 'x = a < b\n'.repeat(5000)],
    ['typescript', 'types of types', `let a: ${'A<'.repeat(500)}B${'>'.repeat(500)}\n`.repeat(20)],
  ])('of %s is not kept from its parser for %s', (language, _how, text) => {
    expect(explainUnparsable(language, text)).toBeUndefined()
  })

  test('of YAML is parsed as deep as its parser bears', () => {
    const columns = Array.from({ length: 98 }, (_, i) => `${' '.repeat(i)}a:\n${' '.repeat(i)}-`).join('\n')
    for (const text of [columns, '- '.repeat(49), `a: 1\n${' '.repeat(300)}# a comment far to the right\n`]) {
      expect(explainUnparsable('yaml', text)).toBeUndefined()
      expect(parse('yaml', text).root().kind()).toBe('stream')
    }
  })
})
