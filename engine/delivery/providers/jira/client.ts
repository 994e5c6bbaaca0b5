import { ProviderFailure } from '../failure.ts'
import { makeInert } from '../inert-text.ts'
import { type Ability, MOST_ITEMS, type WorkItem, type WorkItemProvider } from '../provider.ts'
import { makeRest } from '../rest.ts'
import type { ProviderSettings } from '../settings.ts'
import type { Token } from '../tokens.ts'
import type { Transport } from '../transport.ts'

interface RawIssue {
  key: string
  fields: {
    summary: string
    description?: string | null
    status: { name: string }
    issuetype: { name: string }
    labels?: string[]
    parent?: { key: string }
    updated: string
  }
}

const FIELDS = 'summary,description,status,issuetype,labels,parent,updated'
const PAGE = 100

/** Jira, Cloud and Data Center, by version 2 of its REST API, in which descriptions are text. */
export function openJira(
  { base_url, repository: project }: ProviderSettings,
  token: Token,
  transport: Transport,
): WorkItemProvider {
  const authorization =
    token.scheme === 'basic' ? `Basic ${Buffer.from(token.value).toString('base64')}` : `Bearer ${token.value}`
  const { ask, probe } = makeRest(transport, {
    base_url: `${base_url}/rest/api/2`,
    headers: { authorization },
    title: 'Jira',
  })
  const jql = `project = "${project}" ORDER BY key`

  const toWorkItem = ({ key, fields }: RawIssue): WorkItem => ({
    key,
    title: fields.summary,
    state: fields.status.name,
    type: fields.issuetype.name,
    url: `${base_url}/browse/${key}`,
    description: fields.description ?? '',
    labels: fields.labels ?? [],
    ...(fields.parent && { parent: fields.parent.key }),
    updated: fields.updated,
    revision: fields.updated,
  })

  const readItem = async (key: string) =>
    toWorkItem(await ask<RawIssue>('GET', `/issue/${encodeURIComponent(key)}`, { query: { fields: FIELDS } }))

  /** Cloud pages by a token; Data Center, which has no such address, by a number. */
  async function listAll(): Promise<RawIssue[]> {
    const found: RawIssue[] = []
    const isFull = () => {
      if (found.length > MOST_ITEMS)
        throw new ProviderFailure('invalid', `The project has more than ${MOST_ITEMS} issues.`)
    }
    const query = { jql, fields: FIELDS, maxResults: PAGE }
    try {
      for (let next: string | undefined; ; isFull()) {
        const more: Record<string, string> = next === undefined ? {} : { nextPageToken: next }
        const answer = await ask<{ issues: RawIssue[]; nextPageToken?: string }>('GET', '/search/jql', {
          query: { ...query, ...more },
        })
        found.push(...answer.issues)
        next = answer.nextPageToken
        if (next === undefined || answer.issues.length === 0) return found
      }
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind !== 'not_found' || found.length > 0) throw error
    }
    for (;;) {
      const answer = await ask<{ issues: RawIssue[]; total: number }>('GET', '/search', {
        query: { ...query, startAt: found.length },
      })
      found.push(...answer.issues)
      isFull()
      if (answer.issues.length === 0 || found.length >= answer.total) return found
    }
  }

  return {
    name: 'jira',
    async test() {
      const self = await probe('/myself')
      if (self.status === 401 || self.status === 403)
        throw new ProviderFailure('unauthenticated', 'Jira does not accept the token.', { status: self.status })
      const names = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'EDIT_ISSUES', 'TRANSITION_ISSUES']
      const found = await probe(`/mypermissions?projectKey=${project}&permissions=${names.join(',')}`)
      const permissions =
        found.status === 200
          ? (JSON.parse(found.text).permissions as Record<string, { havePermission: boolean }>)
          : undefined
      const may = (...all: string[]): Ability =>
        !permissions ? 'unknown' : all.every(name => permissions[name]?.havePermission) ? 'yes' : 'no'
      return {
        ...(self.status === 200 && { account: String(JSON.parse(self.text).displayName) }),
        ...{
          read_repository: 'no',
          comment: 'no',
          set_status: 'no',
          write_checks: 'no',
          push: 'no',
          create_pull_request: 'no',
        },
        read_work_items: may('BROWSE_PROJECTS'),
        write_work_items: may('CREATE_ISSUES', 'EDIT_ISSUES', 'TRANSITION_ISSUES'),
      }
    },
    listWorkItems: async () => (await listAll()).map(toWorkItem),
    async readWorkItem(key) {
      try {
        return await readItem(key)
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
        throw error
      }
    },
    async createWorkItem({ title, description, labels }) {
      const fields = {
        project: { key: project },
        summary: title.slice(0, 255),
        description: makeInert(description),
        labels,
        issuetype: { name: 'Task' },
      }
      const { key } = await ask<{ key: string }>('POST', '/issue', { body: { fields } })
      return readItem(key)
    },
    async setWorkItemState(key, state) {
      const path = `/issue/${encodeURIComponent(key)}/transitions`
      const { transitions } = await ask<{ transitions: { id: string; name: string; to: { name: string } }[] }>(
        'GET',
        path,
      )
      const found = transitions.find(({ to }) => to.name.toLowerCase() === state.toLowerCase())
      if (!found) {
        const open = transitions.map(({ to }) => to.name).join(', ') || 'none'
        throw new ProviderFailure(
          'invalid',
          `${key} has no transition to ${JSON.stringify(state)}; possible now: ${open}.`,
        )
      }
      await ask('POST', path, { body: { transition: { id: found.id } } })
    },
    close: () => transport.close(),
  }
}
