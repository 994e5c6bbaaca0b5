import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decideOn } from '../../engine/gate/verdict.ts'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { formatSummary } from '../../engine/scan/summary.ts'
import { loadConfig } from '../../engine/sources/config/load.ts'
import { discover } from '../../engine/sources/repository/discover.ts'
import { indexDatabase } from '../../engine/supply/advisories/source.ts'
import { contributeSupply } from '../../engine/supply/contribute.ts'
import { context, view } from '../made/call.ts'
import { folder } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { osvRecord } from './osv-server.ts'

describe('vulnerabilities in a scan', () => {
  it('are findings at the line of the manifest once the database is indexed, and not evaluated before', async () => {
    const database = folder({ 'a.json': JSON.stringify(osvRecord('GHSA-a', 'PyPI', 'a', '1.2.0')) })
    const root = project({
      'requirements.txt': 'b==1\na==1.0\n',
      '.svc/config.yaml': `vulns:\n  database: ${database}\n`,
    })
    const env = { XDG_CACHE_HOME: folder({}) }
    const signal = new AbortController().signal
    const config = await loadConfig(root, { env })
    const listing = await discover(root, { exclude: [], signal })
    const contribute = () =>
      contributeSupply({ config, listing, selectFiles: () => listing.files }, listing.files, {
        cwd: root,
        env,
        signal,
      })
    expect(await contribute()).toMatchObject({
      findings: [],
      notEvaluated: [{ rule_id: 'supply:vulnerabilities', reason: 'scanner_not_run' }],
    })
    await indexDatabase(database, { env, signal, onProgress: () => {} })
    expect(await contribute()).toMatchObject({
      findings: [
        { rule_id: 'supply:ghsa-a', category: 'dependency', file: 'requirements.txt', line: 2, severity: 'high' },
      ],
      notEvaluated: [],
    })
  })
})

describe('a scan without an advisory database', () => {
  const scan = async (files: Record<string, string>) => await perform({ repo_path: '.' }, context(project(files)))
  const gapsIn = (performed: Awaited<ReturnType<typeof scan>>) =>
    performed.run.not_evaluated.filter(({ rule_id }) => rule_id === 'supply:vulnerabilities')

  it('says that vulnerabilities are not evaluated and how to get a database, in the summary and in the run', async () => {
    const performed = await scan({ 'a.py': 'x = 1\n', 'requirements.txt': 'a==1.0\n' })
    expect(gapsIn(performed)).toEqual([
      { rule_id: 'supply:vulnerabilities', reason: 'no_data', detail: expect.stringContaining('vulns.database') },
    ])
    const { run, findings } = performed
    expect(formatSummary(run, findings, view, { following: 'verdict', out: null })).toContain(
      'supply:vulnerabilities: Vulnerabilities of dependencies are not known',
    )
    // No database is nobody's fault in this change: the gate shows it and does not fail.
    expect(decideOn(performed).passed).toBe(true)
  })

  it.each([
    ['there is no manifest', {}],
    ['the manifest names no package', { 'package.json': '{"name":"a","version":"1.0.0"}', 'go.mod': 'module m\n' }],
    ['OSV has no advisories of what there is', { Dockerfile: 'FROM debian:12\n' }],
    ['an action has no release', { '.github/workflows/a.yml': 'jobs:\n  a:\n    steps:\n      - uses: o/a@v4\n' }],
  ])('says nothing where %s', async (_, files) => {
    expect(gapsIn(await scan({ 'a.py': 'x = 1\n', ...files }))).toEqual([])
  })

  it('counts a lock file that cannot be read as one with packages', async () => {
    expect(gapsIn(await scan({ 'a.py': 'x = 1\n', 'package-lock.json': '{"packages":{"' }))).toHaveLength(1)
  })

  it('says so again where nothing has changed and files are kept from the last scan', async () => {
    const root = project({ 'a.py': 'x = 1\n', 'b.py': 'x = 1\n', 'requirements.txt': 'a==1.0\n' })
    for (let i = 0; i < 3; i++) {
      const performed = await perform({ repo_path: '.' }, context(root))
      await persist(performed, context(root))
      expect(gapsIn(performed)).toHaveLength(1)
    }
  })

  it('says so of what is staged, where a manifest is', async () => {
    const root = project({ 'a.py': 'x = 1\n', 'requirements.txt': 'a==1.0\n' })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
    const staged = async () =>
      gapsIn(await perform({ repo_path: '.', staged: true, is_gate: true } as never, context(root)))
    appendFileSync(join(root, 'a.py'), 'y = 2\n')
    git('add', '-A')
    expect(await staged()).toEqual([])
    appendFileSync(join(root, 'requirements.txt'), 'b==1.0\n')
    git('add', '-A')
    expect(await staged()).toHaveLength(1)
  })
})
