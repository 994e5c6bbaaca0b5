import { expect, test } from 'vitest'
import { listOrganization } from '../../../engine/fleet/source/organization.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { pageOf, type Route, startStandIn } from '../../made/providers/server.ts'

const signal = new AbortController().signal
const GIVEN = 'a-token-of-the-fleet'
const missing = { status: 404, body: { message: 'Not Found' } }

/** Lists an organization of a stand-in with these routes, by a token of its own. */
async function ground(kind: 'github' | 'gitlab' | 'azure', routes: readonly Route[], path = '') {
  const standIn = await startStandIn(routes)
  const yaml = `providers:\n  ${kind}:\n    base_url: ${standIn.url}${path}\n`
  const config = await loadConfig(folder({ '.svc/config.yaml': yaml }))
  const env = { GUARD_PROVIDER_HOSTS: standIn.host, [`GUARD_${kind.toUpperCase()}_TOKEN`]: GIVEN }
  return { standIn, list: (owner: string) => listOrganization(owner, config, { env, signal }) }
}

// https://docs.github.com/en/rest/repos/repos#list-organization-repositories
test('all pages of an organization on GitHub are listed, without what is archived', async () => {
  const all = Array.from({ length: 130 }, (_, n) => ({
    full_name: `acme/r${n}`,
    clone_url: `https://github.com/acme/r${n}.git`,
    archived: n === 7,
  }))
  const { standIn, list } = await ground('github', [
    ['GET', /^\/orgs\/acme$/, () => ({ status: 200, body: { login: 'acme' } })],
    [
      'GET',
      /^\/orgs\/acme\/repos$/,
      request => {
        const { items, link } = pageOf(all, request, standIn.url)
        return { status: 200, body: items, ...(link && { headers: { link } }) }
      },
    ],
  ])
  const found = await list('github/acme')
  expect(found).toHaveLength(129)
  expect(found).not.toContain('https://github.com/acme/r7.git')
  expect(standIn.seen.every(({ headers }) => headers.authorization === `Bearer ${GIVEN}`)).toBe(true)
})

test('an owner on GitHub that is no organization is a user', async () => {
  const { list } = await ground('github', [
    ['GET', /^\/orgs\/kim$/, () => missing],
    [
      'GET',
      /^\/users\/kim\/repos$/,
      () => ({ status: 200, body: [{ clone_url: 'https://github.com/kim/a.git', archived: false }] }),
    ],
  ])
  expect(await list('github/kim')).toEqual(['https://github.com/kim/a.git'])
})

// https://docs.gitlab.com/api/groups/#list-projects
test('a group on GitLab is listed with its subgroups, without empty projects', async () => {
  const { standIn, list } = await ground('gitlab', [
    [
      'GET',
      /^\/groups\/acme%2Fplatform\/projects$/,
      () => ({
        status: 200,
        body: [
          { http_url_to_repo: 'https://gitlab.com/acme/platform/a.git', empty_repo: false },
          { http_url_to_repo: 'https://gitlab.com/acme/platform/sub/b.git', empty_repo: true },
          { http_url_to_repo: 'https://gitlab.com/acme/platform/sub/c.git' },
        ],
      }),
    ],
  ])
  expect(await list('gitlab/acme/platform')).toEqual([
    'https://gitlab.com/acme/platform/a.git',
    'https://gitlab.com/acme/platform/sub/c.git',
  ])
  expect(standIn.seen[0]!.url).toMatch(/include_subgroups=true/)
})

// https://learn.microsoft.com/en-us/rest/api/azure/devops/git/repositories/list
test('an organization on Azure DevOps is listed without disabled and empty repositories, and addresses without accounts', async () => {
  const { list } = await ground(
    'azure',
    [
      [
        'GET',
        /^\/acme\/_apis\/git\/repositories$/,
        () => ({
          status: 200,
          body: {
            count: 3,
            value: [
              { name: 'a', remoteUrl: 'https://acme@dev.azure.com/acme/shop/_git/a', size: 10, isDisabled: false },
              { name: 'b', remoteUrl: 'https://acme@dev.azure.com/acme/shop/_git/b', size: 10, isDisabled: true },
              { name: 'c', remoteUrl: 'https://acme@dev.azure.com/acme/shop/_git/c', size: 0, isDisabled: false },
            ],
          },
        }),
      ],
    ],
    '/acme',
  )
  expect(await list('azure/acme')).toEqual(['https://dev.azure.com/acme/shop/_git/a'])
})

test('an organization without a repository that may be read, and a name that is none, are errors', async () => {
  const { list } = await ground('github', [
    ['GET', /^\/orgs\/acme$/, () => ({ status: 200, body: { login: 'acme' } })],
    ['GET', /^\/orgs\/acme\/repos$/, () => ({ status: 200, body: [] })],
  ])
  expect(await refusal(() => list('github/acme'))).toMatchObject({ code: 'NOT_FOUND' })
  for (const name of ['acme', 'github/', 'github/../x', 'bitbucket/acme', 'gitlab/acme//x'])
    expect(await refusal(() => list(name)), name).toMatchObject({ code: 'INPUT_INVALID' })
})

test('no request is sent without a token, or to a host that nobody trusts', async () => {
  const { standIn } = await ground('github', [])
  const config = await loadConfig(
    folder({ '.svc/config.yaml': `providers:\n  github:\n    base_url: ${standIn.url}\n` }),
  )
  const listed = (env: Record<string, string>) => () => listOrganization('github/acme', config, { env, signal })
  expect(await refusal(listed({ GUARD_PROVIDER_HOSTS: standIn.host }))).toMatchObject({ code: 'TOOL_MISSING' })
  expect(await refusal(listed({ GUARD_GITHUB_TOKEN: GIVEN }))).toMatchObject({ code: 'CONFIG_INVALID' })
  expect(standIn.seen).toEqual([])
})
