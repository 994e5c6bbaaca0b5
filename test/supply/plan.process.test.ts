import { describe, expect, it } from 'vitest'
import vulnFix from '../../engine/ops/supply/vuln-fix.ts'
import { assessInventory, selectSubjects } from '../../engine/supply/advisories/assess.ts'
import { readAdvisory } from '../../engine/supply/advisories/read-compact.ts'
import { planFixes } from '../../engine/supply/fixes/plan.ts'
import { readInventory } from '../../engine/supply/inventory/read.ts'
import { context, refusal } from '../made/call.ts'
import { folder } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { osvRecord } from './osv-server.ts'

/** The plan for a repository in which versions of `a` before the fixed one are vulnerable. */
async function plan(contents: Record<string, string>, ecosystem: string, fixed: string, name = 'a') {
  const root = folder(contents)
  const files = Object.keys(contents)
    .sort()
    .map(path => ({ path, size: contents[path]!.length, language: null, in_test: false }))
  const inventory = await readInventory({ root, kind: 'folder', files, skipped: [] })
  const selected = selectSubjects(inventory.components)
  const advisory = readAdvisory(osvRecord('GHSA-a', ecosystem, name, fixed))
  const lookups = selected.subjects.map(({ query }) => ({
    advisories: query.name === name ? [advisory] : [],
    claimed: new Set<string>(),
  }))
  const gathered = {
    source: { kind: 'database' as const, location: '', as_of: '', stale: 0, faults: [] },
    ...{ lookups, findEpss: () => undefined, findKnownExploited: () => undefined, close: () => {} },
  }
  const assessment = await assessInventory(inventory, selected, gathered, { ignores: [], vex: [], now: 0 })
  const { fixes, unfixed } = await planFixes(root, { ...assessment, inventory })
  return {
    fixes: fixes.map(({ change: { file, from, to, removes } }) => `${file}: ${from} → ${to} (${removes.join()})`),
    unfixed: unfixed.map(({ version, reason }) => `${version}: ${reason}`),
  }
}

const lock = (packages: Record<string, object>) => JSON.stringify({ lockfileVersion: 3, packages })

describe('a plan of fixes', () => {
  it('changes the manifests that declare the vulnerable version, and no other one', async () => {
    expect(
      await plan(
        {
          'package.json': '{"dependencies":{"a":"^1.0.0"}}',
          'package-lock.json': lock({ '': { dependencies: { a: '^1.0.0' } }, 'node_modules/a': { version: '1.0.0' } }),
          'tools/package.json': '{"dependencies":{"a":"^2.0.0"}}',
          'tools/package-lock.json': lock({
            '': { dependencies: { a: '^2.0.0' } },
            'node_modules/a': { version: '2.0.0' },
          }),
          'examples/package.json': '{"dependencies":{"a":"^1.0.0"}}',
        },
        'npm',
        '1.5.0',
      ),
    ).toEqual({ fixes: ['package.json: ^1.0.0 → ^1.5.0 (GHSA-a)'], unfixed: [] })
  })

  it('pins beside the lock file that names the package, and not elsewhere', async () => {
    const { fixes } = await plan(
      {
        'package.json': '{}',
        'app/package.json': '{"dependencies":{"b":"1"}}',
        'app/package-lock.json': lock({
          '': { dependencies: { b: '1' } },
          'node_modules/b': { version: '1.0.0', dependencies: { a: '1' } },
          'node_modules/a': { version: '1.0.0' },
        }),
      },
      'npm',
      '1.5.0',
    )
    expect(fixes).toEqual(['app/package.json: 1.0.0 → overrides: "a": "1.5.0" (GHSA-a)'])
  })

  it('claims nothing where the manifest allows the fix already, and names the command', async () => {
    const { fixes, unfixed } = await plan(
      {
        'package.json': '{"dependencies":{"a":"^1.5.0"}}',
        'package-lock.json': lock({ '': { dependencies: { a: '^1.5.0' } }, 'node_modules/a': { version: '1.0.0' } }),
      },
      'npm',
      '1.5.0',
    )
    expect(fixes).toEqual([])
    expect(unfixed).toEqual(['1.0.0: package.json allows 1.5.0 already: `npm install` renews the lock file'])
  })

  it('goes to the parent that sets the version of a module', async () => {
    const managed = '<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1.0.0</version></dependency>'
    const { fixes } = await plan(
      {
        'pom.xml': `<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version><dependencyManagement><dependencies>${managed}</dependencies></dependencyManagement></project>`,
        'm/pom.xml':
          '<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>m</artifactId><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId></dependency></dependencies></project>',
      },
      'Maven',
      '1.5.0',
      'g:a',
    )
    expect(fixes).toEqual(['pom.xml: 1.0.0 → 1.5.0 (GHSA-a)'])
  })
})

describe('POST /api/vuln-fix', () => {
  it('refuses to go back to an older version, and names the lock command of the package manager in use', async () => {
    const root = project({ 'package.json': '{"dependencies":{"a":"^2.0.0"}}', 'pnpm-lock.yaml': '' })
    const fix = (version: string) =>
      vulnFix.run(
        { package: 'a', ecosystem: 'npm', manifest: 'package.json', version } as never,
        context(root, { surface: 'rest' }) as never,
      )
    expect((await refusal(() => fix('1.5.0'))).code).toBe('CONFLICT')
    expect(await fix('2.1.0')).toMatchObject({ to: '^2.1.0', applied: true, lock_command: 'pnpm update a' })
  })
})
