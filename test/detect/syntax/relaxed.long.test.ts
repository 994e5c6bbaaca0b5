import { parse, type SgNode } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import type { AstRule } from '../../../engine/base/records/rule.ts'
import { runAst } from '../../../engine/detect/syntax/ast.ts'
import { getGrammarName, registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { outline, readsOutside, relaxRule, renameCaptures } from '../../../engine/detect/syntax/relaxed.ts'
import { loadBuiltinPacks, loadExamples } from '../../../engine/sources/packs/load.ts'

registerGrammars()
const tree = (code: string) => parse('python', code).root()
const around = {
  pattern: 'run($X)',
  not: { inside: { kind: 'module', stopBy: 'end', has: { pattern: 'safe()', stopBy: 'end' } } },
}
const rule = (body: Record<string, unknown>, fix?: string) => ({ type: 'ast', rule: body, fix }) as unknown as AstRule
const search = (code: string, body: Record<string, unknown>, fix?: string) =>
  runAst(0, rule(body, fix), tree(code), code)

describe('the relaxed rule', () => {
  test('keeps what a rule says of the node itself and leaves out what stands around it', () => {
    expect(relaxRule(around)).toEqual({ pattern: 'run($X)' })
    const far = { inside: { kind: 'x', stopBy: 'end' } }
    expect(relaxRule({ all: [{ kind: 'call' }, far, { regex: '^a' }] })).toEqual({
      all: [{ kind: 'call' }, { regex: '^a' }],
    })
    expect(relaxRule({ any: [{ kind: 'call' }, far] })).toBeUndefined()
    expect(relaxRule({ kind: 'call', has: { field: 'function', regex: '^a' }, ...far })).toEqual({
      all: [{ kind: 'call' }, { has: { field: 'function', regex: '^a' } }],
    })
    expect(relaxRule({ matches: 'a' }, { a: { kind: 'call' } })).toEqual({ kind: 'call' })
  })

  test('keeps what a rule says of all that is below the node where that is asked for', () => {
    const below = { has: { kind: 'x', stopBy: { kind: 'y' } } }
    const far = { inside: { kind: 'z', stopBy: 'end' } }
    expect(relaxRule({ all: [{ kind: 'call' }, below, far] }, {}, { reach: 'below' })).toEqual({
      all: [{ kind: 'call' }, { has: { kind: 'x', stopBy: 'end' } }],
    })
  })

  test('captures under names of its own, so that the rule asked after it binds its names itself', () => {
    expect(renameCaptures({ all: [{ pattern: '$A.run($$$ARGS)' }, { pattern: { context: 'f($A)' } }] }, 'M')).toEqual({
      all: [{ pattern: '$A_M1.run($$$ARGS_M2)' }, { pattern: { context: 'f($A_M3)' } }],
    })
  })

  test('matches wherever the built-in rule that it is of matches', () => {
    let found = 0
    for (const each of loadBuiltinPacks().flatMap(pack => pack.rules)) {
      if (each.type !== 'ast') continue
      const { rule, utils, constraints } = each
      const steps = (['near', 'below'] as const).flatMap(reach => {
        const part = relaxRule(rule, utils, { reach })
        return part ? [renameCaptures(part, reach === 'near' ? 'N' : 'B')] : []
      })
      for (const { code } of loadExamples(each).match) {
        for (const language of each.languages) {
          const root = parse(getGrammarName(language), code).root()
          const ids = (asked: object) =>
            (root.findAll({ utils, constraints, rule: asked } as never) as SgNode[]).map(node => node.id())
          const whole = ids(rule)
          found += whole.length
          expect(ids({ all: [...steps, rule] }), `${each.id} in ${language}`).toEqual(whole)
        }
      }
    }
    expect(found).toBeGreaterThan(1000)
  })
})

describe('what a rule reads outside of a node', () => {
  const inside = (body: object) => readsOutside({ inside: { stopBy: 'end', ...body } })

  test('is all of it where an expression or a search of everything below is asked of what stands around', () => {
    expect(inside({ regex: 'a' })).toBe(true)
    expect(inside({ has: { kind: 'x', stopBy: 'end' } })).toBe(true)
    expect(readsOutside({ not: { matches: 'a' } }, { a: { follows: { stopBy: 'end', regex: 'a' } } })).toBe(true)
  })

  test('is nothing where only kinds and names are asked, or nearest nodes', () => {
    expect(inside({ kind: 'x', has: { field: 'name', pattern: '$A' } })).toBe(false)
    expect(readsOutside({ inside: { regex: 'a' } })).toBe(false)
    expect(readsOutside({ has: { regex: 'a', stopBy: 'end' } })).toBe(false)
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
      for (const { code } of loadExamples(each).match) {
        for (const language of each.languages) {
          const root = parse(getGrammarName(language), code).root()
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
    const { matches, stopped } = search(code, around)
    expect(stopped).toBeUndefined()
    expect(matches.map(({ start }) => start)).toEqual(whole)
    expect(whole).toHaveLength(300)
  })

  test('is not begun where the candidates that read all of it are too many, and names the limit', () => {
    const sameName = { kind: 'module', stopBy: 'end', has: { pattern: 'safe($X)', stopBy: 'end' } }
    const { matches, stopped, detail } = search(many(4000), { pattern: 'run($X)', not: { inside: sameName } })
    expect({ matches, stopped }).toEqual({ matches: [], stopped: 'too_costly' })
    expect(detail).toMatch(/^more than 3\d\d candidate sites in a text of \d+ characters$/)
  })

  test('looks once for what is asked of the file as a whole, however many candidates there are', () => {
    expect(search(many(4000), around).matches).toHaveLength(4000)
    expect(search(`${many(4000)}\nsafe()`, around).matches).toEqual([])
  })

  test('goes over any number of candidates that read nothing outside of them', () => {
    const inner = { pattern: 'run($X)', has: { stopBy: 'end', kind: 'integer', regex: '7$' } }
    const { matches, stopped } = search(many(4000), inner)
    expect(stopped).toBeUndefined()
    expect(matches).toHaveLength(400)
  })

  test('counts the candidates that are left by what stands below them and by what its captures are', () => {
    const from = { inside: { kind: 'module', stopBy: 'end', regex: 'abc' } }
    const below = { all: [{ pattern: 'run($X)' }, { has: { stopBy: 'end', regex: '^77$' } }, from] }
    expect(search(many(4000), below).matches).toHaveLength(1)
    const config = { type: 'ast', rule: { pattern: 'run($X)' }, constraints: { X: { all: [{ regex: '^77$' }, from] } } }
    const code = many(4000)
    expect(runAst(0, config as unknown as AstRule, tree(code), code).stopped).toBe('too_costly')
    const apart = { ...config, rule: { pattern: '$F($X)' }, constraints: { F: { regex: '^r' }, X: { regex: '^77$' } } }
    expect(runAst(0, apart as unknown as AstRule, tree(code), code).matches).toHaveLength(1)
  })

  test('has its fixes too', () => {
    const { matches } = search(many(300), { pattern: 'run($X)' }, 'go($X)')
    expect(matches[7]!.edits).toEqual([expect.objectContaining({ text: 'go(7)' })])
  })
})
