import { escapeHtml } from '../../../base/text/visible.ts'
import { ProviderFailure } from '../failure.ts'
import { MOST_ITEMS, type WorkItem, type WorkItemProvider } from '../provider.ts'
import type { Rest } from '../rest.ts'

interface RawItem {
  id: number
  rev: number
  fields: Record<string, unknown>
}

const API = { 'api-version': '7.1' }
const PATCH = 'application/json-patch+json'
/** Work items of one request, by the provider's limit. */
const BATCH = 200

/** Work items of a project of Azure DevOps. Keys are `AB#12`, as commits name them. */
export function makeWorkItems(
  { ask }: Rest,
  { base_url, project }: { base_url: string; project: string },
): Pick<WorkItemProvider, 'listWorkItems' | 'readWorkItem' | 'createWorkItem' | 'setWorkItemState'> {
  const toWorkItem = ({ id, rev, fields }: RawItem): WorkItem => {
    const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '')
    return {
      key: `AB#${id}`,
      title: text('System.Title'),
      state: text('System.State'),
      type: text('System.WorkItemType'),
      url: `${base_url}/${project}/_workitems/edit/${id}`,
      description: text('System.Description'),
      labels: text('System.Tags')
        .split(';')
        .map(tag => tag.trim())
        .filter(Boolean),
      ...(typeof fields['System.Parent'] === 'number' && { parent: `AB#${fields['System.Parent']}` }),
      updated: text('System.ChangedDate'),
      revision: String(rev),
    }
  }
  return {
    async listWorkItems() {
      const query = 'SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project ORDER BY [System.Id]'
      const { workItems } = await ask<{ workItems: { id: number }[] }>('POST', `/${project}/_apis/wit/wiql`, {
        query: { ...API, $top: MOST_ITEMS },
        body: { query },
      })
      if (workItems.length >= MOST_ITEMS)
        throw new ProviderFailure('invalid', `The project has ${MOST_ITEMS} work items or more.`)
      const found: WorkItem[] = []
      for (let at = 0; at < workItems.length; at += BATCH) {
        const ids = workItems
          .slice(at, at + BATCH)
          .map(({ id }) => id)
          .join(',')
        const { value } = await ask<{ value: RawItem[] }>('GET', `/${project}/_apis/wit/workitems`, {
          query: { ...API, ids, errorPolicy: 'omit' },
        })
        found.push(...value.filter(one => one !== null).map(toWorkItem))
      }
      return found
    },
    async readWorkItem(key) {
      try {
        return toWorkItem(await ask<RawItem>('GET', `/${project}/_apis/wit/workitems/${toId(key)}`, { query: API }))
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'not_found') return undefined
        throw error
      }
    },
    async createWorkItem({ title, description, labels }) {
      const body = [
        { op: 'add', path: '/fields/System.Title', value: title },
        { op: 'add', path: '/fields/System.Description', value: toHtml(description) },
        ...(labels.length > 0 ? [{ op: 'add', path: '/fields/System.Tags', value: labels.join('; ') }] : []),
      ]
      return toWorkItem(
        await ask<RawItem>('POST', `/${project}/_apis/wit/workitems/$Issue`, { query: API, body, type: PATCH }),
      )
    },
    async setWorkItemState(key, state) {
      const body = [{ op: 'add', path: '/fields/System.State', value: state }]
      await ask('PATCH', `/${project}/_apis/wit/workitems/${toId(key)}`, { query: API, body, type: PATCH })
    },
  }
}

/** Descriptions are HTML: the text as it is, line by line, in which nothing is markup and no `@<id>` a mention. */
function toHtml(text: string): string {
  return text.split(/\r?\n/).map(escapeHtml).join('<br>')
}

function toId(key: string): number {
  const id = Number(key.replace(/^(?:AB)?#/, ''))
  if (Number.isSafeInteger(id) && id > 0) return id
  throw new ProviderFailure('not_found', `${JSON.stringify(key)} is not a number of Azure DevOps.`)
}
