import { parse, type SgNode } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import type { AstRule } from '../../../engine/base/records/rule.ts'
import { runAst } from '../../../engine/detect/syntax/ast.ts'
import { separateFileConditions } from '../../../engine/detect/syntax/file-conditions.ts'
import { getGrammarName, registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { loadBuiltinPacks, loadExamples } from '../../../engine/sources/packs/load.ts'

registerGrammars()
const separated = (rule: object, utils = {}) =>
  separateFileConditions({ type: 'ast', rule, utils } as unknown as AstRule, 'module')
const whole = (has: object) => ({ inside: { kind: 'module', stopBy: 'end', has: { ...has, stopBy: 'end' } } })

describe('what a rule asks of the file as a whole', () => {
  test('is taken out of it, beside its other keys and among the parts of all', () => {
    const { rule, conditions } = separated({
      pattern: 'run($X)',
      not: whole({ kind: 'a' }),
      all: [whole({ kind: 'b' }), { regex: 'c' }],
    })
    expect(rule.rule).toEqual({ pattern: 'run($X)', all: [{ regex: 'c' }] })
    expect(conditions).toEqual([
      { has: { kind: 'a' }, holds: false },
      { has: { kind: 'b' }, holds: true },
    ])
  })

  test.each([
    ['of another node than the root', { inside: { kind: 'block', stopBy: 'end', has: { kind: 'a', stopBy: 'end' } } }],
    ['of what stands directly in the root', { inside: { kind: 'module', stopBy: 'end', has: { kind: 'a' } } }],
    ['of a field', whole({ kind: 'a', field: 'left' })],
    ['about a name of the candidate', whole({ pattern: 'safe($X)' })],
    ['about a name by a rule beside it', whole({ matches: 'same' })],
    ['with more than that', { ...whole({ kind: 'a' }), regex: 'b' }],
  ])('stays where it is %s', (_, part) => {
    const rule = { all: [{ pattern: 'run($X)' }, part] }
    expect(separated(rule, { same: { pattern: 'safe($X)' } })).toMatchObject({ rule: { rule }, conditions: [] })
  })

  test('makes no difference to what a rule that comes with svc finds in its examples, long or short', () => {
    let separable = 0
    for (const rule of loadBuiltinPacks().flatMap(pack => pack.rules)) {
      if (rule.type !== 'ast') continue
      const { match, clean } = loadExamples(rule)
      for (const language of rule.languages) {
        for (const { code } of [...match, ...clean]) {
          const root = parse(getGrammarName(language), code).root()
          if (separateFileConditions(rule, String(root.kind())).conditions.length === 0) continue
          separable++
          const { utils, constraints } = rule
          const spans = (root.findAll({ rule: rule.rule, utils, constraints } as never) as SgNode[]).map(node => {
            const { start, end } = node.range()
            return `${start.index}:${end.index}`
          })
          const long = `${code}\n${' '.repeat(30_000)}\n`
          const { matches } = runAst(0, rule, parse(getGrammarName(language), long).root(), long)
          expect(new Set(matches.map(({ start, end }) => `${start}:${end}`)), rule.id).toEqual(new Set(spans))
        }
      }
    }
    expect(separable).toBeGreaterThan(40)
  })
})
