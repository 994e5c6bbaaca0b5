import { expect, it } from 'vitest'
import { folder } from '../../made/folder.ts'
import { opened } from '../providers/opened.ts'
import { holdRuns } from './failures.ts'
import { post, SHA, started } from './ground.ts'
import { finding, subject } from './subjects.ts'

/** SVC_DECORATIONS=200 runs as many. */
const RUNS = Number(process.env.SVC_DECORATIONS ?? 25)

it('writes one comment that is found behind pages of others, and updates it', async () => {
  const github = await started()
  for (let at = 0; at < 250; at++) github.state.comments.push({ id: at + 1, number: 7, body: `comment ${at}`, at })
  const provider = await opened(github)
  expect((await post(provider, subject([finding(3)]))).comment).toBe('created')
  for (let at = 0; at < 150; at++) github.state.comments.push({ id: 5000 + at, number: 7, body: `later ${at}`, at })
  const fixed = subject([])
  expect((await post(provider, fixed)).comment).toBe('updated')
  expect((await post(provider, fixed)).comment).toBe('unchanged')
  const own = github.state.comments.filter(({ body }) => body.startsWith('<!-- svc:gate:acme/shop -->'))
  expect(own).toHaveLength(1)
  expect(own[0]!.body).toContain('Gate passed')
})

it('comments on lines of the diff only, and resolves what is gone', async () => {
  const github = await started()
  const provider = await opened(github)
  const first = await post(provider, subject([finding(3), finding(70), finding(5)]))
  expect(first.review).toEqual({ posted: 2, resolved: 0, refused: 0 })
  expect(github.state.reviews.map(({ line }) => line)).toEqual([3, 5])
  expect(github.state.comments[0]!.body).toContain('app.js:70')
  const second = await post(provider, subject([finding(5)]))
  expect(second.review).toEqual({ posted: 0, resolved: 1, refused: 0 })
  expect(github.state.reviews.map(({ line, resolved }) => [line, resolved])).toEqual([
    [3, true],
    [5, false],
  ])
})

it('sends annotations most severe first, 50 a request, and counts what is left out', async () => {
  const github = await started()
  const provider = await opened(github)
  const findings = Array.from({ length: 130 }, (_, at) =>
    finding(at + 1, at === 129 ? { severity: 'critical' } : { severity: 'low' }),
  )
  const { check } = await post(provider, subject(findings))
  expect(check).toEqual({ kind: 'check_run', annotations: 100, left_out: 30 })
  const [run] = github.state.checks
  expect(run).toMatchObject({ status: 'completed', conclusion: 'failure' })
  expect(run!.annotations).toHaveLength(100)
  expect(run!.annotations[0]!.title).toMatch(/^critical/)
  expect(run!.summary).toContain('30 more findings without an annotation')
})

it('sets a commit status where the token is a person’s, who may not write check runs', async () => {
  const github = await started()
  github.state.token = { kind: 'person', scopes: 'repo' }
  const { check } = await post(await opened(github), subject([finding(3)]))
  expect(check).toEqual({ kind: 'commit_status', annotations: 0, left_out: 0 })
  expect(github.state.statuses[0]).toMatchObject({ sha: SHA, state: 'failure', context: 'svc gate (acme/shop)' })
})

it('writes a summary for a fork’s pull request, whose token is read-only', async () => {
  const github = await started()
  github.state.permissions = { pull: true, push: false, triage: false }
  const result = await post(await opened(github), subject([finding(3)]), folder({}), true)
  expect(result.comment).toBeUndefined()
  expect(result.problems.join()).toContain('fork is read-only')
  expect(result.summary_file).toMatch(/decoration\.md$/)
})

it('leaves the comment of a newer commit', async () => {
  const github = await started()
  const provider = await opened(github)
  await post(provider, subject([]))
  const old = subject([finding(3)], { sha: '3333333333333333333333333333333333333333' })
  expect((await post(provider, old)).comment).toBe('newer')
  expect(github.state.comments[0]!.body).toContain('Gate passed')
})

it(
  'ends runs with random failures and restarts with one comment, right in content, and nothing posted twice',
  () => holdRuns(RUNS),
  30_000 + RUNS * 2000,
)
