import { createPublicKey, verify } from 'node:crypto'
import type { Desk } from './github-issues.ts'
import { makeUser } from './github-shapes.ts'
import type { Answer, Request, Route } from './server.ts'

/** The longest time that GitHub takes a signed request for, in seconds. */
const LONGEST = 600

/** The installation of the app `state.app`, for requests that its key has signed. */
export function makeAppRoutes({ state, at, missing, invalid, url }: Desk): Route[] {
  const refused: Answer = { status: 401, body: { message: 'A JSON web token could not be decoded' } }
  const signed =
    (answer: (request: Request, ...parts: string[]) => Answer) =>
    (request: Request, ...parts: string[]) =>
      isSigned(request) ? answer(request, ...parts) : refused

  function isSigned({ headers }: Request): boolean {
    const [head = '', body = '', signature = ''] = (headers.authorization ?? '').replace('Bearer ', '').split('.')
    if (!state.app || signature === '') return false
    const key = createPublicKey(state.app.public_key)
    if (!verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) return false
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<string, number | string>
    const [from, until, now] = [Number(claims.iat), Number(claims.exp), Date.now() / 1000]
    return claims.iss === state.app.id && from <= now && until > now && until - from <= LONGEST
  }

  return [
    [
      'GET',
      at('/installation'),
      signed(() => {
        if (!state.app?.installation) return missing
        return { status: 200, body: makeInstallation(state.app.installation, url()) }
      }),
    ],
    [
      'POST',
      /^\/app\/installations\/([0-9]+)\/access_tokens$/,
      signed(({ body }, id) => {
        const { repositories = [] } = body as { repositories?: string[] }
        if (Number(id) !== state.app!.installation) return missing
        if (repositories.some(name => name !== 'shop'))
          return invalid('There is at least one repository that does not exist')
        const expires_at = new Date(Date.now() + 3_600_000).toISOString()
        return { status: 201, body: { token: state.app!.token, expires_at, permissions: { metadata: 'read' } } }
      }),
    ],
  ]
}

/** An installation, field by field after GitHub's description. */
function makeInstallation(id: number, url: string) {
  const time = '2026-01-01T00:00:00Z'
  return {
    ...{ id, app_id: 7, app_slug: 'svc', target_id: 1, target_type: 'Organization', single_file_name: null },
    ...{ repository_selection: 'selected', account: makeUser(url), permissions: { metadata: 'read' }, events: [] },
    ...{ access_tokens_url: `${url}/app/installations/${id}/access_tokens`, repositories_url: `${url}/r` },
    ...{ html_url: `${url}/i`, created_at: time, updated_at: time, suspended_by: null, suspended_at: null },
  }
}
