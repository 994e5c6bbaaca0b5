import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ProviderFailure } from '../../../engine/delivery/providers/failure.ts'
import { openProvider } from '../../../engine/delivery/providers/open.ts'
import { listProviderStates } from '../../../engine/delivery/providers/status.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { context, refusal } from '../../made/call.ts'
import { folder, write } from '../../made/folder.ts'
import { startGithub } from '../../made/providers/github.ts'
import type { GithubState } from '../../made/providers/github-state.ts'
import { configOf } from './opened.ts'

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = KEYS.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const GIVEN = 'a-token-that-the-app-was-given'

async function ground(app: Partial<NonNullable<GithubState['app']>> = {}) {
  const public_key = KEYS.publicKey.export({ type: 'spki', format: 'pem' }) as string
  const github = await startGithub({ app: { id: '4711', public_key, installation: 99, token: GIVEN, ...app } })
  const root = folder()
  write(root, { '.svc/config.yaml': configOf(github), 'app.pem': PEM })
  const env = {
    ...{ GUARD_PROVIDER_HOSTS: github.host, GUARD_GITHUB_APP_ID: '4711', GITHUB_TOKEN: 'another' },
    GUARD_GITHUB_APP_PRIVATE_KEY_FILE: join(root, 'app.pem'),
  }
  const open = async (more: Record<string, string | undefined> = {}) =>
    openProvider(await loadConfig(root), { env: { ...env, ...more }, signal: new AbortController().signal })
  return { github, root, env, open }
}

it('a GitHub App gets a token of its installation for the one repository, and uses no other', async () => {
  const { github, root, env, open } = await ground()
  const { provider, token_source } = await open()
  await provider.listWorkItems()
  await provider.close()
  expect(token_source).toBe('GitHub App 4711')
  expect(github.seen.map(({ method, url, status }) => [method, url.split('?')[0], status])).toEqual([
    ['GET', '/repos/acme/shop/installation', 200],
    ['POST', '/app/installations/99/access_tokens', 201],
    ['GET', '/repos/acme/shop/issues', 200],
  ])
  expect(github.seen[1]!.body).toEqual({ repositories: ['shop'] })
  expect(github.seen[2]!.headers.authorization).toBe(`token ${GIVEN}`)
  const { providers } = await listProviderStates(await loadConfig(root), context(root, { env }))
  expect(providers).toMatchObject([{ provider: 'github', token_source: 'GitHub App 4711' }])
})

it('takes the key from the variable, with its line breaks written out, and the installation that is named', async () => {
  const { github, open } = await ground()
  const { provider } = await open({
    ...{ GUARD_GITHUB_APP_PRIVATE_KEY_FILE: undefined, GUARD_GITHUB_APP_INSTALLATION_ID: '99' },
    GUARD_GITHUB_APP_PRIVATE_KEY: PEM.replaceAll('\n', '\\n'),
  })
  await provider.close()
  expect(github.seen.map(({ url }) => url)).toEqual(['/app/installations/99/access_tokens'])
})

it.each<[string, Partial<NonNullable<GithubState['app']>>, string]>([
  ['of another id', { id: '4712' }, 'unauthenticated'],
  [
    'with another key',
    {
      public_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
        type: 'spki',
        format: 'pem',
      }) as string,
    },
    'unauthenticated',
  ],
  ['that is not installed', { installation: undefined as never }, 'not_found'],
])('an app %s is an error, which names neither key nor request', async (_, app, kind) => {
  const { github, open } = await ground(app)
  const error = await refusal(open)
  expect((error as ProviderFailure).kind).toBe(kind)
  const jwt = github.seen[0]!.headers.authorization!.replace('Bearer ', '')
  expect(JSON.stringify([error.message, error.hint, error.stack])).not.toContain(jwt)
})

it.each<[string, Record<string, string | undefined>]>([
  ['no key', { GUARD_GITHUB_APP_PRIVATE_KEY_FILE: undefined }],
  ['a file that is not there', { GUARD_GITHUB_APP_PRIVATE_KEY_FILE: '/none' }],
  ['no PEM', { GUARD_GITHUB_APP_PRIVATE_KEY: 'made-up', GUARD_GITHUB_APP_PRIVATE_KEY_FILE: undefined }],
  ['an id that is none', { GUARD_GITHUB_APP_ID: 'a b' }],
  ['an installation that is none', { GUARD_GITHUB_APP_INSTALLATION_ID: 'x' }],
])('with %s nothing is sent, and the message says what to set', async (_, more) => {
  const { github, open } = await ground()
  const error = await refusal(() => open(more))
  expect([error.code, github.seen]).toEqual(['CONFIG_INVALID', []])
  expect(`${error.message} ${error.hint}`).toContain('GUARD_GITHUB_APP_PRIVATE_KEY_FILE')
  expect(error.message).not.toContain('made-up')
})
