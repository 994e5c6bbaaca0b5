import { expect, test } from 'vitest'
import { addSharedUtils } from '../../../engine/sources/packs/shared-utils.ts'

const SHARED = { freed: { any: [{ matches: 'call' }] }, call: { kind: 'call_expression' }, other: { kind: 'comment' } }

test('a rule has the shared utility rules that it asks for, and those that they ask for', () => {
  const rule = { id: 'a', rule: { all: [{ matches: 'freed' }] } }
  expect(addSharedUtils(rule, SHARED)).toEqual({ ...rule, utils: { freed: SHARED.freed, call: SHARED.call } })
})

test('a utility rule of its own stands in place of a shared one', () => {
  const rule = {
    id: 'a',
    rule: { matches: 'mine' },
    utils: { mine: { matches: 'call' }, call: { kind: 'identifier' } },
  }
  expect(addSharedUtils(rule, SHARED)).toBe(rule)
})

test('a rule that asks for none is as it is written', () => {
  const rule = { id: 'a', pattern: 'x' }
  expect(addSharedUtils(rule, SHARED)).toBe(rule)
})
