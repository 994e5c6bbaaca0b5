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

it('a host is trusted by the environment, the CI system or the remote origin', async () => {
  expect((await settingsOf(ELSEWHERE, { GUARD_PROVIDER_HOSTS: 'other.example, evil.example' })).name).toBe('github')
  const ci = { GITHUB_ACTIONS: 'true', GITHUB_API_URL: 'https://evil.example/api/v3' }
  expect((await settingsOf(ELSEWHERE, ci)).base_url).toBe('https://evil.example/api/v3')
  expect((await settingsOf(ELSEWHERE, {}, 'https://evil.example/acme/shop.git')).repository).toBe('acme/shop')
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
  expect(await settingsOf('{}', {}, 'https://gitlab.example/group/sub/shop.git')).toMatchObject({
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
