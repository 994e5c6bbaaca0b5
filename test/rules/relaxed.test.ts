import { parse, type SgNode } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import { examplesOf, loadBuiltinPacks } from '../../engine/packs/load.ts'
import { grammarName, registerGrammars } from '../../engine/rules/grammar.ts'
import { runAst } from '../../engine/rules/kinds/ast.ts'
import { outline, relaxed } from '../../engine/rules/relaxed.ts'
import type { AstRule } from '../../engine/rules/rule.ts'
import { effort } from '../effort.ts'

registerGrammars()
const tree = (code: string) => parse('python', code).root()
const around = {
  pattern: 'run($X)',
  not: { inside: { kind: 'module', stopBy: 'end', has: { pattern: 'safe()', stopBy: 'end' } } },
}
const rule = (body: Record<string, unknown>, fix?: string) => ({ type: 'ast', rule: body, fix }) as unknown as AstRule
const search = (code: string, body: Record<string, unknown>, deadline: number, fix?: string) =>
  runAst(0, rule(body, fix), tree(code), code, deadline)

describe('the relaxed rule', () => {
  test('keeps what a rule says of the node itself and leaves out what stands around it', () => {
    expect(relaxed(around)).toEqual({ pattern: 'run($X)' })
    const far = { inside: { kind: 'x', stopBy: 'end' } }
    expect(relaxed({ all: [{ kind: 'call' }, far, { regex: '^a' }] })).toEqual({
      all: [{ kind: 'call' }, { regex: '^a' }],
    })
    expect(relaxed({ any: [{ kind: 'call' }, far] })).toBeUndefined()
    expect(relaxed({ kind: 'call', has: { field: 'function', regex: '^a' }, ...far })).toEqual({
      all: [{ kind: 'call' }, { has: { field: 'function', regex: '^a' } }],
    })
    expect(relaxed({ matches: 'a' }, { a: { kind: 'call' } })).toEqual({ kind: 'call' })
  })
})

describe('the outline of a rule', () => {
  const long = `^(${Array.from({ length: 80 }, (_, i) => `name${i}`).join('|')})$`

  test('leaves out expressions that are long, and keeps kinds, names and how near nodes stand to each other', () => {
    const call = { kind: 'call', has: { field: 'function', regex: '^run$' } }
    const argument = (more: object) => ({ has: { field: 'arguments', has: { kind: 'string', ...more } } })
    expect(outline({ rule: { all: [call, argument({ regex: long })] } })).toEqual({
      all: [{ all: [{ kind: 'call' }, { has: { field: 'function', regex: '^run$' } }] }, argument({})],
    })
  })

  test('is none where the rule compiles soon, or where it would say no more than a kind', () => {
    expect(outline({ rule: { kind: 'call', has: { field: 'function', regex: '^run$' } } })).toBeUndefined()
    expect(outline({ rule: { kind: 'call', regex: long } })).toBeUndefined()
  })

  test('finds something wherever the built-in rule that it is of finds something', () => {
    let found = 0
    const rules = loadBuiltinPacks().flatMap(pack => pack.rules)
    for (const each of rules) {
      if (each.type !== 'ast') continue
      const { rule, utils, constraints } = each
      const form = outline(each)
      if (!form) continue
      for (const { code } of examplesOf(each).match) {
        for (const language of each.languages) {
          const root = parse(grammarName(language), code).root()
          if (root.find({ rule, utils, constraints } as never) === null) continue
          found++
          expect(root.find({ rule: form } as never), `${each.id} in ${language}`).not.toBeNull()
        }
      }
    }
    expect(found).toBeGreaterThan(150)
  })
})

describe('a search in a long file', () => {
  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => `run(${i})\ns${i} = "${'abc '.repeat(30)}"`).join('\n')

  test('finds what a search in one go finds', () => {
    const code = many(300)
    const whole = (tree(code).findAll({ rule: around } as never) as SgNode[]).map(node => node.range().start.index)
    const { matches, stopped } = search(code, around, 60_000)
    expect(stopped).toBeUndefined()
    expect(matches.map(({ start }) => start)).toEqual(whole)
    expect(whole).toHaveLength(300)
  })

  test('is not begun where the candidates are too many, whatever the clock says', () => {
    for (const deadline of [1, 60_000]) {
      const { matches, stopped, detail } = search(many(4000), around, deadline)
      expect({ matches, stopped }).toEqual({ matches: [], stopped: 'too_costly' })
      expect(detail).toContain('4000 places')
    }
  })

  test('gives nothing where it is broken off: what it had found would depend on the load', () => {
    const code = many(1400)
    const whole = effort(() => expect(search(code, around, 3_600_000).matches).toHaveLength(1400))
    const broken = effort(() => expect(search(code, around, 20)).toEqual({ matches: [], stopped: 'timed_out' }))
    // Parsing and finding the candidates are not part of the deadline.
    expect(broken).toBeLessThan(whole / 2)
  })

  test('has its fixes too', () => {
    const { matches } = search(many(300), { pattern: 'run($X)' }, 60_000, 'go($X)')
    expect(matches[7]!.edits).toEqual([expect.objectContaining({ text: 'go(7)' })])
  })
})
