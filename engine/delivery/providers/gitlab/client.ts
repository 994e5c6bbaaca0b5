import { readAddedLines } from '../diff-lines.ts'
import { ProviderFailure } from '../failure.ts'
import { makeInert } from '../inert-text.ts'
import { type Ability, type CodeProvider, MOST_ITEMS, type PullRequest, type WorkItem } from '../provider.ts'
import { makeRest } from '../rest.ts'
import type { ProviderSettings } from '../settings.ts'
import type { Token } from '../tokens.ts'
import type { Transport } from '../transport.ts'

interface RawMerge {
  iid: number
  title: string
  description: string | null
  state: string
  web_url: string
  sha: string
  source_branch: string
  target_branch: string
  source_project_id: number
  target_project_id: number
  diff_refs: { base_sha: string; head_sha: string; start_sha: string } | null
}

interface RawNote {
  id: number
  body: string
  system: boolean
  resolved?: boolean
  position?: { new_path: string; new_line: number | null }
}

interface RawIssue {
  iid: number
  title: string
  description: string | null
  state: string
  issue_type?: string
  web_url: string
  labels: string[]
  updated_at: string
}

interface RawDiff {
  new_path: string
  old_path: string
  diff: string
}

/** Access levels of a project's members. */
const REPORTER = 20
const DEVELOPER = 30
/** Characters of a commit status's description. */
const MOST_STATUS = 255

