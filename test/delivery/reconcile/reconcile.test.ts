import { describe, expect, it } from 'vitest'
import { reconcile } from '../../../engine/delivery/reconcile/reconcile.ts'
import { isClosed, type WorkItem } from '../../../engine/delivery/reconcile/work-items.ts'

const item = (key: string, more: Partial<WorkItem> = {}): WorkItem => ({
  ...{ key, title: key, state: 'open', commits: [], branches: [] },
  ...more,
})
const commit = (sha: string, message: string, files: string[] = []) => ({ sha, subject: message, message, files })
const finding = (id: string, file: string) => ({
  ...{ id, fingerprint: `fingerprint-${id}`, rule_id: `rule-${id}`, severity: 'high', title: id, file, line: 1 },
})

describe('a commit has a work item', () => {
  it.each([
    ['by the key in its message', item('PROJ-12'), 'fix proj-12: close the door'],
    ['by a key with a hash', item('#12'), 'close the door (#12)'],
    ['by a number that its message writes with a hash', item('12'), 'close the door, fixes #12.'],
    ['by a key of Azure Boards', item('AB#12'), 'close the door AB#12'],
    ['by the id that the item lists', item('X-1', { commits: ['aaaaaaaaaa'] }), 'close the door'],
  ])('%s', (_, own, message) => {
    const { commits_without_item, items_without_commit } = reconcile(
      [own],
      [commit('a'.repeat(40), message)],
      [],
      undefined,
    )
    expect({ commits_without_item, items_without_commit }).toEqual({
      commits_without_item: [],
      items_without_commit: [],
    })
  })

  it('by the branch, where its name has the key or the item lists it', () => {
    const commits = [commit('a'.repeat(40), 'close the door')]
    expect(reconcile([item('PROJ-12')], commits, [], 'feature/PROJ-12-door').commits_without_item).toEqual([])
    expect(reconcile([item('X-1', { branches: ['door'] })], commits, [], 'door').commits_without_item).toEqual([])
  })

  it('not by a longer key or a number alone', () => {
    const commits = [commit('a'.repeat(40), 'PROJ-123 raises the limit to 12')]
    const { commits_without_item, items_without_commit } = reconcile(
      [item('PROJ-12'), item('#12')],
      commits,
      [],
      undefined,
    )
    expect(commits_without_item).toHaveLength(1)
    expect(items_without_commit.map(({ key }) => key)).toEqual(['PROJ-12', '#12'])
  })
})

describe('a finding has a work item', () => {
  const findings = [finding('F-1', 'a.ts'), finding('F-2', 'b.ts'), finding('F-3', 'c.ts')]
  const commits = [commit('a'.repeat(40), 'PROJ-1: change b', ['b.ts'])]

  it('where an open one names it, or changed its file', () => {
    const items = [item('PROJ-1'), item('PROJ-2', { title: 'Fix F-1' })]
    const { findings_without_item } = reconcile(items, commits, findings, undefined)
    expect(findings_without_item.map(({ id }) => id)).toEqual(['F-3'])
  })

  it('not where the item is closed, which is then named with its open findings', () => {
    const items = [item('PROJ-1', { state: 'Done' }), item('PROJ-2', { title: 'Fix rule-F-1', state: 'Closed' })]
    const result = reconcile(items, commits, findings, undefined)
    expect(result.findings_without_item.map(({ id }) => id)).toEqual(['F-1', 'F-2', 'F-3'])
    expect(result.closed_items_with_findings).toMatchObject([
      { key: 'PROJ-1', findings: ['F-2'] },
      { key: 'PROJ-2', findings: ['F-1'] },
    ])
  })
})

it.each([
  ['Done', true],
  ['closed', true],
  ["Won't fix", true],
  ['In Progress', false],
  ['undone', false],
])('the state %s means closed: %s', (state, closed) => {
  expect(isClosed({ state })).toBe(closed)
})
