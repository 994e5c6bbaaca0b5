import { makeAppRoutes } from './github-app.ts'
import { makeCheckRoutes } from './github-checks.ts'
import { type Desk, makeIssueRoutes } from './github-issues.ts'
import { makeComment, makeFile, makePull, makeRepository, makeReview, makeUser, SHA } from './github-shapes.ts'
import { answerGraphql, type GithubState, isInPatch } from './github-state.ts'
import { type Answer, pageOf, type Request, type Route, type StandIn, startStandIn } from './server.ts'

const LIMIT = { limit: 5000, remaining: 4999, reset: 1767225600, used: 1 }

/** A stand-in for GitHub with the repository acme/shop: the routes that svc uses, written after GitHub's description. */
export async function startGithub(given: Partial<GithubState> = {}): Promise<StandIn & { state: GithubState }> {
  const state: GithubState = {
    pulls: [],
    comments: [],
    reviews: [],
    checks: [],
    statuses: [],
    issues: [],
    files: [],
    permissions: { pull: true, push: true, triage: true },
    token: { kind: 'app' },
    ...given,
  }
  let ids = 1000
  let url = ''
  const list = <T>(items: readonly T[], request: Request): Answer => {
    const { items: body, link } = pageOf(items, request, url)
    return { status: 200, body, ...(link && { headers: { link } }) }
  }
  const missing: Answer = { status: 404, body: { message: 'Not Found', documentation_url: `${url}/docs` } }
  const forbidden: Answer = { status: 403, body: { message: 'Resource not accessible by integration' } }
  const invalid = (message: string): Answer => ({ status: 422, body: { message, errors: [] } })
  const at = (path: string) => new RegExp(`^/repos/acme/shop${path}$`)
  const pull = (number: string) => state.pulls.find(one => one.number === Number(number))
  const writes =
    (answer: (request: Request, ...parts: string[]) => Answer) =>
    (request: Request, ...parts: string[]) =>
      state.permissions.push ? answer(request, ...parts) : forbidden
  const apps = (answer: (request: Request, ...parts: string[]) => Answer) =>
    writes((request, ...parts) => (state.token.kind === 'app' ? answer(request, ...parts) : forbidden))

  const desk: Desk = { state, list, at, missing, invalid, writes, apps, nextId: () => ids++, url: () => url }
  const routes: Route[] = [
    [
      'GET',
      /^\/user$/,
      () =>
        state.token.kind === 'app'
          ? forbidden
          : {
              status: 200,
              body: makeUser(url),
              ...(state.token.scopes !== undefined && { headers: { 'x-oauth-scopes': state.token.scopes } }),
            },
    ],
    [
      'GET',
      /^\/rate_limit$/,
      () => ({ status: 200, body: { resources: { core: LIMIT, search: LIMIT }, rate: LIMIT } }),
    ],
    [
      'GET',
      at(''),
      () => ({
        status: 200,
        body: { ...makeRepository(url), permissions: { admin: false, maintain: false, ...state.permissions } },
      }),
    ],
    [
      'GET',
      at('/pulls/([0-9]+)'),
      (_, number) => {
        const found = pull(number!)
        return found ? { status: 200, body: makePull(found, url) } : missing
      },
    ],
    [
      'GET',
      at('/pulls'),
      request => {
        const head = request.query.get('head')
        const base = request.query.get('base')
        const found = state.pulls.filter(
          one =>
            (request.query.get('state') === 'all' || one.state === (request.query.get('state') ?? 'open')) &&
            (!head || `acme:${one.head}` === head) &&
            (!base || one.base === base),
        )
        return list(
          found.map(one => makePull(one, url)),
          request,
        )
      },
    ],
    [
      'POST',
      at('/pulls'),
      writes(({ body }) => {
        const { title, head, base, body: text = '' } = body as Record<string, string>
        if (state.pulls.some(one => one.state === 'open' && one.head === head && one.base === base))
          return invalid(`A pull request already exists for acme:${head}.`)
        const made = {
          number: ids++,
          title: title!,
          body: text,
          state: 'open',
          head: head!,
          head_sha: SHA,
          base: base!,
        }
        state.pulls.push(made)
        return { status: 201, body: makePull(made, url) }
      }),
    ],
    [
      'PATCH',
      at('/pulls/([0-9]+)'),
      writes(({ body }, number) => {
        const found = pull(number!)
        if (!found) return missing
        Object.assign(found, body)
        return { status: 200, body: makePull(found, url) }
      }),
    ],
    [
      'GET',
      at('/issues/([0-9]+)/comments'),
      (request, number) =>
        list(
          state.comments.filter(one => one.number === Number(number)).map(one => makeComment(one, url)),
          request,
        ),
    ],
    [
      'POST',
      at('/issues/([0-9]+)/comments'),
      writes(({ body }, number) => {
        const made = { id: ids++, number: Number(number), body: String(body.body), at: state.comments.length }
        if (made.body.length > 65_536) return invalid('Body is too long (maximum is 65536 characters)')
        state.comments.push(made)
        return { status: 201, body: makeComment(made, url) }
      }),
    ],
    [
      'PATCH',
      at('/issues/comments/([0-9]+)'),
      writes(({ body }, id) => {
        const found = state.comments.find(one => one.id === Number(id))
        if (!found) return missing
        found.body = String(body.body)
        return { status: 200, body: makeComment(found, url) }
      }),
    ],
    [
      'DELETE',
      at('/issues/comments/([0-9]+)'),
      writes((_, id) => {
        const before = state.comments.length
        state.comments = state.comments.filter(one => one.id !== Number(id))
        return state.comments.length < before ? { status: 204 } : missing
      }),
    ],
    [
      'GET',
      at('/pulls/([0-9]+)/files'),
      (request, number) =>
        list(
          state.files.filter(one => one.number === Number(number)).map(one => makeFile(one, url)),
          request,
        ),
    ],
    [
      'GET',
      at('/pulls/([0-9]+)/comments'),
      (request, number) =>
        list(
          state.reviews.filter(one => one.number === Number(number)).map(one => makeReview(one, url)),
          request,
        ),
    ],
    [
      'POST',
      at('/pulls/([0-9]+)/comments'),
      writes(({ body }, number) => {
        const { path, line, start_line } = body as { path: string; line: number; start_line?: number }
        const patch = state.files.find(one => one.number === Number(number) && one.filename === path)?.patch
        if (!patch || !isInPatch(patch, line))
          return invalid('pull_request_review_thread.line must be part of the diff')
        const made = {
          id: ids++,
          number: Number(number),
          body: String(body.body),
          path,
          line,
          resolved: false,
          ...(start_line !== undefined && { start_line }),
        }
        state.reviews.push(made)
        return { status: 201, body: makeReview(made, url) }
      }),
    ],
    [
      'PATCH',
      at('/pulls/comments/([0-9]+)'),
      writes(({ body }, id) => {
        const found = state.reviews.find(one => one.id === Number(id))
        if (!found) return missing
        found.body = String(body.body)
        return { status: 200, body: makeReview(found, url) }
      }),
    ],
    ['POST', /^\/graphql$/, ({ body }) => answerGraphql(state, body)],
    ...makeCheckRoutes(desk),
    ...makeIssueRoutes(desk),
    ...makeAppRoutes(desk),
  ]

  const standIn = await startStandIn(routes)
  url = standIn.url
  return Object.assign(standIn, { state })
}
