import { parse } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { KeptStatements } from '../../../engine/detect/taint/languages/kept-statements.ts'
import { adapter } from '../../../engine/detect/taint/languages/python.ts'

registerGrammars()

/** What a text is lowered to, with what was kept or without. Functions have bodies: all are asked for theirs. */
function lower(text: string, kept?: KeptStatements): string {
  const { body, functions, classes } = adapter.lower(parse('python', text).root(), text, kept)
  const methods = classes.flatMap(each => each.methods)
  return JSON.stringify([body(), [...functions, ...methods].map(form => form.body())], withSpan)
}

/** A form with its place, which need not be a property of its own. */
function withSpan(_: string, form: unknown): unknown {
  if (typeof form !== 'object' || form === null || !('start' in form && 'end' in form)) return form
  return { ...form, start: form.start, end: form.end }
}

/** Texts as they come when somebody types, each lowered after those before it. */
const TYPED = [
  'a = read(1)\nb = f"{a} {1 + 2}"\n',
  '# note\na = read(1)\n\nb = f"{a} {1 + 2}"\n',
  'a = read(1)\nb = f"{a} {1 +',
  'a = read(\nb = f"{a} {1 + 2}"\n',
  'class A:\n  def m(this, x):\n    a = read(1)\n    this.a = x\n',
  'class A:\n  def m(self, x):\n    a = read(1)\n    this.a = x\n    self.a = x\n',
  'f = lambda x: x + 1\nf = lambda x: x + 1\ng(f)\n',
  'def g():\n    f = lambda x: x + 1\n    a = read(1)\n    # é😀\n    s = "é😀"; a = read(1)\n',
]

describe('statements that are kept', () => {
  test('are what they would be if they were lowered anew', () => {
    const kept = new KeptStatements()
    for (const text of [...TYPED, ...TYPED.toReversed()]) expect(lower(text, kept)).toBe(lower(text))
  })

  test('are not lowered again', () => {
    const kept = new KeptStatements()
    let lowered = 0
    const read = (text: string, start: number) =>
      kept.read(parse('python', text).root())('a = 1', start, 5, () => {
        lowered++
        const value = { kind: 'name' as const, name: 'a', start, end: start + 1 }
        return [{ kind: 'expression', value, start, end: start + 5 }]
      })
    read('a = 1', 0)
    expect(read('\n\na = 1', 2)).toEqual([
      { kind: 'expression', value: { kind: 'name', name: 'a', start: 2, end: 3 }, start: 2, end: 7 },
    ])
    expect(lowered).toBe(1)
  })

  test('are not the same objects twice, which an analysis tells apart', () => {
    const kept = new KeptStatements()
    const lowered = () => adapter.lower(parse('python', 'a = b\na = b\n').root(), 'a = b\na = b\n', kept).body()
    const all = [...lowered(), ...lowered()]
    expect(new Set(all.map(each => (each.kind === 'expression' ? each.value : each))).size).toBe(4)
  })
})
