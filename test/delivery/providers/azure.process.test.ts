import { expect, it } from 'vitest'
import { decorate } from '../../../engine/delivery/decoration/decorate.ts'
import type { Subject } from '../../../engine/delivery/decoration/subject.ts'
import { folder } from '../../made/folder.ts'
import { startAzure } from '../../made/providers/azure.ts'
import { finding, subject } from '../decoration/subjects.ts'
import { opened } from './opened.ts'

const SHA = '2222222222222222222222222222222222222222'

async function ground() {
  const azure = await startAzure({
    pulls: [{ id: 7, title: 't', description: '', status: 'active', source: 'work', target: 'main', sha: SHA }],
  })
  const provider = await opened(azure, 'azure')
  const post = (judged: Subject) =>
    decorate(
      {
        name: 'azure',
        project: 'store/shop',
        provider,
        sha: SHA,
        pull_request: 7,
        is_fork: false,
        comments: true,
        check: true,
      },
      judged,
      { out: folder({}), read: () => undefined },
    )
  return { azure, provider, post }
}

it('keeps one thread with the result, threads on lines, and a status; what is gone is fixed', async () => {
  const { azure, post } = await ground()
  expect(await post(subject([finding(2)], { project: 'store/shop' }))).toMatchObject({
    comment: 'created',
    review: { posted: 1 },
    problems: [],
  })
  expect(azure.state.threads.map(({ threadContext }) => threadContext?.filePath)).toEqual(['/app.js', undefined])
  expect(await post(subject([], { project: 'store/shop' }))).toMatchObject({
    comment: 'updated',
    review: { resolved: 1 },
    problems: [],
  })
  expect(azure.state.threads.map(({ status }) => status)).toEqual(['fixed', 'active'])
  expect(azure.state.statuses.map(({ state, genre }) => [state, genre])).toEqual([
    ['failed', 'svc'],
    ['succeeded', 'svc'],
  ])
})

it('takes a sign-in page for a refused token', async () => {
  const { azure, provider } = await ground()
  azure.state.accepts = false
  await expect(provider.test()).rejects.toMatchObject({ kind: 'unauthenticated' })
  await expect(provider.readPullRequest(7)).rejects.toMatchObject({ kind: 'unauthenticated' })
})

it('reads work items 200 at a time, and sets states', async () => {
  const { azure, provider } = await ground()
  for (let id = 1; id <= 450; id++)
    azure.state.items.push({
      id,
      rev: 1,
      fields: { 'System.Title': `w${id}`, 'System.State': 'New', 'System.WorkItemType': 'Task' },
    })
  const items = await provider.listWorkItems()
  expect([items.length, items[449]]).toEqual([
    450,
    expect.objectContaining({ key: 'AB#450', title: 'w450', type: 'Task' }),
  ])
  await provider.setWorkItemState('AB#3', 'Closed')
  expect(azure.state.items[2]!.fields['System.State']).toBe('Closed')
  expect(await provider.createWorkItem({ title: 'New', description: 'd', labels: ['svc'] })).toMatchObject({
    title: 'New',
    labels: ['svc'],
  })
})

it('creates a pull request once', async () => {
  const { provider } = await ground()
  const asked = { title: 'Fix', body: 'b', head: 'svc/fix', base: 'main' }
  const made = await provider.createPullRequest(asked)
  expect(await provider.findPullRequest('svc/fix', 'main')).toMatchObject({ number: made.number, state: 'open' })
  await expect(provider.createPullRequest(asked)).rejects.toMatchObject({ kind: 'conflict' })
})
