import { expect, it } from 'vitest'
import { startJira } from '../../made/providers/jira.ts'
import { opened } from './opened.ts'

const issues = Array.from({ length: 250 }, (_, at) => ({
  key: `SHOP-${at + 1}`,
  summary: `s${at}`,
  description: 'd',
  status: 'To Do',
  labels: [],
}))

it.each(['cloud', 'data-center'] as const)('reads every page of %s', async edition => {
  const provider = await opened(await startJira({ issues, edition }), 'jira')
  const items = await provider.listWorkItems()
  expect([items.length, new Set(items.map(({ key }) => key)).size]).toEqual([250, 250])
})

it('sets a state by the transition that leads there, and says which there are', async () => {
  const jira = await startJira({ issues: structuredClone(issues) })
  const provider = await opened(jira, 'jira')
  await provider.setWorkItemState('SHOP-1', 'done')
  expect(jira.state.issues[0]!.status).toBe('Done')
  await expect(provider.setWorkItemState('SHOP-1', 'Closed')).rejects.toThrow(/possible now: To Do, In Progress/)
})

it('tells by permissions what a token may do', async () => {
  const provider = await opened(await startJira({ permissions: { TRANSITION_ISSUES: false } }), 'jira')
  expect(await provider.test()).toMatchObject({ account: 'Kim', read_work_items: 'yes', write_work_items: 'no' })
})
