import { makeRecord, type RequirementRecord } from '../../../engine/delivery/requirements/model.ts'
import fc from '../../made/property.ts'

const PLAIN = { noNullPrototype: true }
const word = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const list = fc.uniqueArray(word, { maxLength: 4 })
const source = fc.record(
  {
    provider: fc.constantFrom('github', 'jira'),
    key: word,
    url: fc.option(fc.constantFrom('https://one.test', 'https://two.test'), { nil: undefined }),
    revision: fc.option(word, { nil: undefined }),
  },
  PLAIN,
)

/** Everything of a requirement but its id, from few values, so that two sides often say the same. */
export const fields = fc.record({
  title: word,
  description: fc.option(word, { nil: undefined }),
  status: fc.constantFrom('draft', 'approved', 'obsolete'),
  level: fc.option(word, { nil: undefined }),
  parent: list,
  source: fc.option(source, { nil: undefined }),
  acceptance: list,
  files: list,
  tests: list,
  controls: list,
  confirmed: fc.option(fc.record({ at: word, by: word, digest: word }, PLAIN), { nil: undefined }),
})

export type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never

/** Some of the fields, as an edit changes them. */
export const edit = fc.record(
  {
    title: word,
    description: fc.option(word, { nil: undefined }),
    status: fc.constantFrom('draft', 'approved', 'obsolete'),
    level: word,
    parent: list,
    source: fc.option(source, { nil: undefined }),
    acceptance: list,
    files: list,
    tests: list,
    controls: list,
  },
  { requiredKeys: [] },
)

/** What happens to one requirement on one side. */
export const change = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('edit' as const), id: fc.nat(5), edit }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), id: fc.nat(5), fields }) },
)

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** The records after the changes. */
export function apply(records: readonly RequirementRecord[], changes: readonly Change[]): RequirementRecord[] {
  const byId = new Map(records.map(record => [record.id, record]))
  for (const each of changes) {
    const id = `REQ-${each.id}`
    const now = byId.get(id)
    if (each.kind === 'delete') byId.delete(id)
    else if (each.kind === 'add' && !now) byId.set(id, makeRecord({ id, ...(each.fields as never as Fields) } as never))
    else if (each.kind === 'edit' && now) byId.set(id, makeRecord({ ...now, ...each.edit } as never))
  }
  return [...byId.values()]
}
