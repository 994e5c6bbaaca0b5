import { type Route, type StandIn, startStandIn } from './server.ts'

/** What the stand-in's project has: Cloud pages by tokens, Data Center by numbers. */
export interface JiraState {
  issues: { key: string; summary: string; description: string; status: string; labels: string[] }[]
  edition: 'cloud' | 'data-center'
  permissions: Record<string, boolean>
}

const STATES = ['To Do', 'In Progress', 'Done']

/** A stand-in for Jira with the project SHOP, written field by field after Atlassian's documentation. */
export async function startJira(given: Partial<JiraState> = {}): Promise<StandIn & { state: JiraState }> {
  const state: JiraState = { issues: [], edition: 'cloud', permissions: {}, ...given }
  const missing = {
    status: 404,
    body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'], errors: {} },
  }
  const at = (path: string) => new RegExp(`^/rest/api/2${path}$`)
  const issue = ({ key, summary, description, status, labels }: JiraState['issues'][number]) => ({
    ...{ id: key, key, self: '' },
    fields: {
      summary,
      description,
      labels,
      status: { name: status },
      issuetype: { name: 'Task' },
      updated: '2026-01-01T00:00:00.000+0000',
    },
  })
  const find = (key: string | undefined) => state.issues.find(one => one.key === key)
  const routes: Route[] = [
    ['GET', at('/myself'), () => ({ status: 200, body: { displayName: 'Kim', accountId: '1' } })],
    [
      'GET',
      at('/mypermissions'),
      ({ query }) => ({
        status: 200,
        body: {
          permissions: Object.fromEntries(
            (query.get('permissions') ?? '')
              .split(',')
              .map(key => [key, { key, havePermission: state.permissions[key] ?? true }]),
          ),
        },
      }),
    ],
    [
      'GET',
      at('/search/jql'),
      ({ query }) => {
        if (state.edition === 'data-center') return { status: 404, body: {} }
        const from = Number(query.get('nextPageToken') ?? 0)
        const found = state.issues.slice(from, from + Number(query.get('maxResults')))
        const next = from + found.length
        return {
          status: 200,
          body: {
            issues: found.map(issue),
            ...(next < state.issues.length ? { nextPageToken: String(next) } : { isLast: true }),
          },
        }
      },
    ],
    [
      'GET',
      at('/search'),
      ({ query }) => {
        const from = Number(query.get('startAt') ?? 0)
        const found = state.issues.slice(from, from + Number(query.get('maxResults')))
        return {
          status: 200,
          body: { startAt: from, maxResults: 100, total: state.issues.length, issues: found.map(issue) },
        }
      },
    ],
    ['GET', at('/issue/([A-Z0-9-]+)'), (_, key) => (find(key) ? { status: 200, body: issue(find(key)!) } : missing)],
    [
      'POST',
      at('/issue'),
      ({ body }) => {
        const { fields } = body as {
          fields: { summary: string; description: string; labels: string[]; project: { key: string } }
        }
        const key = `${fields.project.key}-${state.issues.length + 1}`
        state.issues.push({
          key,
          summary: fields.summary,
          description: fields.description,
          status: 'To Do',
          labels: fields.labels,
        })
        return { status: 201, body: { id: '1', key, self: '' } }
      },
    ],
    [
      'GET',
      at('/issue/([A-Z0-9-]+)/transitions'),
      (_, key) => {
        const now = find(key)?.status
        const open = STATES.filter(name => name !== now).map(name => ({
          id: String(STATES.indexOf(name)),
          name: `to ${name}`,
          to: { name },
        }))
        return { status: 200, body: { transitions: open } }
      },
    ],
    [
      'POST',
      at('/issue/([A-Z0-9-]+)/transitions'),
      ({ body }, key) => {
        find(key)!.status = STATES[Number((body as { transition: { id: string } }).transition.id)]!
        return { status: 204 }
      },
    ],
  ]
  return Object.assign(await startStandIn(routes), { state })
}
