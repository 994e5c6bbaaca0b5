import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parse } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import { findDeclared, isDeclaring } from '../../../engine/detect/simple-types/file-types.ts'
import { findSimpleTypes } from '../../../engine/detect/simple-types/languages.ts'
import { getGrammarName, PACKAGED, registerGrammars } from '../../../engine/detect/syntax/grammar.ts'

registerGrammars()
const packages = dirname(dirname(createRequire(import.meta.url).resolve('@ast-grep/napi/package.json')))

/** The named kinds of nodes of a grammar, as its package lists them. */
function listKinds(language: string): string[] {
  const types: { type: string; named: boolean }[] = JSON.parse(
    readFileSync(join(packages, `lang-${language}`, 'src', 'node-types.json'), 'utf8'),
  )
  return types.filter(({ named }) => named).map(({ type }) => type)
}

function declared(language: string, text: string) {
  const root = parse(getGrammarName(language), text).root()
  return findDeclared(root, language, findSimpleTypes(language)!)
}

describe('the declarations of a file', () => {
  test('a type alias, however a grammar names it, is a declaration', () => {
    for (const language of Object.keys(PACKAGED)) {
      const aliases = listKinds(language).filter(kind => /^type_alias/.test(kind))
      expect(aliases.filter(kind => !isDeclaring(kind))).toEqual([])
    }
  })

  test('types, their aliases, enumerations and results are found within others', () => {
    const { enumerations, types, results } = declared(
      'python',
      'class Outer:\n  class Color(Enum):\n    RED = 1\n  def count(self) -> int:\n    return 1\n',
    )
    expect([...types.keys()]).toEqual(['Outer', 'Color'])
    expect([...enumerations]).toEqual(['Color'])
    expect(results.get('count')).toBe('int')
    expect(declared('typescript', 'type Id = number; enum Kind { a, b }').aliases.get('Id')).toBe('number')
    expect(declared('go', 'package p\ntype Id int\ntype Row struct{ a int }').types.has('Row')).toBe(true)
  })

  test('what stands in a comment declares nothing', () => {
    expect(declared('python', '# class Color(Enum): pass\n').types.size).toBe(0)
  })

  test('a declaration within too many others is left out', () => {
    const nested = (levels: number) => {
      const lines = Array.from({ length: levels }, (_, at) => `${' '.repeat(at)}class C${at}:`)
      return `${lines.join('\n')}\n${' '.repeat(levels)}pass\n`
    }
    // Each is in the block of the one around it.
    expect([...declared('python', nested(9)).types.keys()]).toEqual(['C0', 'C1', 'C2', 'C3', 'C4', 'C5', 'C6'])
  })
})
