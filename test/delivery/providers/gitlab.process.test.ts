import { expect, it } from 'vitest'
import { decorate } from '../../../engine/delivery/decoration/decorate.ts'
import type { Subject } from '../../../engine/delivery/decoration/subject.ts'
import { folder } from '../../made/folder.ts'
import { startGitlab } from '../../made/providers/gitlab.ts'
import { finding, subject } from '../decoration/subjects.ts'
import { opened } from './opened.ts'

const SHA = '2222222222222222222222222222222222222222'

async function ground() {
  const gitlab = await startGitlab({
    merges: [{ iid: 7, title: 't', description: '', state: 'opened', source: 'work', target: 'main', sha: SHA }],
    diffs: [{ iid: 7, new_path: 'app.js', diff: '@@ -1,2 +1,4 @@\n a\n+b\n+c\n d\n' }],
  })
  const provider = await opened(gitlab, 'gitlab')
  const post = (judged: Subject) =>
    decorate(
      {
        name: 'gitlab',
        project: 'acme/shop',
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
  return { gitlab, provider, post }
}

it('keeps one note behind pages of others, comments on added lines, sets a status, and resolves', async () => {
  const { gitlab, post } = await ground()
  for (let at = 0; at < 230; at++)
    gitlab.state.notes.push({ id: at + 1, iid: 7, body: `note ${at}`, system: at % 2 === 0 })
  const first = await post(subject([finding(2), finding(4)]))
  expect(first).toMatchObject({
    comment: 'created',
    review: { posted: 1, resolved: 0 },
    check: { kind: 'commit_status' },
    problems: [],
  })
  expect(gitlab.state.discussions).toMatchObject([{ path: 'app.js', line: 2 }])
  expect(gitlab.state.statuses).toMatchObject([{ sha: SHA, status: 'failed' }])
  const second = await post(subject([]))
  expect(second).toMatchObject({ comment: 'updated', review: { posted: 0, resolved: 1 }, problems: [] })
  expect(gitlab.state.discussions[0]!.resolved).toBe(true)
  // GitLab refuses the same state once more; that is no problem.
  expect((await post(subject([]))).problems).toEqual([])
  expect(gitlab.state.notes.filter(({ body }) => body.includes('svc:gate'))).toHaveLength(1)
})

it('creates a merge request once, and finds it by its branch', async () => {
  const { provider } = await ground()
  const made = await provider.createPullRequest({ title: 'Fix', body: 'b', head: 'svc/fix', base: 'main' })
  expect(await provider.findPullRequest('svc/fix', 'main')).toMatchObject({
    number: made.number,
    title: 'Fix',
    is_fork: false,
  })
  await expect(
    provider.createPullRequest({ title: 'Fix', body: 'b', head: 'svc/fix', base: 'main' }),
  ).rejects.toMatchObject({ kind: 'conflict' })
})

it('reads issues over pages, opens and closes them', async () => {
  const { gitlab, provider } = await ground()
  for (let iid = 1; iid <= 120; iid++)
    gitlab.state.issues.push({ iid, title: `i${iid}`, description: '', state: 'opened', labels: [] })
  expect(await provider.listWorkItems()).toHaveLength(120)
  await provider.setWorkItemState('#3', 'closed')
  expect(await provider.readWorkItem('#3')).toMatchObject({ key: '#3', state: 'closed' })
  expect(await provider.readWorkItem('#999')).toBeUndefined()
})

it('tells by scopes and access level what a token may do', async () => {
  const { gitlab, provider } = await ground()
  expect(await provider.test()).toMatchObject({
    account: 'kim',
    push: 'yes',
    create_pull_request: 'yes',
    scopes: ['api'],
  })
  gitlab.state.level = 20
  expect(await provider.test()).toMatchObject({ comment: 'yes', push: 'no' })
  gitlab.state.scopes = ['read_api']
  expect(await provider.test()).toMatchObject({ read_repository: 'yes', comment: 'no' })
})

it('creates a work item whose description runs no quick action and mentions nobody', async () => {
  const { provider } = await ground()
  const { description } = await provider.createWorkItem({
    title: 'Item',
    description: 'Found by @octo\n/close\n  /assign @octo\nin src/a.ts',
    labels: [],
  })
  expect(description).not.toMatch(/^\s*\//m)
  expect(description).not.toMatch(/@\w/)
  expect(description.replaceAll('\u200B', '')).toBe('Found by @octo\n/close\n  /assign @octo\nin src/a.ts')
})
