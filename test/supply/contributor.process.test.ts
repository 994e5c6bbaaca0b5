import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { folder, write } from '../made/folder.ts'
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
    const request = { config, listing, selectFiles: () => listing.files, scope: 'everything', dry_run: false }
    const contribute = () => contributeSupply(request, listing.files, { cwd: root, env, signal })
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

describe('what a scan said of dependencies the last time', () => {
  it('is taken over as long as nothing has changed that it follows from', async () => {
    const record = osvRecord('GHSA-a', 'PyPI', 'a', '1.2.0')
    const database = folder({ 'a.json': JSON.stringify(record) })
    const env = { XDG_CACHE_HOME: folder({}) }
    const signal = new AbortController().signal
    const index = () => indexDatabase(database, { env, signal, onProgress: () => {} })
    await index()
    const root = project({
      ...{
        '.gitignore': 'out/\n.svc/local/\n',
        'a.py': 'x = 1\n',
        'requirements.txt': '-r more.lst\nb==1\n',
        'more.lst': 'a==1.0\n',
      },
      '.svc/config.yaml': `vulns:\n  database: ${database}\n`,
    })
    const directory = join(env.XDG_CACHE_HOME, 'svc/advisories/scans')
    /** Whether a scan takes over what is kept, which is marked first, and how many vulnerabilities are open. */
    const scan = async (more = {}) => {
      for (const name of existsSync(directory) ? readdirSync(directory) : []) {
        const path = join(directory, name)
        writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"title":"Vulnerable', '"title":"Kept: vulnerable'))
      }
      const { findings } = await perform({ repo_path: '.', ...more }, context(root, { env }))
      const own = findings.filter(({ rule_id, status }) => rule_id.startsWith('supply:') && status === 'open')
      return `${own.length} ${own.some(({ title }) => title.startsWith('Kept')) ? 'kept' : 'new'}`
    }
    expect([await scan({ dry_run: true }), existsSync(directory)]).toEqual(['1 new', false])
    expect([await scan(), await scan(), await scan({ cache: false }), await scan()]).toEqual([
      '1 new',
      '1 kept',
      '1 new',
      '1 kept',
    ])
    const change = async (file: string, text: string) => {
      write(root, { [file]: text })
      return await scan()
    }
    expect(await change('more.lst', 'a==1.3\n')).toBe('0 new')
    expect(await change('more.lst', 'a==1.1\n')).toBe('1 new')
    expect(await change('requirements.txt', 'b==2\n-r more.lst\n')).toBe('1 new')
    expect(await scan()).toBe('1 kept')
    expect(await change('.svc/vuln-ignores.yaml', '- id: GHSA-a\n  reason: no\n')).toBe('0 new')
    rmSync(join(root, '.svc/vuln-ignores.yaml'))
    expect([await scan(), await scan()]).toEqual(['1 new', '1 kept'])
    const statement = { vulnerability: { name: 'GHSA-a' }, products: ['pkg:pypi/a'], status: 'not_affected' }
    expect(await change('.svc/vex/a.json', JSON.stringify({ statements: [statement] }))).toBe('0 new')
    rmSync(join(root, '.svc/vex'), { recursive: true })
    expect([await scan(), await scan()]).toEqual(['1 new', '1 kept'])
    writeFileSync(join(database, 'a.json'), JSON.stringify(osvRecord('GHSA-a', 'PyPI', 'a', '1.1.0')))
    await index()
    expect(await scan()).toBe('0 new')
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
