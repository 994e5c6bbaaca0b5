import { ProviderFailure } from '../failure.ts'
import type { Ability, CodeProvider, PullRequest } from '../provider.ts'
import { makeRest } from '../rest.ts'
import type { ProviderSettings } from '../settings.ts'
import type { Token } from '../tokens.ts'
import type { Transport } from '../transport.ts'
import { makeWorkItems } from './work-items.ts'

interface RawPull {
  pullRequestId: number
  title: string
  description?: string
  status: string
  sourceRefName: string
  targetRefName: string
  lastMergeSourceCommit?: { commitId: string }
  lastMergeTargetCommit?: { commitId: string }
  forkSource?: unknown
}

interface RawThread {
  id: number
  status?: string
  isDeleted?: boolean
  comments: { id: number; content?: string; isDeleted?: boolean; commentType?: string }[]
  threadContext?: { filePath: string; rightFileStart?: { line: number } } | null
}

const API = { 'api-version': '7.1' }
/** Pull requests of one page. */
const PAGE = 100
/** Characters of a status's description. */
const MOST_STATUS = 400

/** Azure DevOps Services and Server, by version 7.1 of its REST API. */
export function openAzure(
  { base_url, repository }: ProviderSettings,
  token: Token,
  transport: Transport,
): CodeProvider {
  const [project, repo] = repository.split('/').map(encodeURIComponent) as [string, string]
  const authorization =
    token.scheme === 'basic' ? `Basic ${Buffer.from(`:${token.value}`).toString('base64')}` : `Bearer ${token.value}`
  const rest = makeRest(transport, { base_url, headers: { authorization }, title: 'Azure DevOps' })
  const { ask, probe } = rest
  const git = `/${project}/_apis/git/repositories/${repo}`
  const pull = (number: number) => `${git}/pullRequests/${number}`
  const site = `${base_url}/${project}/_git/${repo}`

  const toPullRequest = (raw: RawPull): PullRequest => ({
    number: raw.pullRequestId,
    title: raw.title,
    url: `${site}/pullrequest/${raw.pullRequestId}`,
    state: raw.status === 'active' ? 'open' : 'closed',
    head_sha: raw.lastMergeSourceCommit?.commitId ?? '',
    head_branch: raw.sourceRefName.replace(/^refs\/heads\//, ''),
    ...(raw.lastMergeTargetCommit && { base_sha: raw.lastMergeTargetCommit.commitId }),
    base_branch: raw.targetRefName.replace(/^refs\/heads\//, ''),
    is_fork: raw.forkSource !== undefined && raw.forkSource !== null,
    body: raw.description ?? '',
  })

  const listThreads = async (number: number) => {
    const { value } = await ask<{ value: RawThread[] }>('GET', `${pull(number)}/threads`, { query: API })
    return value.filter(
      ({ isDeleted, comments: [first] }) => !isDeleted && first && !first.isDeleted && first.commentType !== 'system',
    )
  }
  const split = (id: string) => {
    const [thread, comment] = id.split('/')
    return { thread: Number(thread), comment: Number(comment) }
  }
  const setStatus = (number: number, thread: number, status: string) =>
    ask('PATCH', `${pull(number)}/threads/${thread}`, { query: API, body: { status } })

  return {
    name: 'azure',
    // Azure applies suggestion blocks of comments on lines.
    suggestions: true,
    ...makeWorkItems(rest, { base_url, project }),

    async test() {
      const [connection, found] = [await probe('/_apis/connectionData'), await probe(`${git}?api-version=7.1`)]
      if ([401, 203, 302].includes(connection.status) || [401, 203, 302].includes(found.status))
        throw new ProviderFailure('unauthenticated', 'Azure DevOps does not accept the token.')
      const items = await probe(`/${project}/_apis/wit/fields/System.State?api-version=7.1`)
      const account =
        connection.status === 200 ? JSON.parse(connection.text).authenticatedUser?.providerDisplayName : undefined
      const reads: Ability = found.status === 200 ? 'yes' : 'no'
      // Scopes of a personal token are told by nothing but trying.
      const writes: Ability = reads === 'yes' ? 'unknown' : 'no'
      return {
        ...(typeof account === 'string' && { account }),
        ...{ read_repository: reads, comment: writes, set_status: writes, write_checks: 'no', push: writes },
        ...{ create_pull_request: writes, read_work_items: items.status === 200 ? 'yes' : 'no' },
        write_work_items: items.status === 200 ? 'unknown' : 'no',
      }
    },

    readPullRequest: async number => toPullRequest(await ask<RawPull>('GET', pull(number), { query: API })),
    async findPullRequest(head, base, state = 'open') {
      const criteria = {
        ...{
          'searchCriteria.status': state === 'any' ? 'all' : 'active',
          'searchCriteria.sourceRefName': `refs/heads/${head}`,
        },
        ...(base !== undefined && { 'searchCriteria.targetRefName': `refs/heads/${base}` }),
      }
      const { value } = await ask<{ value: RawPull[] }>('GET', `${git}/pullrequests`, {
        query: { ...API, ...criteria, $top: PAGE },
      })
      const found = value.find(one => one.status === 'active') ?? value[0]
      return found && toPullRequest(found)
    },
    async createPullRequest({ title, body, head, base }) {
      const asked = {
        sourceRefName: `refs/heads/${head}`,
        targetRefName: `refs/heads/${base}`,
        title,
        description: body.slice(0, 4000),
      }
      return toPullRequest(await ask<RawPull>('POST', `${git}/pullrequests`, { query: API, body: asked }))
    },
    async updatePullRequest(number, { title, body }) {
      await ask('PATCH', pull(number), { query: API, body: { title, description: body.slice(0, 4000) } })
    },

    async listComments(number) {
      const threads = await listThreads(number)
      return threads
        .filter(({ threadContext }) => !threadContext)
        .map(({ id, comments: [first] }) => ({ id: `${id}/${first!.id}`, body: first!.content ?? '' }))
    },
    async createComment(number, body) {
      const comment = { parentCommentId: 0, content: body, commentType: 'text' }
      await ask('POST', `${pull(number)}/threads`, { query: API, body: { comments: [comment], status: 'active' } })
    },
    async updateComment(number, id, body) {
      const { thread, comment } = split(id)
      await ask('PATCH', `${pull(number)}/threads/${thread}/comments/${comment}`, {
        query: API,
        body: { content: body },
      })
    },
    async deleteComment(number, id) {
      const { thread, comment } = split(id)
      await ask('DELETE', `${pull(number)}/threads/${thread}/comments/${comment}`, { query: API })
    },

    async listReviewComments(number) {
      const threads = await listThreads(number)
      return threads.flatMap(({ id, status, comments: [first], threadContext: place }) =>
        place
          ? [
              {
                id: `${id}/${first!.id}`,
                body: first!.content ?? '',
                path: place.filePath.replace(/^\//, ''),
                ...(place.rightFileStart && { line: place.rightFileStart.line }),
                resolved: ['fixed', 'closed', 'wontFix', 'byDesign'].includes(status ?? 'active'),
              },
            ]
          : [],
      )
    },
    async createReviewComment({ number }, { path, line, start_line = line, body }) {
      const comment = { parentCommentId: 0, content: body, commentType: 'text' }
      const threadContext = {
        filePath: `/${path}`,
        rightFileStart: { line: start_line, offset: 1 },
        rightFileEnd: { line, offset: 1 },
      }
      await ask('POST', `${pull(number)}/threads`, {
        query: API,
        body: { comments: [comment], status: 'active', threadContext },
      })
    },
    async resolveReviewComment(number, { id }) {
      await setStatus(number, split(id).thread, 'fixed')
    },
    // Azure takes a comment on any line of a file.
    listDiffLines: async () => undefined,

    async setCheck({ sha, name, passed, title, url }) {
      const body = {
        state: passed ? 'succeeded' : 'failed',
        description: title.slice(0, MOST_STATUS),
        context: { name, genre: 'svc' },
        ...(url !== undefined && { targetUrl: url }),
      }
      await ask('POST', `${git}/commits/${sha}/statuses`, { query: API, body })
      return { kind: 'commit_status', annotations: 0 }
    },

    pushAddress: () => ({ url: site, authorization }),
    close: () => transport.close(),
  }
}
