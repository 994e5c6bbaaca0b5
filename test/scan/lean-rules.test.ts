import { expect, it } from 'vitest'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'
import { makeLeanRules } from '../../engine/scan/lean-rules.ts'

const own = { id: 'a-b', type: 'regex', message: 'said', references: [], requirement: [[{ text: 'x', word: false }]] }

it('a thread is given what a rule finds by, and not what it says', () => {
  const [lean] = makeLeanRules([own as unknown as CompiledRule])
  expect(lean).toEqual({ id: 'a-b', type: 'regex', requirement: own.requirement })
})

it('texts of a rule that comes with svc are not even read', () => {
  const builtin = { ...own, number: 3 }
  const refuse = { enumerable: true, get: () => expect.fail('read') }
  for (const key of ['message', 'references', 'requirement']) Object.defineProperty(builtin, key, refuse)
  expect(makeLeanRules([builtin as unknown as CompiledRule])).toEqual([
    { id: 'a-b', type: 'regex', number: 3, requirement: [] },
  ])
})
