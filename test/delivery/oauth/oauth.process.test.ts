import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OAuth2Server } from 'oauth2-mock-server'
import { expect, it, onTestFinished } from 'vitest'
import { openOauthClient } from '../../../engine/delivery/oauth/client.ts'
import { readTokens, storeTokens, TOKEN_FILE } from '../../../engine/delivery/oauth/store.ts'
import { readStoredToken } from '../../../engine/delivery/oauth/stored-token.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { startServer } from '../../surfaces/rest/server-under-test.ts'

/** A real OAuth server, and svc's REST API over a project that is configured for it. */
async function ground(more: Record<string, string> = {}) {
  const provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, '127.0.0.1')
  onTestFinished(() => provider.stop())
  const issuer = `http://127.0.0.1:${provider.address().port}`
  provider.issuer.url = issuer
  const root = project({
    '.svc/config.yaml': 'providers:\n  github: { repository: acme/shop }\n  gitlab: { repository: acme/shop }\n',
  })
  const env = {
    ...{
      GUARD_OAUTH_GITLAB_CLIENT_ID: 'svc',
      GUARD_OAUTH_GITLAB_CLIENT_SECRET: 'a-client-secret',
      GUARD_OAUTH_GITLAB_ISSUER: issuer,
    },
    ...{ XDG_STATE_HOME: folder({}), GUARD_RATE_LIMIT_ENABLED: 'false', ...more },
  }
  const { base, notices } = await startServer({ rows: OPERATIONS, schemas: loadSchemas, cwd: root, env })
  const go = (url: string, headers: Record<string, string> = {}) => fetch(url, { redirect: 'manual', headers })
  /** Begins, and logs in at the provider; answers the address of the callback and the cookie. */
  const begin = async () => {
    const started = await go(`${base}/oauth/devops_b/connect`)
    const cookie = started.headers.get('set-cookie')!.split(';')[0]!
    const login = new URL(started.headers.get('location')!)
    const back = await go(login.href)
    return { started, login, cookie, callback: back.headers.get('location')! }
  }
  return { provider, root, env, base, notices, go, begin }
}

const locationOf = (response: Response) => [response.status, response.headers.get('location')]

