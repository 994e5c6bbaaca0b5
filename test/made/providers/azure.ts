import { type Route, type StandIn, startStandIn } from './server.ts'

interface Thread {
  id: number
  pull: number
  status: string
  comments: { id: number; content: string; isDeleted?: boolean; commentType?: string }[]
  threadContext: {
    filePath: string
    rightFileStart: { line: number; offset: number }
    rightFileEnd: { line: number; offset: number }
  } | null
}

/** What the stand-in's project has. */
export interface AzureState {
  pulls: {
    id: number
    title: string
    description: string
    status: string
    source: string
    target: string
    sha: string
    fork?: boolean
  }[]
  threads: Thread[]
  statuses: { sha: string; state: string; description: string; name: string; genre: string }[]
  items: { id: number; rev: number; fields: Record<string, unknown> }[]
  accepts: boolean
}

const BASE = '0000000000000000000000000000000000000000'

/** A stand-in for Azure DevOps with the repository acme/store/shop, written after the recorded pairs that Microsoft publishes. */
export async function startAzure(given: Partial<AzureState> = {}): Promise<StandIn & { state: AzureState }> {
  const state: AzureState = { pulls: [], threads: [], statuses: [], items: [], accepts: true, ...given }
  let ids = 1000
  let url = ''
  const missing = {
    status: 404,
    body: {
      $id: '1',
      message: 'TF401180: The requested pull request was not found.',
      typeKey: 'GitPullRequestNotFoundException',
    },
  }
  const guarded =
    (answer: Route[2]): Route[2] =>
    (request, ...parts) => {
      if (!state.accepts) return { status: 203, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }
      return answer(request, ...parts)
    }
  const git = (path: string) => new RegExp(`^/acme/store/_apis/git/repositories/shop${path}$`, 'i')
  const find = (id: string | undefined) => state.pulls.find(one => one.id === Number(id))
  const pull = ({ id, title, description, status, source, target, sha, fork }: AzureState['pulls'][number]) => ({
    ...{
      pullRequestId: id,
      codeReviewId: id,
      status,
      title,
      description,
      isDraft: false,
      mergeStatus: 'succeeded',
      mergeId: 'm',
    },
    ...{
      sourceRefName: `refs/heads/${source}`,
      targetRefName: `refs/heads/${target}`,
      creationDate: '2026-01-01T00:00:00Z',
    },
    ...{
      lastMergeSourceCommit: { commitId: sha },
      lastMergeTargetCommit: { commitId: BASE },
      createdBy: { displayName: 'Kim' },
    },
    ...{
      repository: { id: 'r', name: 'shop' },
      reviewers: [],
      url: `${url}/pullRequests/${id}`,
      ...(fork && { forkSource: { name: 'refs/heads/x' } }),
    },
  })
  const item = (one: AzureState['items'][number]) => ({ ...one, url: `${url}/workItems/${one.id}`, _links: {} })
  const patchItem = (target: AzureState['items'][number], body: unknown) => {
    for (const { path, value } of body as { op: string; path: string; value: unknown }[])
      target.fields[path.replace('/fields/', '')] = value
    target.rev++
  }

  const routes: Route[] = [
    [
      'GET',
      /^\/acme\/_apis\/connectionData$/,
      () => ({ status: 200, body: { authenticatedUser: { id: 'u', providerDisplayName: 'Kim' } } }),
    ],
    ['GET', git(''), () => ({ status: 200, body: { id: 'r', name: 'shop', defaultBranch: 'refs/heads/main' } })],
    [
      'GET',
      git('/pullrequests'),
      ({ query }) => {
        const source = query.get('searchCriteria.sourceRefName')
        const found = state.pulls.filter(
          one =>
            ['all', one.status].includes(query.get('searchCriteria.status') ?? 'active') &&
            (!source || `refs/heads/${one.source}` === source),
        )
        return { status: 200, body: { value: found.map(pull), count: found.length } }
      },
    ],
    ['GET', git('/pullRequests/([0-9]+)'), (_, id) => (find(id) ? { status: 200, body: pull(find(id)!) } : missing)],
    [
      'POST',
      git('/pullrequests'),
      ({ body }) => {
        const { sourceRefName, targetRefName, title, description } = body as Record<string, string>
        const [source, target] = [sourceRefName!, targetRefName!].map(ref => ref.replace('refs/heads/', '')) as [
          string,
          string,
        ]
        if (state.pulls.some(one => one.status === 'active' && one.source === source && one.target === target))
          return {
            status: 409,
            body: { message: 'TF401179: An active pull request for the source and target branch already exists.' },
          }
        const made = {
          id: ids++,
          title: title!,
          description: description!,
          status: 'active',
          source,
          target,
          sha: BASE,
        }
        state.pulls.push(made)
        return { status: 201, body: pull(made) }
      },
    ],
    [
      'PATCH',
      git('/pullRequests/([0-9]+)'),
      ({ body }, id) => {
        const found = find(id)
        if (!found) return missing
        Object.assign(found, body)
        return { status: 200, body: pull(found) }
      },
    ],
    [
      'GET',
      git('/pullRequests/([0-9]+)/threads'),
      (_, id) => {
        const found = state.threads.filter(one => one.pull === Number(id))
        return { status: 200, body: { value: found, count: found.length } }
      },
    ],
    [
      'POST',
      git('/pullRequests/([0-9]+)/threads'),
      ({ body }, id) => {
        const { comments, status, threadContext = null } = body as unknown as Thread
        const made: Thread = {
          id: ids++,
          pull: Number(id),
          status,
          threadContext,
          comments: comments.map((one, at) => ({ ...one, id: at + 1 })),
        }
        state.threads.push(made)
        return { status: 200, body: made }
      },
    ],
    [
      'PATCH',
      git('/pullRequests/[0-9]+/threads/([0-9]+)'),
      ({ body }, id) => {
        const found = state.threads.find(one => one.id === Number(id))
        if (!found) return missing
        found.status = String(body.status)
        return { status: 200, body: found }
      },
    ],
    [
      'PATCH',
      git('/pullRequests/[0-9]+/threads/([0-9]+)/comments/([0-9]+)'),
      ({ body }, thread, id) => {
        const found = state.threads.find(one => one.id === Number(thread))?.comments.find(one => one.id === Number(id))
        if (!found) return missing
        found.content = String(body.content)
        return { status: 200, body: found }
      },
    ],
    [
      'DELETE',
      git('/pullRequests/[0-9]+/threads/([0-9]+)/comments/([0-9]+)'),
      (_, thread, id) => {
        const found = state.threads.find(one => one.id === Number(thread))?.comments.find(one => one.id === Number(id))
        if (!found) return missing
        found.isDeleted = true
        return { status: 200 }
      },
    ],
    [
      'POST',
      git('/commits/([0-9a-f]{40})/statuses'),
      ({ body }, sha) => {
        const {
          state: value,
          description,
          context,
        } = body as unknown as { state: string; description: string; context: { name: string; genre: string } }
        state.statuses.push({ sha: sha!, state: value, description, ...context })
        return { status: 201, body: { id: 1, state: value, description, context } }
      },
    ],
    ['GET', /^\/acme\/store\/_apis\/wit\/fields\/System\.State$/, () => ({ status: 200, body: { name: 'State' } })],
    [
      'POST',
      /^\/acme\/store\/_apis\/wit\/wiql$/,
      () => ({ status: 200, body: { queryType: 'flat', workItems: state.items.map(({ id }) => ({ id, url: '' })) } }),
    ],
    [
      'GET',
      /^\/acme\/store\/_apis\/wit\/workitems$/,
      ({ query }) => {
        const wanted = (query.get('ids') ?? '').split(',').map(Number)
        if (wanted.length > 200) return { status: 400, body: { message: 'VS403474: more than 200 ids' } }
        const found = wanted.map(id => state.items.find(one => one.id === id)).map(one => (one ? item(one) : null))
        return { status: 200, body: { count: found.length, value: found } }
      },
    ],
    [
      'GET',
      /^\/acme\/store\/_apis\/wit\/workitems\/([0-9]+)$/,
      (_, id) => {
        const found = state.items.find(one => one.id === Number(id))
        return found ? { status: 200, body: item(found) } : missing
      },
    ],
    [
      'POST',
      /^\/acme\/store\/_apis\/wit\/workitems\/\$Issue$/,
      ({ body, headers }) => {
        if (headers['content-type'] !== 'application/json-patch+json')
          return { status: 415, body: { message: 'media type' } }
        const made = { id: ids++, rev: 0, fields: { 'System.State': 'To Do', 'System.WorkItemType': 'Issue' } }
        patchItem(made, body)
        state.items.push(made)
        return { status: 200, body: item(made) }
      },
    ],
    [
      'PATCH',
      /^\/acme\/store\/_apis\/wit\/workitems\/([0-9]+)$/,
      ({ body }, id) => {
        const found = state.items.find(one => one.id === Number(id))
        if (!found) return missing
        patchItem(found, body)
        return { status: 200, body: item(found) }
      },
    ],
  ]
  const standIn = await startStandIn(routes.map(([method, pattern, answer]) => [method, pattern, guarded(answer)]))
  url = `${standIn.url}/acme`
  return Object.assign(standIn, { state })
}