/** GitLab, self-managed too, by version 4 of its REST API. */
export function openGitlab(
  { base_url, repository }: ProviderSettings,
  token: Token,
  transport: Transport,
): CodeProvider {
  // A Bearer header, which no redirect carries to another host, takes personal, project, group and OAuth tokens.
  const headers = { authorization: `Bearer ${token.value}` }
  const { ask, list, probe } = makeRest(transport, { base_url, headers, title: 'GitLab' })
  const project = `/projects/${encodeURIComponent(repository)}`
  const merge = (number: number) => `${project}/merge_requests/${number}`
  /** The diff that positions of comments are in, by merge request. */
  const diffs = new Map<number, { refs: RawMerge['diff_refs']; files: Map<string, string> }>()

  const readDiff = async (number: number) => {
    const known = diffs.get(number)
    if (known) return known
    const { diff_refs: refs } = await ask<RawMerge>('GET', merge(number))
    const files = new Map((await list<RawDiff>(`${merge(number)}/diffs`)).map(one => [one.new_path, one.old_path]))
    diffs.set(number, { refs, files })
    return { refs, files }
  }

  return {
    name: 'gitlab',
    suggestions: true,

    async test() {
      const [user, found, self] = [
        await probe('/user'),
        await probe(project),
        await probe('/personal_access_tokens/self'),
      ]
      if (user.status === 401)
        throw new ProviderFailure('unauthenticated', 'GitLab does not know the token.', { status: 401 })
      const scopes = self.status === 200 ? (JSON.parse(self.text) as { scopes?: string[] }).scopes : undefined
      const body = found.status === 200 ? JSON.parse(found.text) : undefined
      const { project_access, group_access } = (body?.permissions ?? {}) as Record<
        string,
        { access_level: number } | null
      >
      const levels = [project_access?.access_level, group_access?.access_level].filter(level => level !== undefined)
      const level = levels.length > 0 ? Math.max(...(levels as number[])) : undefined
      const may = (least: number): Ability => {
        if (!body || (scopes && !scopes.includes('api'))) return 'no'
        return level === undefined ? 'unknown' : level >= least ? (scopes ? 'yes' : 'unknown') : 'no'
      }
      const reads: Ability = body ? 'yes' : 'no'
      return {
        ...(user.status === 200 && { account: String(JSON.parse(user.text).username) }),
        ...{ read_repository: reads, read_work_items: reads, write_checks: 'no' },
        ...{ comment: may(REPORTER), write_work_items: may(REPORTER), set_status: may(DEVELOPER) },
        ...{ push: may(DEVELOPER), create_pull_request: may(DEVELOPER) },
        ...(scopes && { scopes }),
      }
    },

    readPullRequest: async number => toPullRequest(await ask<RawMerge>('GET', merge(number))),
    async findPullRequest(head, base, state = 'open') {
      const query = {
        state: state === 'any' ? 'all' : 'opened',
        source_branch: head,
        ...(base !== undefined && { target_branch: base }),
      }
      const all = await list<RawMerge>(`${project}/merge_requests`, query)
      const found = all.find(one => one.state === 'opened') ?? all[0]
      return found && toPullRequest(found)
    },
    async createPullRequest({ title, body, head, base }) {
      const asked = { source_branch: head, target_branch: base, title, description: body, remove_source_branch: true }
      return toPullRequest(await ask<RawMerge>('POST', `${project}/merge_requests`, { body: asked }))
    },
    async updatePullRequest(number, { title, body }) {
      await ask('PUT', merge(number), { body: { title, description: body } })
    },

    async listComments(number) {
      const notes = await list<RawNote>(`${merge(number)}/notes`, { sort: 'asc', order_by: 'created_at' })
      return notes.filter(({ system }) => !system).map(({ id, body }) => ({ id: String(id), body }))
    },
    async createComment(number, body) {
      await ask('POST', `${merge(number)}/notes`, { body: { body } })
    },
    async updateComment(number, id, body) {
      await ask('PUT', `${merge(number)}/notes/${id}`, { body: { body } })
    },
    async deleteComment(number, id) {
      await ask('DELETE', `${merge(number)}/notes/${id}`)
    },

    async listReviewComments(number) {
      const found = await list<{ id: string; notes: RawNote[] }>(`${merge(number)}/discussions`)
      return found.flatMap(({ id, notes: [first] }) =>
        first?.position
          ? [
              {
                id,
                body: first.body,
                path: first.position.new_path,
                ...(first.position.new_line !== null && { line: first.position.new_line }),
                resolved: first.resolved === true,
              },
            ]
          : [],
      )
    },
    async createReviewComment(pull, { path, line, start_line = line, body }) {
      const { refs, files } = await readDiff(pull.number)
      if (!refs) throw new ProviderFailure('conflict', 'GitLab has not made the diff of the merge request yet.')
      const position = {
        position_type: 'text',
        ...refs,
        new_path: path,
        old_path: files.get(path) ?? path,
        new_line: line,
      }
      // GitLab counts the lines above the comment's own that a suggestion replaces.
      const text = body.replace(/^(`{3,})suggestion$/m, `$1suggestion:-${line - start_line}+0`)
      await ask('POST', `${merge(pull.number)}/discussions`, { body: { body: text, position } })
    },
    async resolveReviewComment(number, comment) {
      await ask('PUT', `${merge(number)}/discussions/${comment.id}`, { body: { resolved: true } })
    },
    async listDiffLines(number) {
      // A position on a line that is not new needs its old number too.
      const found = await list<RawDiff>(`${merge(number)}/diffs`)
      return new Map(found.map(({ new_path, diff }) => [new_path, readAddedLines(diff)]))
    },

    async setCheck({ sha, name, passed, title, url }) {
      const state = passed ? 'success' : 'failed'
      const body = {
        state,
        name,
        description: title.slice(0, MOST_STATUS),
        ...(url !== undefined && { target_url: url }),
      }
      try {
        await ask('POST', `${project}/statuses/${sha}`, { body })
      } catch (error) {
        // GitLab refuses a state that the status already has.
        if (!(error instanceof ProviderFailure) || error.status !== 400) throw error
        const found = await list<{ name: string; status: string }>(`${project}/repository/commits/${sha}/statuses`, {
          name,
        })
        if (!found.some(one => one.name === name && one.status === state)) throw error
      }
      return { kind: 'commit_status', annotations: 0 }
    },

    async listWorkItems() {
      const found = await list<RawIssue>(`${project}/issues`, { scope: 'all' })
      if (found.length > MOST_ITEMS)
        throw new ProviderFailure('invalid', `The project has more than ${MOST_ITEMS} issues.`)
      return found.map(toWorkItem)
    },
    async readWorkItem(key) {
      try {
        return toWorkItem(await ask<RawIssue>('GET', `${project}/issues/${toNumber(key)}`))
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
        throw error
      }
    },
    async createWorkItem({ title, description, labels }) {
      return toWorkItem(
        await ask<RawIssue>('POST', `${project}/issues`, {
          body: { title, description: makeInert(description), labels: labels.join(',') },
        }),
      )
    },
    async setWorkItemState(key, state) {
      const state_event = state === 'closed' ? 'close' : state === 'opened' || state === 'open' ? 'reopen' : undefined
      if (!state_event)
        throw new ProviderFailure('invalid', `GitLab has no state ${JSON.stringify(state)}: opened or closed.`)
      await ask('PUT', `${project}/issues/${toNumber(key)}`, { body: { state_event } })
    },

    pushAddress() {
      const { origin, pathname } = new URL(base_url)
      const site = origin + pathname.replace(/\/api\/v4$/, '')
      return {
        url: `${site}/${repository}.git`,
        authorization: `Basic ${Buffer.from(`oauth2:${token.value}`).toString('base64')}`,
      }
    },
    close: () => transport.close(),
  }
}

function toNumber(key: string): number {
  const number = Number(key.replace(/^#/, ''))
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new ProviderFailure('not_found', `${JSON.stringify(key)} is not a number of GitLab.`)
}

function toPullRequest(raw: RawMerge): PullRequest {
  return {
    number: raw.iid,
    title: raw.title,
    url: raw.web_url,
    state: raw.state === 'opened' ? 'open' : 'closed',
    head_sha: raw.sha,
    head_branch: raw.source_branch,
    ...(raw.diff_refs && { base_sha: raw.diff_refs.base_sha }),
    base_branch: raw.target_branch,
    is_fork: raw.source_project_id !== raw.target_project_id,
    body: raw.description ?? '',
  }
}

function toWorkItem(raw: RawIssue): WorkItem {
  return {
    key: `#${raw.iid}`,
    title: raw.title,
    state: raw.state,
    type: raw.issue_type ?? 'issue',
    url: raw.web_url,
    description: raw.description ?? '',
    labels: raw.labels,
    updated: raw.updated_at,
    revision: raw.updated_at,
  }
}