it('connects with PKCE and state, and stores the tokens encrypted for the user alone', async () => {
  const { root, env, base, go, begin } = await ground()
  const { login, started, cookie, callback } = await begin()
  expect(login.searchParams.get('code_challenge_method')).toBe('S256')
  expect(started.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
  expect(locationOf(await go(callback, { cookie }))).toEqual([302, '/dashboard?oauth_success=devops_b'])
  const { access_token } = readTokens(root, env).devops_b!
  const file = join(root, TOKEN_FILE)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain(access_token)
  const status = await (await go(`${base}/api/oauth/status`)).text()
  expect(JSON.parse(status)).toMatchObject({
    devops_a: { configured: false, connected: false },
    devops_b: { configured: true, connected: true },
  })
  expect(status).not.toContain(access_token)
})

it('connects with a provider on this machine that the user trusts, over http', async () => {
  const { base } = await startServer({
    rows: OPERATIONS,
    schemas: loadSchemas,
    cwd: project({
      '.svc/config.yaml': 'providers:\n  gitlab: { base_url: "http://localhost:9/api/v4", repository: acme/shop }\n',
    }),
    env: {
      ...{ GUARD_OAUTH_GITLAB_CLIENT_ID: 'svc', GUARD_OAUTH_GITLAB_CLIENT_SECRET: 'a-client-secret' },
      ...{ XDG_STATE_HOME: folder({}), GUARD_RATE_LIMIT_ENABLED: 'false', GUARD_PROVIDER_HOSTS: 'localhost:9' },
    },
  })
  const answer = await fetch(`${base}/oauth/devops_b/connect`, { redirect: 'manual' })
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toMatch(/^http:\/\/localhost:9\/oauth\/authorize\?/)
})

it('a configuration cannot name a host that gets the client secret', async () => {
  const root = project({
    '.svc/config.yaml':
      'providers:\n  gitlab: { base_url: "https://gitlab.evil.invalid/api/v4", repository: acme/shop }\n',
  })
  const env = { GUARD_OAUTH_GITLAB_CLIENT_ID: 'svc', GUARD_OAUTH_GITLAB_CLIENT_SECRET: 'a-client-secret' }
  const { signal } = new AbortController()
  const error = await refusal(async () => openOauthClient(await loadConfig(root), 'devops_b', { env, signal }))
  expect(error.row.exit).toBe(64)
})

it('refuses a callback without the cookie, with another state, and a second time', async () => {
  const { root, env, go, begin } = await ground()
  const first = await begin()
  expect(locationOf(await go(first.callback))).toEqual([302, '/dashboard?oauth_error=invalid_state'])
  const other = await begin()
  expect(locationOf(await go(first.callback, { cookie: other.cookie }))).toEqual([
    302,
    '/dashboard?oauth_error=invalid_state',
  ])
  expect(locationOf(await go(other.callback, { cookie: `${other.cookie}; ${first.cookie}` }))).toEqual([
    302,
    '/dashboard?oauth_error=invalid_state',
  ])
  // A state that nobody began here, though the cookie agrees.
  const made = new URL(other.callback)
  made.searchParams.set('state', 'made-up')
  expect(locationOf(await go(made.href, { cookie: 'svc_oauth_devops_b=made-up' }))).toEqual([
    302,
    '/dashboard?oauth_error=expired',
  ])
  expect(readTokens(root, env)).toEqual({})
  expect(locationOf(await go(other.callback, { cookie: other.cookie }))).toEqual([
    302,
    '/dashboard?oauth_success=devops_b',
  ])
  expect(locationOf(await go(other.callback, { cookie: other.cookie }))).toEqual([
    302,
    '/dashboard?oauth_error=expired',
  ])
})

it('without a client id it redirects to the dashboard with an error', async () => {
  const { base, go } = await ground()
  expect(locationOf(await go(`${base}/oauth/devops_a/connect`))).toEqual([302, '/dashboard?oauth_error=not_configured'])
  expect((await go(`${base}/oauth/devops_x/connect`)).status).toBe(404)
})

it('a refusal of the provider and a broken exchange store nothing, and tell nothing', async () => {
  const { provider, root, env, notices, go, begin } = await ground()
  const refused = await begin()
  const address = new URL(refused.callback)
  address.searchParams.delete('code')
  address.searchParams.set('error', 'access_denied')
  expect(locationOf(await go(address.href, { cookie: refused.cookie }))).toEqual([
    302,
    '/dashboard?oauth_error=access_denied',
  ])
  const broken = await begin()
  provider.service.once('beforeResponse', (response: { statusCode: number; body: unknown }) => {
    response.statusCode = 400
    response.body = { error: 'invalid_grant', error_description: 'a-client-secret' }
  })
  expect(locationOf(await go(broken.callback, { cookie: broken.cookie }))).toEqual([
    302,
    '/dashboard?oauth_error=exchange_failed',
  ])
  expect(readTokens(root, env)).toEqual({})
  expect(notices.join()).not.toContain('a-client-secret')
})

it('renews an expired token, and sends it to the server that gave it alone', async () => {
  const { root, env, go, begin } = await ground()
  const { cookie, callback } = await begin()
  await go(callback, { cookie })
  const tokens = readTokens(root, env).devops_b!
  storeTokens(
    root,
    'devops_b',
    { ...tokens, refresh_token: tokens.refresh_token ?? 'r', expires_at: '2020-01-01T00:00:00Z' },
    env,
  )
  const read = readStoredToken(await loadConfig(root), { env, signal: new AbortController().signal })
  const renewed = await read('gitlab', tokens.base_url)
  expect(renewed).toEqual(expect.any(String))
  expect(readTokens(root, env).devops_b!.expires_at! > new Date().toISOString()).toBe(true)
  expect(await read('gitlab', 'https://elsewhere.example/api/v4')).toBeUndefined()
  expect(await read('jira', tokens.base_url)).toBeUndefined()
})

it('disconnects: revokes at the provider, and removes the tokens', async () => {
  const { provider, root, env, base, go, begin } = await ground()
  const { cookie, callback } = await begin()
  await go(callback, { cookie })
  let revoked = 0
  provider.service.on('beforeRevoke', () => revoked++)
  const answer = await (await fetch(`${base}/oauth/devops_b/disconnect`, { method: 'POST' })).json()
  expect(answer).toEqual({ status: 'ok', message: expect.stringContaining('revoked') })
  expect(revoked).toBeGreaterThan(0)
  expect(readTokens(root, env)).toEqual({})
})

it('an altered token file, and that of another user, are not opened', async () => {
  const { root, env } = await ground()
  storeTokens(root, 'devops_a', { access_token: 'a', connected_at: 'now', base_url: 'b' }, env)
  expect(() => readTokens(root, { ...env, XDG_STATE_HOME: folder({}) })).toThrow(/cannot be decrypted/)
  const file = join(root, TOKEN_FILE)
  const sealed = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(
    file,
    JSON.stringify({ ...sealed, data: `${sealed.data[0] === 'A' ? 'B' : 'A'}${sealed.data.slice(1)}` }),
  )
  expect(() => readTokens(root, env)).toThrow(/cannot be decrypted/)
})

it('with a key, connecting needs it, and the callback does not', async () => {
  const provider = await ground()
  const { base } = await startServer({
    rows: OPERATIONS,
    schemas: loadSchemas,
    cwd: provider.root,
    env: provider.env,
    key: 'the-key-of-the-server',
  })
  expect((await provider.go(`${base}/oauth/devops_b/connect`)).status).toBe(401)
  const begun = await provider.go(`${base}/oauth/devops_b/connect`, {
    'x-api-key': 'the-key-of-the-server',
    accept: 'application/json',
  })
  expect(((await begun.json()) as { location: string }).location).toContain('/authorize?')
  expect(locationOf(await provider.go(`${base}/oauth/devops_b/callback?state=x`))).toEqual([
    302,
    '/dashboard?oauth_error=invalid_state',
  ])
})
