import { describe, expect, it } from 'vitest'
import { reconcile } from '../../../engine/delivery/reconcile/reconcile.ts'
import { isClosed, type WorkItem } from '../../../engine/delivery/reconcile/work-items.ts'

const item = (key: string, more: Partial<WorkItem> = {}): WorkItem => ({
  ...{ key, title: key, state: 'open', commits: [], branches: [] },
  ...more,
})
const commit = (sha: string, message: string) => ({ sha, subject: message, message })
const finding = (id: string, file: string, commit?: string) => ({
  ...(commit !== undefined && { commit }),
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
    const { commits_without_item, items_without_commit } = reconcile({
      ...{ items: [own], commits: [commit('a'.repeat(40), message)], findings: [] },
    })
    expect({ commits_without_item, items_without_commit }).toEqual({
      commits_without_item: [],
      items_without_commit: [],
    })
  })

  it('by the branch, where its name has the key or the item lists it', () => {
    const commits = [commit('a'.repeat(40), 'close the door')]
    expect(
      reconcile({ items: [item('PROJ-12')], commits, findings: [], branch: 'feature/PROJ-12-door' })
        .commits_without_item,
    ).toEqual([])
    expect(
      reconcile({ items: [item('X-1', { branches: ['door'] })], commits, findings: [], branch: 'door' })
        .commits_without_item,
    ).toEqual([])
  })

  it('not by a longer key or a number alone', () => {
    const commits = [commit('a'.repeat(40), 'PROJ-123 raises the limit to 12')]
    const { commits_without_item, items_without_commit } = reconcile({
      ...{ items: [item('PROJ-12'), item('#12')], commits, findings: [] },
    })
    expect(commits_without_item).toHaveLength(1)
    expect(items_without_commit.map(({ key }) => key)).toEqual(['PROJ-12', '#12'])
  })
})

describe('a finding has a work item', () => {
  const sha = 'a'.repeat(40)
  const findings = [finding('F-1', 'a.ts'), finding('F-2', 'b.ts', sha), finding('F-3', 'b.ts', 'b'.repeat(40))]
  const commits = [commit(sha, 'PROJ-1: change b')]

  it('where an open one names it, or a commit of it wrote its line, but not where that changed its file only', () => {
    const items = [item('PROJ-1'), item('PROJ-2', { title: 'Fix F-1' })]
    const { findings_without_item } = reconcile({ items, commits, findings })
    expect(findings_without_item.map(({ id }) => id)).toEqual(['F-3'])
  })

  it('where a commit before the ones that are compared wrote its line', () => {
    const { findings_without_item, commits: count } = reconcile({
      ...{ items: [item('PROJ-1')], commits: [], earlier: commits, findings, branch: 'PROJ-1-door' },
    })
    expect([findings_without_item.map(({ id }) => id), count]).toEqual([['F-1', 'F-3'], 0])
  })

  it('not where the item is closed, which is then named with its open findings', () => {
    const items = [item('PROJ-1', { state: 'Done' }), item('PROJ-2', { title: 'Fix rule-F-1', state: 'Closed' })]
    const result = reconcile({ items, commits, findings })
    expect(result.findings_without_item.map(({ id }) => id)).toEqual(['F-1', 'F-2', 'F-3'])
    expect(result.closed_items_with_findings).toMatchObject([
      { key: 'PROJ-1', findings: ['F-2'] },
      { key: 'PROJ-2', findings: ['F-1'] },
    ])
  })
})

describe('a contradiction is', () => {
  const kinds = (given: Parameters<typeof reconcile>[0]) =>
    reconcile(given).contradictions.map(({ kind, key, against }) => [kind, key, against])
  const sha = 'a'.repeat(40)
  const none = { commits: [], findings: [] }

  it('a closed item with open findings', () => {
    const items = [item('P-1', { state: 'Done', title: 'Fix F-1' })]
    expect(kinds({ ...none, items, findings: [finding('F-1', 'a.ts')] })).toEqual([
      ['closed_with_findings', 'P-1', ['F-1']],
    ])
  })

  it('an item whose state is not that of its requirement', () => {
    const items = [item('P-1', { state: 'Done' }), item('P-2'), item('P-3', { state: 'Done' }), item('P-4')]
    const requirements = [
      { id: 'R-1', key: 'P-1', state: 'untested' },
      { id: 'R-2', key: 'p-2', state: 'covered' },
      { id: 'R-3', key: 'P-3', state: 'covered' },
      { id: 'R-4', key: 'P-4', state: 'partly' },
    ]
    expect(kinds({ ...none, items, requirements })).toEqual([
      ['closed_but_not_covered', 'P-1', ['R-1']],
      ['open_but_covered', 'P-2', ['R-2']],
    ])
  })

  it('an open item that a merged commit closes', () => {
    const given = { items: [item('#12'), item('#13')], commits: [commit(sha, 'Fixes #12, see #13')], findings: [] }
    expect(kinds({ ...given, merged: true })).toEqual([['open_but_closed_by_commit', '#12', [sha]]])
    expect(kinds({ ...given, merged: false })).toEqual([])
  })

  it('a key of the project that no item has, but no number of a pull request', () => {
    const commits = [commit(sha, 'P-9: open the door (#7), UTF-8')]
    expect(kinds({ items: [item('P-1'), item('#1')], commits, findings: [] })).toEqual([['unknown_item', 'P-9', [sha]]])
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
