import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import contributor from '../../engine/organization/contributor.ts'
import { findDrift } from '../../engine/organization/drift.ts'
import { parseOrganizationPolicy, selectLimits } from '../../engine/organization/policy.ts'
import { loadConfig } from '../../engine/sources/config/load.ts'
import { context, refusal } from '../made/call.ts'
import { folder } from '../made/folder.ts'

const POLICY = `
config:
  packs: { enable: [soc2], disable: [] }
  gate: { fail_on: [critical, high] }
  scan_exclude: [vendor/**]
owners: [security@acme.example]
relax:
  - project: github.com/acme/legacy-*
    keys: [gate.fail_on, packs]
    approved_by: security@acme.example
    reason: it is replaced in spring
    expires: 2027-01-31
`
const KEPT = 'packs: { enable: [soc2, nis2] }\ngate: { fail_on: [critical, high, medium] }\n'
const policyOf = (text: string) => parseOrganizationPolicy(Buffer.from(text), 'org.yaml')

/** What drifts in a repository with these settings. */
async function drift(files: Record<string, string>, project = 'github.com/acme/shop', today = '2027-01-01') {
  const root = folder({ '.git/HEAD': '', ...files })
  const config = await loadConfig(root, { files: Object.keys(files) })
  return findDrift(policyOf(POLICY), config, project, today).map(({ file, title, message }) => ({
    file,
    key: title.split(': ')[1],
    message,
  }))
}

describe('drift from the organization’s policy', () => {
  test('is nothing where settings are as strict, or stricter', async () => {
    expect(await drift({ '.svc/config.yaml': `${KEPT}scan_exclude: [vendor/**]\n` })).toEqual([])
    expect(await drift({ '.svc/config.yaml': KEPT })).toEqual([])
  })

  test('is each setting that is weaker, of the root and of a directory', async () => {
    const found = await drift({
      '.svc/config.yaml': `packs: { enable: [], disable: [secrets] }\ngate: { fail_on: [critical] }\nscan_exclude: [vendor/**, src/**]\n`,
    })
    expect(found.map(({ key }) => key)).toEqual(['gate.fail_on', 'packs.disable', 'packs.enable', 'scan_exclude'])
    expect(found.find(({ key }) => key === 'gate.fail_on')!.message).toContain('high')
    expect(found.find(({ key }) => key === 'scan_exclude')!.message).toContain('src/**')
    const below = await drift({ '.svc/config.yaml': KEPT, 'app/.svc/config.yaml': 'scan_exclude: [generated]\n' })
    expect(below.map(({ file, key }) => [file, key])).toEqual([['app/.svc/config.yaml', 'scan_exclude']])
  })

  test('is a repository without any settings, where the policy asks for some', async () => {
    expect((await drift({})).map(({ key }) => key)).toEqual(['packs.enable'])
  })

  test('is relaxed for the named keys of the named repositories, until the day', async () => {
    const files = { '.svc/config.yaml': 'packs: { enable: [] }\ngate: { fail_on: [critical] }\nscan_exclude: [src]\n' }
    expect((await drift(files, 'github.com/acme/legacy-shop', '2027-01-31')).map(({ key }) => key)).toEqual([
      'scan_exclude',
    ])
    const late = await drift(files, 'github.com/acme/legacy-shop', '2027-02-01')
    expect(late.map(({ key }) => key)).toEqual(['gate.fail_on', 'packs.enable', 'scan_exclude'])
    expect(late[0]!.message).toContain('expired on 2027-01-31')
  })
})

describe('a policy is refused', () => {
  test.each([
    ['an unknown key', 'rules: []', 1, 'no key rules'],
    ['a setting that there is not', 'config:\n  gates: {}', 2, 'gates'],
    [
      'a relaxation that nobody may approve',
      POLICY.replace('owners: [security@acme.example]', 'owners: []'),
      10,
      'not among the owners',
    ],
    ['a relaxation without an end', POLICY.replace(/ {4}expires.*\n/, ''), 8, 'expires must be'],
    ['a date that is none', POLICY.replace('2027-01-31', 'never'), 12, 'a date like'],
    ['no map', '- a', 1, 'must be a map'],
    ['a limit that is none', 'limits:\n  - project: a\n    minutes: 0', 3, 'from 1 to 1440'],
    ['a limit of nothing', 'limits:\n  - project: a', 2, 'needs minutes or repository_mb'],
    ['a limit of no project', 'limits:\n  - minutes: 5', 2, 'must be a map with project'],
    ['an unknown limit', 'limits:\n  - { project: a, minutes: 5, hours: 1 }', 2, 'no key hours'],
  ])('with %s, by its line', async (_, text, line, message) => {
    const error = await refusal(() => policyOf(text))
    expect(error.code).toBe('CONFIG_INVALID')
    // A single fault is the error itself.
    const [fault = error] = error.faults
    expect([fault.message, fault.place?.line]).toEqual([expect.stringContaining(message), line])
  })
})

test('limits of a project are the smallest of all entries that name it', () => {
  const policy = policyOf(
    'limits: [{project: "*/acme/*", minutes: 30}, {project: "*/acme/big", minutes: 90, repository_mb: 500}]\n',
  )
  expect(selectLimits(policy, 'github.com/acme/big')).toEqual({ minutes: 30, repository_mb: 500 })
  expect(selectLimits(policy, 'github.com/acme/shop')).toEqual({ minutes: 30 })
  expect(selectLimits(policy, 'github.com/other/shop')).toEqual({})
})

test('a scan has drift as findings where SVC_ORG_POLICY names a policy, and ends where it is missing', async () => {
  const root = folder({ '.git/HEAD': '', 'org.yaml': POLICY })
  const config = await loadConfig(root)
  expect(contributor.applies(config, {})).toBe(false)
  const run = (file: string) => {
    const env = { SVC_ORG_POLICY: join(root, file) }
    expect(contributor.applies(config, env)).toBe(true)
    const request = { config, scope: 'everything', dry_run: false } as Parameters<typeof contributor.run>[0]
    return contributor.run(request, context(root, { env }))
  }
  expect((await run('org.yaml')).findings.map(({ rule_id, severity }) => [rule_id, severity])).toEqual([
    ['organization:drift', 'high'],
  ])
  expect(await refusal(() => run('none.yaml'))).toMatchObject({ code: 'NOT_FOUND' })
  const relative = contributor.run(
    { config, scope: 'everything', dry_run: false } as Parameters<typeof contributor.run>[0],
    context(root, { env: { SVC_ORG_POLICY: 'org.yaml' } }),
  )
  await expect(relative).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})
