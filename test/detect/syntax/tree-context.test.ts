import { parse } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import { getBranch } from '../../../engine/detect/simple-types/branch.ts'
import { getGrammarName, registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { makeTreeContext } from '../../../engine/detect/syntax/tree-context.ts'

registerGrammars()
const rootOf = (language: string, text: string) => parse(getGrammarName(language), text).root()

/** What stands at the first place of each mark in a text. */
function contextsOf(language: string, text: string, marks: readonly string[]): string[] {
  const contextOf = makeTreeContext(rootOf(language, text))
  return marks.map(mark => contextOf(text.indexOf(mark)))
}

describe('what stands at a place', () => {
  test('is the innermost comment, string or code within a string', () => {
    const text = 'a = 1  # note\nb = f"text {c + d["key"]} more"\n'
    expect(contextsOf('python', text, ['a =', 'note', 'text', 'c +', 'key', 'more'])).toEqual([
      'code',
      'comment',
      'string',
      'code',
      'string',
      'string',
    ])
  })

  test('is code where a word of the language is called as a kind of literal', () => {
    expect(contextsOf('typescript', 'let name: string = "text"', ['string', 'text'])).toEqual(['code', 'string'])
  })

  test('begins with a literal and is over at its end', () => {
    const contextOf = makeTreeContext(rootOf('javascript', 'a("b")'))
    expect([1, 2, 4, 5, 6, 99].map(contextOf)).toEqual(['code', 'string', 'string', 'code', 'code', 'code'])
  })
})

describe('the way down a tree', () => {
  test('leads to the child that holds a stretch, the first of two that meet at its place', () => {
    const root = getBranch(rootOf('javascript', 'ab;cd;'))
    expect(root.findAround(0, 2)?.node.text()).toBe('ab;')
    expect(root.findAround(3, 3)?.node.text()).toBe('ab;')
    expect(root.findAround(3, 5)?.node.text()).toBe('cd;')
    expect(root.findAround(1, 4)).toBeUndefined()
    expect(root.findAt(3)?.node.text()).toBe('cd;')
    expect(root.findAt(6)).toBeUndefined()
  })
})
