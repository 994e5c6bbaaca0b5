import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../engine/base/records/finding.ts'
import { decideOn } from '../../engine/gate/verdict.ts'
import { perform } from '../../engine/scan/perform.ts'
import { findImitated } from '../../engine/supply/malice/popular.ts'
import { context } from '../made/call.ts'
import { project } from '../made/project.ts'

const SHA512 = (letter: string) => `sha512-${Buffer.alloc(64, letter).toString('base64')}`
const REGISTRY = 'https://registry.example'

/** Entries of a lock file whose packages come from one registry, with a digest. */
const entry = (name: string, more: Record<string, unknown> = {}) => ({
  version: '1.0.0',
  resolved: `${REGISTRY}/${name}/-/${name.slice(name.indexOf('/') + 1)}-1.0.0.tgz`,
  integrity: SHA512('a'),
  ...more,
})
const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`package-${i}`, entry(`package-${i}`)]))

const lock = (packages: Record<string, object>, root: Record<string, unknown> = {}) =>
  JSON.stringify(
    {
      ...{ name: 'app', version: '1.0.0', lockfileVersion: 3 },
      packages: {
        '': { name: 'app', version: '1.0.0', ...root },
        ...Object.fromEntries(Object.entries(packages).map(([name, fields]) => [`node_modules/${name}`, fields])),
      },
    },
    null,
    1,
  )
const manifest = (fields: Record<string, unknown> = {}) =>
  JSON.stringify({ name: 'app', version: '1.0.0', ...fields }, null, 1)

async function scan(files: Record<string, string>): Promise<Finding[]> {
  const { findings } = await perform({ repo_path: '.' }, context(project({ 'a.py': 'x = 1\n', ...files })))
  return findings.filter(({ rule_id }) => rule_id.startsWith('supply:'))
}
const npm = (packages: Record<string, object>, more: Record<string, string> = {}) =>
  scan({ 'package.json': manifest(), 'package-lock.json': lock({ ...many, ...packages }), ...more })

