import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import vulnFix from '../../../engine/ops/supply/vuln-fix.ts'
import vulnerabilities from '../../../engine/ops/supply/vulnerabilities.ts'
import vulns from '../../../engine/ops/supply/vulns.ts'
import report from '../../../engine/ops/supply/vulns-report.ts'
import { context, refusal, view } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { osvRecord, startOsv } from '../../supply/osv-server.ts'

const MANIFEST = `{
  "name": "app",
  "version": "1.0.0",
  "dependencies": { "a": "^1.0.0" },
  "devDependencies": { "c": "1.0.0" }
}
`
const LOCK = JSON.stringify({
  name: 'app',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': { name: 'app', version: '1.0.0', dependencies: { a: '^1.0.0' }, devDependencies: { c: '1.0.0' } },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '^1.0.0' } },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/c': { version: '1.0.0', dev: true },
  },
})
const HIGH = { severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H' }] }
const A = osvRecord('GHSA-a', 'npm', 'a', '1.2.0', { aliases: ['CVE-2026-1'], ...HIGH })
const B = osvRecord('GHSA-b', 'npm', 'b', '1.0.5', { aliases: ['CVE-2026-2'] })

const npm = (more: Record<string, string> = {}) =>
  project({ 'package.json': MANIFEST, 'package-lock.json': LOCK, ...more })
const database = (...records: object[]) =>
  folder(Object.fromEntries(records.map((record, i) => [`r${i}.json`, JSON.stringify(record)])))
const defaults = { repo_path: '.', fix: false, fix_preview: false, create_pr: false, refresh: false, update_db: false }
const at = (root: string) => context(root, { env: { XDG_CACHE_HOME: folder({}), HOME: root } })
const run = (root: string, more: Record<string, unknown> = {}, where = at(root)) =>
  Promise.resolve(vulns.run({ ...defaults, ...more } as never, where as never))

describe('svc vulns', () => {
  it('finds vulnerable packages, says why they are there, and exits with 1', async () => {
    const root = npm()
    const output = await run(root, { database: database(A, B) })
    expect(output.vulnerabilities).toMatchObject([
      {
        id: 'GHSA-a',
        severity: 'high',
        score: 7.2,
        package: 'a',
        direct: true,
        scope: 'production',
        fixed_versions: ['1.2.0'],
        paths: [['app', 'a@1.0.0']],
      },
      {
        id: 'GHSA-b',
        severity: 'unknown',
        package: 'b',
        direct: false,
        paths: [['app', 'a@1.0.0', 'b@1.0.0']],
        reachability: 'unknown',
      },
    ])
    expect(output).toMatchObject({ vulnerable_count: 2, total_dependencies: 3, evaluated: 3 })
    expect(vulns.exit!(output)).toBe(1)
    expect(JSON.parse(readFileSync(join(root, 'out/vulnerabilities.json'), 'utf8'))).toMatchObject({
      vulnerable_count: 2,
    })
    expect(vulns.text(output, view)).toContain('2 vulnerabilities in 2 of 3 dependencies: 1 high, 1 unknown')
  })

  it('says that there are none where all were evaluated, and exits with 0', async () => {
    const output = await run(npm(), { database: database(osvRecord('GHSA-a', 'npm', 'a', '1.0.0')) })
    expect(vulns.exit!(output)).toBe(0)
    expect(vulns.text(output, view)).toContain('No known vulnerabilities in 3 dependencies.')
  })

  it('offline without a database is refused with how to get one, never clean', async () => {
    const error = await refusal(() => run(npm(), { offline: true }))
    expect([error.code, error.row.exit]).toEqual(['TOOL_MISSING', 69])
    expect(error.hint).toContain('svc vulns --update-db')
  })

  it('a database without the ecosystem knows nothing: not evaluated, exit 69', async () => {
    const output = await run(npm(), { database: database(osvRecord('PYSEC-1', 'PyPI', 'a', '2')) })
    expect(output).toMatchObject({
      vulnerable_count: 0,
      evaluated: 0,
      not_evaluated: [{ reason: 'no_data', count: 3 }],
    })
    expect(vulns.exit!(output)).toBe(69)
    expect(vulns.text(output, view)).toContain('Vulnerabilities are not known: none of 3 dependencies was evaluated')
  })

  it('a lock file that cannot be read is named and exits with 66', async () => {
    const output = await run(project({ 'package-lock.json': '{"lockfileVersion": 3, "packages":' }), {
      database: database(A),
    })
    expect(output.unread_manifests).toMatchObject([{ file: 'package-lock.json', state: 'failed' }])
    expect(vulns.exit!(output)).toBe(66)
  })

  it('a package without a version is not matched, and counted', async () => {
    const output = await run(project({ 'package.json': MANIFEST }), { database: database(A, B) })
    expect(output).toMatchObject({ vulnerable_count: 0, not_evaluated: [{ reason: 'no_version', count: 1 }] })
  })

  it('an advisory that cannot be read is named', async () => {
    const folderOf = database(A)
    writeFileSync(join(folderOf, 'broken.json'), '{"id": "X-1", "affected": {}}')
    const output = await run(npm(), { database: folderOf })
    expect(output.source.faults).toEqual(['broken.json: X-1: "affected" is no list'])
  })

  it('indexes a changed database anew', async () => {
    const root = npm()
    const where = at(root)
    const folderOf = database(A)
    expect(await run(root, { database: folderOf }, where)).toMatchObject({ vulnerable_count: 1 })
    writeFileSync(join(folderOf, 'more.json'), JSON.stringify(B))
    expect(await run(root, { database: folderOf }, where)).toMatchObject({ vulnerable_count: 2 })
  })

  it('asks the API where no database is configured, and uses the cache when it is gone', async () => {
    const server = await startOsv({ 'GHSA-a': A }, { 'npm/a': ['GHSA-a'] })
    const root = npm({ '.svc/config.yaml': `vulns:\n  api_url: ${server.url}\n  cache_hours: 1\n` })
    const where = at(root)
    expect(await run(root, {}, where)).toMatchObject({ vulnerable_count: 1, source: { kind: 'api' } })
    const asked = server.requests.length
    expect(await run(root, {}, where)).toMatchObject({ vulnerable_count: 1, source: { kind: 'cache' } })
    expect(server.requests.length).toBe(asked)
  })
})

describe('dismissed vulnerabilities', () => {
  it('an entry of the ignore file dismisses until its date, in the table and in the exit code', async () => {
    const entry = (more: string) => ({ '.svc/vuln-ignores.yaml': `- id: CVE-2026-1\n  reason: not reachable\n${more}` })
    const found = await run(npm(entry('  expires: "2999-01-01"\n')), { database: database(A) })
    expect(found).toMatchObject({
      vulnerable_count: 0,
      vulnerabilities: [{ status: 'dismissed', dismissal: { by: 'ignore', line: 1 } }],
    })
    expect(vulns.exit!(found)).toBe(0)
    const expired = await run(npm(entry('  expires: "2020-01-01"\n')), { database: database(A) })
    expect(vulns.exit!(expired)).toBe(1)
    expect(expired.notices[0]).toContain('expired on 2020-01-01')
    const other = await run(npm(entry('  package: b\n')), { database: database(A) })
    expect([vulns.exit!(other), other.notices[0]]).toEqual([1, expect.stringContaining('fits no vulnerability')])
  })

  it('an ignore file that is not valid is refused with the line', async () => {
    const root = npm({ '.svc/vuln-ignores.yaml': '- id: CVE-1\n- id: CVE-2\n  reason: x\n  until: never\n' })
    const error = await refusal(() => run(root, { database: database(A) }))
    expect([error.code, error.faults.map(({ place }) => place?.line)]).toEqual(['CONFIG_INVALID', [1, 2]])
  })

  it('a VEX document dismisses, named or in .svc/vex', async () => {
    const vex = JSON.stringify({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      statements: [
        {
          vulnerability: { name: 'CVE-2026-1' },
          products: [{ '@id': 'pkg:npm/a@1.0.0' }],
          status: 'not_affected',
          justification: 'component_not_present',
        },
      ],
    })
    const root = npm({ 'a.json': vex })
    const named = await run(root, { database: database(A), vex: ['a.json'] })
    expect([vulns.exit!(named), named.vulnerabilities[0]!.dismissal?.status]).toEqual([0, 'not_affected'])
    mkdirSync(join(root, '.svc/vex'), { recursive: true })
    writeFileSync(join(root, '.svc/vex/a.json'), vex)
    expect(vulns.exit!(await run(root, { database: database(A) }))).toBe(0)
    expect((await refusal(() => run(root, { database: database(A), vex: ['b.json'] }))).code).toBe('NOT_FOUND')
  })
})

describe('fixes', () => {
  it('the preview shows the least change, and changes nothing', async () => {
    const root = npm()
    const output = await run(root, { database: database(A, B), fix_preview: true })
    expect(output.fixes).toMatchObject([
      {
        file: 'package.json',
        package: 'a',
        from: '^1.0.0',
        to: '^1.2.0',
        kind: 'direct',
        removes: ['GHSA-a'],
        lock_command: 'npm install',
        applied: false,
      },
      { file: 'package.json', package: 'b', kind: 'override', removes: ['GHSA-b'] },
    ])
    expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe(MANIFEST)
  })

  it('fix changes the manifest and nothing else in it', async () => {
    const root = npm()
    await run(root, { database: database(A), fix: true })
    expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe(MANIFEST.replace('^1.0.0', '^1.2.0'))
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).toBe(LOCK)
  })

  it('goes to the version in which the most is gone', async () => {
    const later = osvRecord('GHSA-z', 'npm', 'a', '1.4.0')
    const never = {
      ...osvRecord('GHSA-n', 'npm', 'a', '9'),
      affected: [
        { package: { ecosystem: 'npm', name: 'a' }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] },
      ],
    }
    const output = await run(npm(), { database: database(A, later, never), fix_preview: true })
    expect(output.fixes).toMatchObject([{ to: '^1.4.0', removes: ['GHSA-a', 'GHSA-z'] }])
    expect(output.unfixed).toMatchObject([{ package: 'a', ids: ['GHSA-n'] }])
  })

  it('pull requests wait for providers: exit 69', async () => {
    expect((await refusal(() => run(npm(), { fix: true, create_pr: true }))).code).toBe('CONFIG_INVALID')
    expect((await refusal(() => run(npm(), { create_pr: true }))).code).toBe('USAGE')
  })

  it('one chosen change is made by the API', async () => {
    const root = npm()
    const change = { package: 'a', ecosystem: 'npm', manifest: 'package.json', version: '1.2.0' }
    expect(vulnFix.run(change, at(root) as never)).toMatchObject({ from: '^1.0.0', to: '^1.2.0', applied: true })
    expect(vulnFix.run(change, at(root) as never)).toMatchObject({ applied: false })
    expect((await refusal(() => vulnFix.run({ ...change, package: 'zz' }, at(root) as never))).code).toBe('NOT_FOUND')
    expect((await refusal(() => vulnFix.run({ ...change, manifest: '../package.json' }, at(root) as never))).code).toBe(
      'PATH_ESCAPES',
    )
    expect((await refusal(() => vulnFix.run({ ...change, ecosystem: 'CPAN' }, at(root) as never))).code).toBe(
      'INPUT_INVALID',
    )
  })
})

describe('the stored result', () => {
  it('is returned until a new run is asked for', async () => {
    const root = npm({ '.svc/config.yaml': `vulns:\n  database: ${database(A)}\n` })
    const where = at(root)
    expect((await refusal(() => vulnerabilities.run({ refresh: false }, where as never))).code).toBe('RUN_NOT_FOUND')
    expect(await vulnerabilities.run({ refresh: true }, where as never)).toMatchObject({ vulnerable_count: 1 })
    expect(await vulnerabilities.run({ refresh: false }, where as never)).toMatchObject({ vulnerable_count: 1 })
  })

  it('is a page in which nothing of the repository is markup', async () => {
    const evil = osvRecord('GHSA-a', 'npm', 'a', '1.2.0', {
      summary: '<script>alert(1)</script>',
      references: [{ type: 'WEB', url: 'javascript:alert(1)' }],
    })
    const root = npm()
    const where = at(root)
    await run(root, { database: database(evil) }, where)
    const { html, vulnerable_count } = await report.run({}, where as never)
    expect(vulnerable_count).toBe(1)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toMatch(/<script|javascript:/)
    expect(existsSync(join(root, 'out/vulnerabilities.json'))).toBe(true)
  })
})
