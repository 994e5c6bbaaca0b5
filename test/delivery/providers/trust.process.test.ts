import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { openProvider } from '../../../engine/delivery/providers/open.ts'
import { parseRemote, resolveProvider } from '../../../engine/delivery/providers/settings.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { refusal } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const { signal } = new AbortController()
const settingsOf = async (yaml: string, env: Record<string, string> = {}, origin?: string) => {
  const root = project({ '.svc/config.yaml': yaml })
  if (origin) execFileSync('git', ['remote', 'add', 'origin', origin], { cwd: root })
  return resolveProvider(await loadConfig(root), { env, signal })
}
const ELSEWHERE = 'providers:\n  github: { base_url: "https://evil.example/api/v3", repository: acme/shop }\n'

it('a repository cannot name a host that gets the token', async () => {
  const error = await refusal(() => settingsOf(ELSEWHERE))
  expect(error.code).toBe('CONFIG_INVALID')
  expect(error.message).toContain('evil.example')
})

it('a host is trusted by the environment or the CI system', async () => {
  expect((await settingsOf(ELSEWHERE, { GUARD_PROVIDER_HOSTS: 'other.example, evil.example' })).name).toBe('github')
  const ci = { GITHUB_ACTIONS: 'true', GITHUB_API_URL: 'https://evil.example/api/v3' }
  expect((await settingsOf(ELSEWHERE, ci)).base_url).toBe('https://evil.example/api/v3')
})

it('the remote origin does not make a host trusted, named or guessed', async () => {
  const named = await refusal(() => settingsOf(ELSEWHERE, {}, 'https://evil.example/acme/shop.git'))
  expect([named.code, named.row.exit]).toEqual(['CONFIG_INVALID', 64])
  const guessed = await refusal(() => settingsOf('{}', {}, 'https://gitlab.evil.invalid/acme/shop.git'))
  expect([guessed.row.exit, guessed.hint]).toEqual([
    64,
    expect.stringContaining('GUARD_PROVIDER_HOSTS=gitlab.evil.invalid'),
  ])
})

it('a remote origin, and an address of the CI system, that are no URL are errors of the settings', async () => {
  const origin = await refusal(() => settingsOf('{}', {}, 'https://github.com/a%zz/b'))
  expect([origin.row.exit, origin.message]).toEqual([64, expect.stringContaining('origin')])
  const ci = { GITHUB_ACTIONS: 'true', GITHUB_API_URL: 'nowhere', GITHUB_REPOSITORY: 'acme/shop' }
  expect((await refusal(() => settingsOf('{}', ci))).row.exit).toBe(64)
})

it('a build asks about its own repository, whatever the configuration says', async () => {
  const yaml = 'providers:\n  github: { base_url: "https://api.github.com", repository: other/place }\n'
  const ci = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: 'https://own.example/api/v3' }
  expect(await settingsOf(yaml, ci)).toMatchObject({
    repository: 'acme/shop',
    base_url: 'https://own.example/api/v3',
  })
  expect((await settingsOf(yaml)).repository).toBe('other/place')
})

it('a token goes over TLS only', async () => {
  const plain = ELSEWHERE.replace('https', 'http')
  expect((await refusal(() => settingsOf(plain, { GUARD_PROVIDER_HOSTS: 'evil.example' }))).message).toContain(
    'has to be https',
  )
})

it('the remote origin alone tells the provider and the repository', async () => {
  expect(await settingsOf('{}', {}, 'git@github.com:acme/shop.git')).toMatchObject({
    name: 'github',
    repository: 'acme/shop',
    base_url: 'https://api.github.com',
  })
  const trusting = { GUARD_PROVIDER_HOSTS: 'gitlab.example' }
  expect(await settingsOf('{}', trusting, 'https://gitlab.example/group/sub/shop.git')).toMatchObject({
    name: 'gitlab',
    repository: 'group/sub/shop',
    base_url: 'https://gitlab.example/api/v4',
  })
  expect(await settingsOf('{}', {}, 'https://dev.azure.com/acme/store/_git/shop')).toMatchObject({
    name: 'azure',
    repository: 'store/shop',
    base_url: 'https://dev.azure.com/acme',
  })
})

it('a configuration cannot have another secret of the environment sent', async () => {
  const root = project({
    '.svc/config.yaml': 'providers:\n  github: { repository: acme/shop, token_env: AWS_SECRET_ACCESS_KEY }\n',
  })
  const config = await loadConfig(root)
  const error = await refusal(() => openProvider(config, { env: { AWS_SECRET_ACCESS_KEY: 'x' }, signal }))
  expect(error.message).toContain('has to end with TOKEN')
})

it('a configuration cannot have the token of another service sent, unless the user names its variable', async () => {
  const root = project({
    '.svc/config.yaml': 'providers:\n  github: { repository: acme/shop, token_env: NPM_TOKEN }\n',
  })
  const config = await loadConfig(root)
  const env = { NPM_TOKEN: 'npm_0123456789' }
  const error = await refusal(() => openProvider(config, { env, signal }))
  expect([error.row.exit, error.hint]).toEqual([64, expect.stringContaining('GUARD_PROVIDER_TOKEN_ENV=NPM_TOKEN')])
  const { provider, token_source } = await openProvider(config, {
    env: { ...env, GUARD_PROVIDER_TOKEN_ENV: 'OTHER_TOKEN, NPM_TOKEN' },
    signal,
  })
  await provider.close()
  expect(token_source).toBe('NPM_TOKEN')
})

it('a configuration may choose among the known variables of its provider', async () => {
  const root = project({
    '.svc/config.yaml': 'providers:\n  github: { repository: acme/shop, token_env: GITHUB_TOKEN }\n',
  })
  const env = { GITHUB_TOKEN: 'gh-one', GUARD_GITHUB_TOKEN: 'gh-two' }
  const { provider, token_source } = await openProvider(await loadConfig(root), { env, signal })
  await provider.close()
  expect(token_source).toBe('GITHUB_TOKEN')
})

it('a provider that cannot be reached is a missing service: exit 69', async () => {
  const root = project({
    '.svc/config.yaml': 'providers:\n  gitlab: { base_url: "http://127.0.0.1:1", repository: acme/shop }\n',
  })
  const env = { GUARD_GITLAB_TOKEN: 'glpat-0123456789', GUARD_PROVIDER_HOSTS: '127.0.0.1:1' }
  const { provider } = await openProvider(await loadConfig(root), { env, signal })
  const error = await refusal(() => provider.test())
  await provider.close()
  expect([error.row.exit, error.message]).toEqual([69, expect.stringContaining('got no answer')])
  expect(error.message).not.toContain('glpat-')
})

it('without a token it says which variable to set', async () => {
  const root = project({ '.svc/config.yaml': 'providers:\n  github: { repository: acme/shop }\n' })
  const error = await refusal(async () => openProvider(await loadConfig(root), { env: {}, signal }))
  expect([error.code, error.hint]).toEqual(['TOOL_MISSING', expect.stringContaining('GUARD_GITHUB_TOKEN')])
})

it('reads remotes as URL and as scp does, and no paths', () => {
  expect(parseRemote('ssh://git@git.example:2222/acme/shop.git')).toEqual({
    host: 'git.example:2222',
    path: 'acme/shop',
  })
  expect(parseRemote('git@git.example:acme/shop')).toEqual({ host: 'git.example', path: 'acme/shop' })
  expect(parseRemote('/srv/git/shop.git')).toBeUndefined()
})
