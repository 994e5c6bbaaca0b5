import { BASE, type GitlabState, makeShapes } from './gitlab-shapes.ts'
import { type Answer, pageOf, type Request, type Route, type StandIn, startStandIn } from './server.ts'

/** A stand-in for GitLab with the project acme/shop, written field by field after GitLab's documentation of version 4. */
export async function startGitlab(given: Partial<GitlabState> = {}): Promise<StandIn & { state: GitlabState }> {
  const state: GitlabState = {
    ...{ merges: [], notes: [], discussions: [], diffs: [], statuses: [], issues: [], level: 40, scopes: ['api'] },
    ...given,
  }
  let ids = 1000
  let url = ''
  const missing: Answer = { status: 404, body: { message: '404 Not Found' } }
  const list = <T>(items: readonly T[], request: Request): Answer => {
    const { items: body, link } = pageOf(items, request, url)
    return { status: 200, body, ...(link && { headers: { link } }) }
  }
  const at = (path: string) => new RegExp(`^/projects/acme%2Fshop${path}$`)
  const writes =
    (answer: Route[2]): Route[2] =>
    (request, ...parts) =>
      state.level >= 30 ? answer(request, ...parts) : { status: 403, body: { message: '403 Forbidden' } }
  const find = (iid: string | undefined) => state.merges.find(one => one.iid === Number(iid))
  const { merge, note, discussion, issue } = makeShapes(() => url)

  const routes: Route[] = [
    ['GET', /^\/user$/, () => ({ status: 200, body: { id: 1, username: 'kim', name: 'Kim', state: 'active' } })],
    [
      'GET',
      /^\/personal_access_tokens\/self$/,
      () => ({ status: 200, body: { id: 1, name: 't', scopes: state.scopes, active: true } }),
    ],
    [
      'GET',
      at(''),
      () => ({
        status: 200,
        body: {
          id: 1,
          path_with_namespace: 'acme/shop',
          permissions: { project_access: { access_level: state.level, notification_level: 3 }, group_access: null },
        },
      }),
    ],
    [
      'GET',
      at('/merge_requests/([0-9]+)'),
      (_, iid) => (find(iid) ? { status: 200, body: merge(find(iid)!) } : missing),
    ],
    [
      'GET',
      at('/merge_requests'),
      request => {
        const [source, target] = [request.query.get('source_branch'), request.query.get('target_branch')]
        const found = state.merges.filter(
          one =>
            (request.query.get('state') === 'all' || one.state === request.query.get('state')) &&
            (!source || one.source === source) &&
            (!target || one.target === target),
        )
        return list(found.map(merge), request)
      },
    ],
    [
      'POST',
      at('/merge_requests'),
      writes(({ body }) => {
        const { source_branch, target_branch, title, description } = body as Record<string, string>
        if (
          state.merges.some(
            one => one.state === 'opened' && one.source === source_branch && one.target === target_branch,
          )
        )
          return {
            status: 409,
            body: { message: ['Another open merge request already exists for this source branch'] },
          }
        const made = {
          iid: ids++,
          title: title!,
          description: description!,
          state: 'opened',
          source: source_branch!,
          target: target_branch!,
          sha: BASE,
        }
        state.merges.push(made)
        return { status: 201, body: merge(made) }
      }),
    ],
    [
      'PUT',
      at('/merge_requests/([0-9]+)'),
      writes(({ body }, iid) => {
        const found = find(iid)
        if (!found) return missing
        Object.assign(found, body)
        return { status: 200, body: merge(found) }
      }),
    ],
    [
      'GET',
      at('/merge_requests/([0-9]+)/notes'),
      (request, iid) => list(state.notes.filter(one => one.iid === Number(iid)).map(note), request),
    ],
    [
      'POST',
      at('/merge_requests/([0-9]+)/notes'),
      writes(({ body }, iid) => {
        const made = { id: ids++, iid: Number(iid), body: String(body.body), system: false }
        state.notes.push(made)
        return { status: 201, body: note(made) }
      }),
    ],
    [
      'PUT',
      at('/merge_requests/([0-9]+)/notes/([0-9]+)'),
      writes(({ body }, _, id) => {
        const found = state.notes.find(one => one.id === Number(id))
        if (!found) return missing
        found.body = String(body.body)
        return { status: 200, body: note(found) }
      }),
    ],
    [
      'DELETE',
      at('/merge_requests/([0-9]+)/notes/([0-9]+)'),
      writes((_, __, id) => {
        state.notes = state.notes.filter(one => one.id !== Number(id))
        return { status: 204 }
      }),
    ],
    [
      'GET',
      at('/merge_requests/([0-9]+)/diffs'),
      (request, iid) =>
        list(
          state.diffs.filter(one => one.iid === Number(iid)).map(one => ({ ...one, old_path: one.new_path })),
          request,
        ),
    ],
    [
      'GET',
      at('/merge_requests/([0-9]+)/discussions'),
      (request, iid) => list(state.discussions.filter(one => one.iid === Number(iid)).map(discussion), request),
    ],
    [
      'POST',
      at('/merge_requests/([0-9]+)/discussions'),
      writes(({ body }, iid) => {
        const { position } = body as {
          position: {
            position_type: string
            base_sha: string
            head_sha: string
            start_sha: string
            new_path: string
            new_line: number
          }
        }
        const isPlaced =
          position.base_sha && position.head_sha && position.start_sha && position.position_type === 'text'
        const diff = state.diffs.find(one => one.iid === Number(iid) && one.new_path === position.new_path)
        if (!isPlaced || !diff)
          return { status: 400, body: { message: '400 Bad request - Note {:line_code=>["can\'t be blank"]}' } }
        const made = {
          id: `d${ids++}`,
          iid: Number(iid),
          body: String(body.body),
          path: position.new_path,
          line: position.new_line,
          resolved: false,
        }
        state.discussions.push(made)
        return { status: 201, body: discussion(made) }
      }),
    ],
    [
      'PUT',
      at('/merge_requests/([0-9]+)/discussions/(\\w+)'),
      writes(({ body }, _, id) => {
        const found = state.discussions.find(one => one.id === id)
        if (!found) return missing
        found.resolved = body.resolved === true
        return { status: 200, body: discussion(found) }
      }),
    ],
    [
      'POST',
      at('/statuses/([0-9a-f]{40})'),
      writes(({ body }, sha) => {
        const { state: status, name, description } = body as Record<string, string>
        const found = state.statuses.find(one => one.sha === sha && one.name === name)
        if (found?.status === status)
          return { status: 400, body: { message: `Cannot transition status via :${status} from :${status}` } }
        if (found) Object.assign(found, { status, description })
        else state.statuses.push({ sha: sha!, name: name!, status: status!, description: description! })
        return { status: 201, body: { id: 1, sha, name, status, description } }
      }),
    ],
    [
      'GET',
      at('/repository/commits/([0-9a-f]{40})/statuses'),
      (request, sha) =>
        list(
          state.statuses.filter(one => one.sha === sha),
          request,
        ),
    ],
    ['GET', at('/issues'), request => list(state.issues.map(issue), request)],
    [
      'GET',
      at('/issues/([0-9]+)'),
      (_, iid) => {
        const found = state.issues.find(one => one.iid === Number(iid))
        return found ? { status: 200, body: issue(found) } : missing
      },
    ],
    [
      'POST',
      at('/issues'),
      writes(({ body }) => {
        const { title, description = '', labels = '' } = body as Record<string, string>
        const made = {
          iid: ids++,
          title: title!,
          description,
          state: 'opened',
          labels: labels.split(',').filter(Boolean),
        }
        state.issues.push(made)
        return { status: 201, body: issue(made) }
      }),
    ],
    [
      'PUT',
      at('/issues/([0-9]+)'),
      writes(({ body }, iid) => {
        const found = state.issues.find(one => one.iid === Number(iid))
        if (!found) return missing
        if (body.state_event) found.state = body.state_event === 'close' ? 'closed' : 'opened'
        return { status: 200, body: issue(found) }
      }),
    ],
  ]
  const standIn = await startStandIn(routes, '/api/v4')
  url = standIn.url
  return Object.assign(standIn, { state })
}
