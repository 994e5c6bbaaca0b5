import { expect, it } from 'vitest'
import { findConfigWeakenings } from '../../engine/gate/change/config-diff.ts'

const compare = (before: object, after: object) =>
  findConfigWeakenings('.svc/config.yaml', before as never, after as never, () => 1)

it('counts recorded answers that a change names as a weakening', () => {
  expect(compare({ llm: {} }, { llm: { replay: 'answers' } })).toHaveLength(1)
  expect(compare({ llm: { replay: 'a' } }, { llm: { replay: 'b' } })).toHaveLength(1)
  expect(compare({ llm: { replay: 'a' } }, { llm: { replay: 'a' } })).toEqual([])
})

it('does not count recording', () => {
  expect(compare({ llm: {} }, { llm: { record: 'answers' } })).toEqual([])
})
