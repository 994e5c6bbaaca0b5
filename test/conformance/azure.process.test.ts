import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { connect } from '../../engine/delivery/providers/open.ts'
import type { CodeProvider } from '../../engine/delivery/providers/provider.ts'
import { type Route, startStandIn } from '../made/providers/server.ts'

const PAIRS = new URL('../../../shared/data/providers/azure-examples/', import.meta.url)
const isThere = existsSync(PAIRS)
if (!isThere) console.warn('Azure DevOps conformance was skipped: ../shared/data/providers is not there.')

interface Pair {
  parameters: { body?: unknown }
  responses: Record<string, { body: Record<string, unknown> }>
}

const GIT = '__git_repositories__repositoryId_'
const read = (path: string) => JSON.parse(readFileSync(new URL(path, PAIRS), 'utf8')) as Pair
const bodyOf = ({ responses }: Pair) => Object.values(responses)[0]!.body

/** A server that answers with recorded bodies, and a client of it. */
async function replay(recorded: [method: string, path: RegExp, pair: Pair][]) {
  const routes = recorded.map(
    ([method, path, pair]): Route => [
      method,
      path,
      () => ({ status: Number(Object.keys(pair.responses)[0]), body: bodyOf(pair) }),
    ],
  )
  const standIn = await startStandIn(routes)
  const settings = {
    name: 'azure' as const,
    base_url: `${standIn.url}/fabrikam`,
    repository: 'project/repo',
    states: {},
  }
  const token = { value: 'a-personal-token', source: 'test', scheme: 'basic' as const }
  const client = (await connect(settings, token, { env: {}, signal: new AbortController().signal })) as CodeProvider
  return { client, standIn }
}

/** Keys of an object and of those in it, as paths; items of lists count as one. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(item => keysOf(item, `${prefix}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [`${prefix}.${key}`, ...keysOf(inner, `${prefix}.${key}`)])
}

test.runIf(isThere)('a recorded pull request is read', async () => {
  const pair = read(`git/pullRequests/GET${GIT}_pullRequests__pullRequestId_.json`)
  const { client } = await replay([['GET', /pullRequests\/22$/, pair]])
  expect(await client.readPullRequest(22)).toMatchObject({
    ...{ number: 22, title: 'A new feature', state: 'open', head_branch: 'npaulk/my_work', base_branch: 'new_feature' },
    ...{ head_sha: 'b60280bc6e62e2f880f1b63c1e24987664d3bda3', is_fork: false },
  })
})

test.runIf(isThere)('recorded threads are read as comments, and a new one has only recorded keys', async () => {
  const listed = read(`git/pullRequestThreads/GET${GIT}_pullRequests__pullRequestId__threads.json`)
  const posted = ['', '2'].map(name =>
    read(`git/pullRequestThreads/POST${GIT}_pullRequests__pullRequestId__threads${name}.json`),
  )
  const { client, standIn } = await replay([
    ['GET', /threads$/, listed],
    ['POST', /threads$/, posted[0]!],
  ])
  const threads = bodyOf(listed).value as { comments: { content?: string }[]; threadContext: unknown }[]
  const [comments, review] = [await client.listComments(22), await client.listReviewComments(22)]
  expect(comments.length + review.length).toBeGreaterThan(0)
  for (const { body } of [...comments, ...review])
    expect(threads.map(({ comments: [first] }) => first?.content)).toContain(body)
  await client.createComment(22, 'text')
  await client.createReviewComment({ number: 22 } as never, { path: 'a.js', line: 3, body: 'text' })
  const known = new Set(posted.flatMap(({ parameters }) => keysOf(parameters.body)))
  for (const { method, body } of standIn.seen)
    if (method === 'POST') expect(keysOf(body).filter(key => !known.has(key))).toEqual([])
})

test.runIf(isThere)('a status has only recorded keys', async () => {
  const pair = read(`git/statuses/POST${GIT}_commits__commitId__statuses.json`)
  const { client, standIn } = await replay([['POST', /statuses$/, pair]])
  await client.setCheck({
    sha: 'a'.repeat(40),
    name: 'svc',
    passed: true,
    title: 't',
    summary: '',
    url: 'https://ci',
    annotations: [],
  })
  expect(keysOf(standIn.seen[0]!.body).filter(key => !keysOf(pair.parameters.body).includes(key))).toEqual([])
})

test.runIf(isThere)('recorded pull requests and work items are created and listed', async () => {
  const created = read(`git/pullRequests/POST${GIT}_pullRequests.json`)
  const items = read('wit/workItems/GET__wit_WorkItems_ids-_ids_.json')
  const item = read('wit/workItems/POST__wit_workitems_create.json')
  const query: Pair = {
    parameters: {},
    responses: { 200: { body: { workItems: [{ id: 297 }, { id: 299 }, { id: 300 }] } } },
  }
  const { client, standIn } = await replay([
    ['POST', /pullrequests$/, created],
    ['POST', /wiql$/, query],
    ['GET', /workitems$/, items],
    ['POST', /workitems\/\$Issue$/, item],
  ])
  await client.createPullRequest({ title: 't', body: 'b', head: 'h', base: 'm' })
  expect(keysOf(standIn.seen[0]!.body).filter(key => !keysOf(created.parameters.body).includes(key))).toEqual([])
  expect((await client.listWorkItems()).map(({ key, type }) => `${key} ${type}`)).toEqual([
    'AB#297 Product Backlog Item',
    'AB#299 Task',
    'AB#300 Task',
  ])
  expect(await client.createWorkItem({ title: 't', description: '', labels: [] })).toMatchObject({
    key: 'AB#131489',
    title: 'Sample task',
  })
})