describe('signs of an attack by dependencies, in a scan', () => {
  it('are none in an ordinary project', async () => {
    const dependencies = {
      react: '^18.0.0',
      preact: '^10.0.0',
      lodash: '^4.0.0',
      '@scope/own': '^1.0.0',
      uuid: '1.0.0',
    }
    const own = Object.fromEntries(Object.keys(dependencies).map(name => [name, entry(name)]))
    expect(
      await scan({
        'package.json': manifest({ dependencies }),
        'package-lock.json': lock({ ...many, ...own }, { dependencies }),
        'requirements.txt': 'requests==2.0.0\nnumpy>=1\n',
      }),
    ).toEqual([])
  })

  it('are a name one character from a popular one, at its line', async () => {
    const found = await scan({
      'package.json': manifest({ dependencies: { lodahs: '1.0.0' } }),
      'requirements.txt': 'numpy==1.0\nreqeusts==2.0\n',
    })
    expect(found).toMatchObject([
      { rule_id: 'supply:typosquatting', file: 'package.json', line: 5, cwe: ['CWE-1357'], severity: 'medium' },
      {
        rule_id: 'supply:typosquatting',
        file: 'requirements.txt',
        line: 2,
        title: 'Typosquatting: reqeusts is one character from requests',
      },
    ])
  })

  it.each([
    ['a letter is missing', 'expres', 'express'],
    ['a hyphen is missing', 'crossenv', 'cross-env'],
    ['two letters are swapped', 'axois', 'axios'],
    ['a letter is doubled', 'reacct', 'react'],
    ['it is popular itself', 'preact', undefined],
    ['it is short', 'mss', undefined],
    ['it differs in a digit', 'base33', undefined],
    ['it is another word', 'left-handed', undefined],
  ])('name an imitation where %s', (_, name, popular) => {
    expect(findImitated('npm', name)).toBe(popular)
  })

  it('are an entry from a host that no other has and nothing names', async () => {
    const evil = entry('evil', { resolved: 'https://evil.example/evil/-/evil-1.0.0.tgz' })
    expect(await npm({ evil })).toMatchObject([
      {
        rule_id: 'supply:lock-file-unexpected-host',
        severity: 'high',
        file: 'package-lock.json',
        cwe: ['CWE-829'],
        category: 'dependency',
      },
    ])
    expect(await npm({ evil }, { '.npmrc': 'registry=https://evil.example/\n' })).toEqual([])
    const declared = { dependencies: { evil: 'https://evil.example/evil/-/evil-1.0.0.tgz' } }
    expect(
      await scan({ 'package.json': manifest(declared), 'package-lock.json': lock({ ...many, evil }, declared) }),
    ).toEqual([])
  })

  it('are no entries from the other name of a public registry, unless nothing else comes from it', async () => {
    const npmjs = `https://${['registry', 'npmjs', 'org'].join('.')}`
    const yarn = `https://${['registry', 'yarnpkg', 'com'].join('.')}`
    const from = (host: string) =>
      Object.fromEntries(
        Object.keys(many).map(name => [name, entry(name, { resolved: `${host}/${name}/-/${name}-1.0.0.tgz` })]),
      )
    const x = entry('x', { resolved: `${npmjs}/x/-/x-1.0.0.tgz` })
    expect(await npm({ ...from(yarn), x })).toEqual([])
    expect(await npm({ x })).toMatchObject([{ rule_id: 'supply:lock-file-unexpected-host' }])
  })

  it('are an entry that downloads another package or another version, and no alias', async () => {
    const other = entry('a', { resolved: `${REGISTRY}/b/-/b-1.0.0.tgz` })
    const version = entry('c', { resolved: `${REGISTRY}/c/-/c-0.9.0.tgz` })
    const found = await npm({ a: other, c: version })
    expect(found.map(({ rule_id, title }) => [rule_id, title])).toEqual([
      ['supply:lock-file-other-package', 'Lock file entry downloads another package: a 1.0.0'],
      ['supply:lock-file-other-package', 'Lock file entry downloads another package: c 1.0.0'],
    ])
    expect(await npm({ alias: entry('real', { name: 'real' }), '@s/p': entry('@s/p') })).toEqual([])
  })

  it('are an entry without a digest among those with one, and one over plain HTTP', async () => {
    const { integrity: _, ...bare } = entry('bare')
    expect(await npm({ bare })).toMatchObject([{ rule_id: 'supply:lock-file-no-digest', cwe: ['CWE-494'] }])
    const plain = entry('plain', { resolved: 'http://registry.example/plain/-/plain-1.0.0.tgz' })
    expect(await npm({ plain })).toMatchObject([
      { rule_id: 'supply:lock-file-plain-http', severity: 'low', cwe: ['CWE-319'] },
    ])
  })

  it('are two digests of one version in two lock files', async () => {
    const files = (letter: string) => ({
      'a/package.json': manifest(),
      'a/package-lock.json': lock({ x: entry('x') }),
      'b/package.json': manifest(),
      'b/package-lock.json': lock({ x: entry('x', { integrity: SHA512(letter) }) }),
    })
    expect(await scan(files('b'))).toMatchObject([
      { rule_id: 'supply:lock-file-digest-conflict', file: 'b/package-lock.json', severity: 'high', cwe: ['CWE-345'] },
    ])
    expect(await scan(files('a'))).toEqual([])
  })

  it('are a manifest that asks for what the lock file was not made for', async () => {
    const found = await scan({
      'package.json': manifest({
        dependencies: { 'package-0': '^2.0.0', gone: '1.0.0' },
        peerDependencies: { peer: '*' },
      }),
      'package-lock.json': lock(many, { dependencies: { 'package-0': '^1.0.0' } }),
    })
    expect(found.map(({ rule_id, title, file, line }) => [rule_id, title, file, line])).toEqual([
      ['supply:lock-file-disagrees', 'Lock file disagrees with the manifest: package-0 ^2.0.0', 'package.json', 5],
      ['supply:lock-file-disagrees', 'Lock file disagrees with the manifest: gone is not locked', 'package.json', 6],
    ])
    const cargo = (names: string[]) => ({
      'Cargo.toml': `[package]\nname = "app"\nversion = "1.0.0"\n\n[dependencies]\n${names.map(name => `${name} = "1"\n`).join('')}`,
      'Cargo.lock':
        'version = 3\n\n[[package]]\nname = "app"\nversion = "1.0.0"\n\n[[package]]\nname = "serde"\nversion = "1.0.0"\nsource = "registry+https://index.example"\n',
    })
    expect(await scan(cargo(['serde', 'absent']))).toMatchObject([
      { rule_id: 'supply:lock-file-disagrees', file: 'Cargo.toml', line: 7 },
    ])
    expect(await scan(cargo(['serde']))).toEqual([])
  })

  it('are no packages for developers, where npm-shrinkwrap.json is made for those who install', async () => {
    const shrinkwrap = (names: string[]) =>
      JSON.stringify({
        name: 'app',
        version: '1.0.0',
        // One that developers need is there below another package.
        dependencies: Object.fromEntries(
          names.map(name => [name, { version: '1.0.0', dependencies: { below: { version: '0.9.0' } } }]),
        ),
      })
    const files = (names: string[], gone: object = {}) => ({
      'package.json': manifest({
        dependencies: { base: '1.0.0', ...gone },
        devDependencies: { below: '1.0.0', linter: '1.0.0', tester: '1.0.0', builder: '1.0.0' },
      }),
      'npm-shrinkwrap.json': shrinkwrap(names),
    })
    const titles = async (...given: Parameters<typeof files>) => (await scan(files(...given))).map(({ title }) => title)
    expect(await titles(['base'])).toEqual([])
    const isMissing = (name: string) => [`Lock file disagrees with the manifest: ${name} is not locked`]
    expect(await titles(['base'], { gone: '1.0.0' })).toEqual(isMissing('gone'))
    expect(await titles(['base', 'linter', 'tester'])).toEqual(isMissing('builder'))
  })

  it('are git dependencies that no commit pins', async () => {
    const found = await scan({
      'package.json': manifest({
        dependencies: { a: 'git+https://git.example/a.git#main', b: `git+https://git.example/b.git#${'a'.repeat(40)}` },
      }),
      'requirements.txt': `c @ git+https://git.example/c.git@v1\nd @ git+https://git.example/d.git@${'b'.repeat(40)}\n`,
    })
    expect(found.map(({ rule_id, file, line }) => [rule_id, file, line])).toEqual([
      ['supply:git-dependency-without-commit', 'package.json', 5],
      ['supply:git-dependency-without-commit', 'requirements.txt', 1],
    ])
  })

  it('are a private scope, or a private package of the repository, from the public registry', async () => {
    const scoped = { '@corp/x': entry('@corp/x') }
    expect(await npm(scoped, { '.npmrc': '@corp:registry=https://npm.corp.example/\n' })).toMatchObject([
      { rule_id: 'supply:dependency-confusion', severity: 'high', cwe: ['CWE-427'] },
    ])
    expect(await npm(scoped, { '.npmrc': `@corp:registry=${REGISTRY}/\n` })).toEqual([])
    const inside = { 'pkg/package.json': '{"name":"package-3","version":"1.0.0","private":true}' }
    expect(await npm({}, inside)).toMatchObject([
      { rule_id: 'supply:dependency-confusion', title: expect.stringContaining('package-3') },
    ])
    expect(await npm({}, { 'pkg/package.json': '{"name":"package-3","version":"1.0.0"}' })).toEqual([])
  })

  it('are a second index of pip, unless digests pin every requirement', async () => {
    const index = '--extra-index-url https://pypi.corp.example/simple\n'
    expect(await scan({ 'requirements.txt': `${index}own==1.0\n` })).toMatchObject([
      { rule_id: 'supply:dependency-confusion', line: 1, severity: 'low' },
    ])
    expect(await scan({ 'requirements.txt': `${index}own==1.0 --hash=sha256:${'a'.repeat(64)}\n` })).toEqual([])
  })

  it('are install scripts, for information, until the project decides about them', async () => {
    const packages = { built: entry('built', { hasInstallScript: true }) }
    expect(await npm(packages)).toMatchObject([{ rule_id: 'supply:install-script', severity: 'info' }])
    const decided = manifest({ allowScripts: { built: false } })
    expect(await scan({ 'package.json': decided, 'package-lock.json': lock({ ...many, ...packages }) })).toEqual([])
  })

  it('are looked for in changed manifests alone where a change is scanned', async () => {
    const root = project({ 'a/requirements.txt': 'reqeusts==2.0\n', 'b/requirements.txt': 'numpy==1.0\n' })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
    writeFileSync(join(root, 'b/requirements.txt'), 'numpyy==1.0\n')
    git('add', '-A')
    const { findings } = await perform({ repo_path: '.', staged: true } as never, context(root))
    expect(findings.map(({ rule_id, file }) => [rule_id, file])).toEqual([
      ['supply:typosquatting', 'b/requirements.txt'],
    ])
  })

  it('are not looked for where that is turned off', async () => {
    const files = { 'requirements.txt': 'reqeusts==2.0\n', '.svc/config.yaml': 'supply_chain:\n  in_scan: false\n' }
    expect(await scan(files)).toEqual([])
  })

  it('are suppressed, put into the baseline and judged by the gate as other findings are', async () => {
    const evil = lock({ ...many, evil: entry('evil', { resolved: 'https://evil.example/evil/-/evil-1.0.0.tgz' }) })
    const judge = async (more: Record<string, string> = {}) => {
      const root = project({ 'a.py': 'x = 1\n', 'package.json': manifest(), 'package-lock.json': evil, ...more })
      const performed = await perform({ repo_path: '.' }, context(root))
      return { passed: decideOn(performed).passed, statuses: performed.findings.map(({ status }) => status) }
    }
    expect(await judge()).toEqual({ passed: false, statuses: ['open'] })
    const suppression = '- rule: supply:lock-file-unexpected-host\n  file: package-lock.json\n  reason: our mirror\n'
    expect(await judge({ '.svc/suppressions.yaml': suppression })).toMatchObject({ statuses: ['suppressed'] })
  })
})
