import { expect, it } from 'vitest'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { runMemory } from '../../../engine/detect/memory/rules.ts'
import type { RuleFailure } from '../../../engine/detect/rules/file-outcome.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { loadShippedPacks } from '../../made/shipped-packs.ts'

registerGrammars()
const packs = await loadShippedPacks()
const rules = new RuleSet(packs.flatMap(pack => pack.rules))
const memory = rules.rules.flatMap(({ type }, index) => (type === 'memory' ? [index] : []))

const WEAK = 'char *b = get(); free(b); b[0] = 1;'

it('each rule about memory is not evaluated where a function cannot be carried out, with one entry a reason', () => {
  const long = `int g(void) { ${WEAK} ${'x = 1;\n'.repeat(10_000)} }`
  const costly = `int h(void) { ${WEAK} ${'if (a(c)) d(e(g));\n'.repeat(2900)} }`
  const lost = Array.from({ length: 7 }, (_, i) => `int f${i}(void) { ${WEAK} @ else ) 3 }`).join('\n')
  const failures: RuleFailure[] = []
  const code = `${long}\n${costly}\n${lost}\n`
  const file = { path: 'a.c', language: 'c', in_test: false, bytes: new Uint8Array() }
  const fail = (rule: number, reason: RuleFailure['reason'], detail?: string) => failures.push({ rule, reason, detail })
  expect(runMemory({ rules, file, code, fail, share: () => {} }, memory)).toEqual([])
  expect(failures.filter(({ rule }) => rule === memory[0])).toEqual([
    {
      rule: memory[0],
      reason: 'too_costly',
      detail: 'more than 60000 characters: g; more than 20000 steps, or 100000 in the file: h',
    },
    {
      rule: memory[0],
      reason: 'not_understood',
      detail: 'the grammar does not understand it: f0, f1, f2, f3, f4 and 2 more',
    },
  ])
  expect(failures).toHaveLength(2 * memory.length)
})
