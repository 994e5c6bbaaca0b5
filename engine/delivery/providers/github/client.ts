import { readDiffLines } from '../diff-lines.ts'
import { ProviderFailure } from '../failure.ts'
import { makeInert } from '../inert-text.ts'
import type { Ability, CodeProvider, NewReviewComment, PullRequest, WorkItem } from '../provider.ts'
import { MOST_ITEMS } from '../provider.ts'
import type { ProviderSettings } from '../settings.ts'
import type { Token } from '../tokens.ts'
import type { Transport } from '../transport.ts'
import { setCheck } from './checks.ts'
import { openSession } from './session.ts'

interface RawPull {
  number: number
  title: string
  html_url: string
  state: string
  body: string | null
  head: { sha: string; ref: string; repo: { full_name: string } | null }
  base: { sha: string; ref: string; repo: { full_name: string } }
}

interface RawComment {
  id: number
  body?: string
  path?: string
  line?: number | null
}

interface RawIssue {
  number: number
  title: string
  state: string
  state_reason?: string | null
  html_url: string
  body?: string | null
  labels: (string | { name?: string })[]
  updated_at: string
  pull_request?: unknown
}

/** GitHub, its Enterprise Server included, by Octokit. */
export async function openGithub(
  { base_url, repository }: ProviderSettings,
  token: Token,
  transport: Transport,
): Promise<CodeProvider> {
  const [owner, repo] = repository.split('/') as [string, string]
  const at = { owner, repo }
  const { ask, list, probe } = await openSession(base_url, token, transport)

  const editIssue = (key: string, change: Record<string, unknown>) =>
    ask('PATCH /repos/{owner}/{repo}/issues/{issue_number}', { ...at, issue_number: toNumber(key), ...change })

  return {
    name: 'github',
    suggestions: true,

    async test() {
      const [user, repository, rate] = [
        await probe('GET /user', {}),
        await probe('GET /repos/{owner}/{repo}', at),
        await probe('GET /rate_limit', {}),
      ]
      if (user.status === 401 || repository.status === 401)
        throw new ProviderFailure('unauthenticated', 'GitHub does not know the token.', { status: 401 })
      // Classic tokens name their scopes; fine-grained ones and those of apps do not.
      const header = user.headers.get('x-oauth-scopes') ?? rate.headers.get('x-oauth-scopes')
      const scopes = header
        ?.split(',')
        .map(scope => scope.trim())
        .filter(Boolean)
      const permissions = (repository.data as { permissions?: Record<string, boolean> }).permissions
      const reads = repository.status === 200
      const isPrivate = (repository.data as { private?: boolean }).private === true
      const hasScope = scopes === undefined || scopes.includes('repo') || (!isPrivate && scopes.includes('public_repo'))
      const may = (permitted: boolean | undefined): Ability =>
        !reads || !hasScope || permitted === false
          ? 'no'
          : permitted === undefined || scopes === undefined
            ? 'unknown'
            : 'yes'
      // /user answers only where the token is a person's.
      const isPerson = user.status === 200
      return {
        ...(isPerson && { account: String((user.data as { login: string }).login) }),
        read_repository: reads ? 'yes' : 'no',
        comment: may(permissions?.pull ?? permissions?.push),
        set_status: hasScope || !scopes?.includes('repo:status') ? may(permissions?.push) : 'yes',
        // Only a GitHub App writes check runs.
        write_checks: isPerson ? 'no' : reads ? 'unknown' : 'no',
        push: may(permissions?.push),
        create_pull_request: may(permissions?.push),
        read_work_items: reads ? 'yes' : 'no',
        write_work_items: may(permissions?.triage ?? permissions?.push),
        ...(scopes && { scopes }),
      }
    },

    async readPullRequest(number) {
      return toPullRequest(
        (await ask('GET /repos/{owner}/{repo}/pulls/{pull_number}', { ...at, pull_number: number })) as RawPull,
      )
    },
    async findPullRequest(head, base, state = 'open') {
      const found = (await list('GET /repos/{owner}/{repo}/pulls', {
        ...at,
        state: state === 'any' ? 'all' : 'open',
        head: `${owner}:${head}`,
        ...(base !== undefined && { base }),
      })) as unknown as RawPull[]
      const named = found.filter(({ head: one }) => one.ref === head)
      const own = named.find(one => one.state === 'open') ?? named[0]
      return own && toPullRequest(own)
    },
    async createPullRequest({ title, body, head, base }) {
      const made = await ask('POST /repos/{owner}/{repo}/pulls', { ...at, title, body, head, base }, { once: true })
      return toPullRequest(made as RawPull)
    },
    async updatePullRequest(number, { title, body }) {
      await ask('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...at, pull_number: number, title, body })
    },

    async listComments(number) {
      const found = await list('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...at,
        issue_number: number,
      })
      return (found as unknown as RawComment[]).map(({ id, body = '' }) => ({ id: String(id), body }))
    },
    async createComment(number, body) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
      await ask(route, { ...at, issue_number: number, body }, { once: true })
    },
    async updateComment(_, id, body) {
      await ask('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...at, comment_id: toNumber(id), body })
    },
    async deleteComment(_, id) {
      await ask('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...at, comment_id: toNumber(id) })
    },

    async listReviewComments(number) {
      const found = await list('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', { ...at, pull_number: number })
      return (found as unknown as RawComment[]).map(({ id, body = '', path = '', line }) => ({
        id: String(id),
        body,
        path,
        ...(line !== null && line !== undefined && { line }),
        resolved: body.includes(RESOLVED),
      }))
    },
    async createReviewComment(pull, { path, line, start_line, body }: NewReviewComment) {
      const span = start_line !== undefined && start_line < line ? { start_line, start_side: 'RIGHT' } : {}
      await ask(
        'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments',
        { ...at, pull_number: pull.number, commit_id: pull.head_sha, path, line, side: 'RIGHT', ...span, body },
        { once: true },
      )
    },
    async resolveReviewComment(number, comment, body) {
      // The thread first: what is edited counts as resolved from then on.
      await resolveThread(number, toNumber(comment.id))
      await ask('PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}', {
        ...at,
        comment_id: toNumber(comment.id),
        body: `${RESOLVED}\n${body}`,
      })
    },
    async listDiffLines(number) {
      const found = (await list('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', {
        ...at,
        pull_number: number,
      })) as { filename: string; patch?: string }[]
      return new Map(found.map(({ filename, patch = '' }) => [filename, readDiffLines(patch)]))
    },

    setCheck: check => setCheck({ ask, list }, at, check),

    async listWorkItems() {
      const found = (await list('GET /repos/{owner}/{repo}/issues', { ...at, state: 'all' })) as unknown as RawIssue[]
      if (found.length > MOST_ITEMS)
        throw new ProviderFailure('invalid', `The repository has more than ${MOST_ITEMS} issues.`)
      return found.filter(({ pull_request }) => pull_request === undefined).map(toWorkItem)
    },
    async readWorkItem(key) {
      try {
        const found = (await ask('GET /repos/{owner}/{repo}/issues/{issue_number}', {
          ...at,
          issue_number: toNumber(key),
        })) as RawIssue
        return toWorkItem(found)
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
        throw error
      }
    },
    async createWorkItem({ title, description, labels }) {
      const made = await ask(
        'POST /repos/{owner}/{repo}/issues',
        { ...at, title, body: makeInert(description), labels: [...labels] },
        { once: true },
      )
      return toWorkItem(made as RawIssue)
    },
    async setWorkItemState(key, state) {
      const [name, reason] = state.split(':')
      await editIssue(key, { state: name, ...(reason && { state_reason: reason }) })
    },

    pushAddress() {
      const { protocol, host } = new URL(base_url)
      const site = host === 'api.github.com' ? 'github.com' : host.replace(/^api\.(?=.*\.ghe\.com$)/, '')
      const credentials = Buffer.from(`x-access-token:${token.value}`).toString('base64')
      return { url: `${protocol}//${site}/${owner}/${repo}.git`, authorization: `Basic ${credentials}` }
    },
    close: () => transport.close(),
  }

  /** Resolves the thread that a comment begins; only GraphQL can. A token that may not leaves the edited comment. */
  async function resolveThread(number: number, comment: number): Promise<void> {
    try {
      let after: string | null = null
      for (let page = 0; page < MOST_THREAD_PAGES; page++) {
        const answer = (await ask('POST /graphql', {
          query: THREADS,
          variables: { ...at, number, after },
        })) as { data?: { repository?: { pullRequest?: { reviewThreads: ThreadPage } } } }
        const threads: ThreadPage | undefined = answer.data?.repository?.pullRequest?.reviewThreads
        const found = threads?.nodes.find(({ comments }) => comments.nodes[0]?.databaseId === comment)
        if (found?.isResolved) return
        if (found) {
          await ask('POST /graphql', { query: RESOLVE, variables: { id: found.id } })
          return
        }
        if (!threads?.pageInfo.hasNextPage) return
        after = threads.pageInfo.endCursor
      }
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !['forbidden', 'not_found'].includes(error.kind)) throw error
    }
  }
}

interface ThreadPage {
  nodes: { id: string; isResolved: boolean; comments: { nodes: { databaseId: number }[] } }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

const MOST_THREAD_PAGES = 10
const THREADS =
  'query($owner:String!,$repo:String!,$number:Int!,$after:String){repository(owner:$owner,name:$repo){pullRequest(number:$number){reviewThreads(first:100,after:$after){nodes{id isResolved comments(first:1){nodes{databaseId}}} pageInfo{hasNextPage endCursor}}}}}'
const RESOLVE = 'mutation($id:ID!){resolveReviewThread(input:{threadId:$id}){thread{isResolved}}}'

/** Stands in a review comment that svc has resolved. */
const RESOLVED = '<!-- svc:resolved -->'

function toNumber(id: string): number {
  const number = Number(id.replace(/^#/, ''))
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new ProviderFailure('not_found', `${JSON.stringify(id)} is not a number of GitHub.`)
}

function toPullRequest({ number, title, html_url, state, body, head, base }: RawPull): PullRequest {
  return {
    number,
    title,
    url: html_url,
    state: state === 'open' ? 'open' : 'closed',
    head_sha: head.sha,
    head_branch: head.ref,
    base_sha: base.sha,
    base_branch: base.ref,
    // A fork that was deleted since has no repository.
    is_fork: head.repo?.full_name !== base.repo.full_name,
    body: body ?? '',
  }
}

function toWorkItem(issue: RawIssue): WorkItem {
  return {
    key: `#${issue.number}`,
    title: issue.title,
    state: issue.state_reason === 'not_planned' ? 'closed:not_planned' : issue.state,
    type: 'issue',
    url: issue.html_url,
    description: issue.body ?? '',
    labels: issue.labels.flatMap(label => (typeof label === 'string' ? label : (label.name ?? []))),
    updated: issue.updated_at,
    revision: issue.updated_at,
  }
}
