import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import licenseReport from '../../../engine/ops/supply/license-report.ts'
import licenses from '../../../engine/ops/supply/licenses.ts'
import { loadLicenseTexts } from '../../../engine/supply/licenses/texts.ts'
import { context, refusal, view } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

const lock = (packages: Record<string, object>) =>
  JSON.stringify({
    name: 'app',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'app', version: '1.0.0', dependencies: Object.fromEntries(Object.keys(packages).map(n => [n, '*'])) },
      ...Object.fromEntries(
        Object.entries(packages).map(([name, fields]) => [`node_modules/${name}`, { version: '1.0.0', ...fields }]),
      ),
    },
  })
const npm = (packages: Record<string, object>, more: Record<string, string> = {}) =>
  project({
    'package.json': '{"name":"app","version":"1.0.0"}',
    'package-lock.json': lock(packages),
    '.gitignore': 'node_modules\n',
    ...more,
  })
const defaults = { repo_path: '.', copyleft_only: false, registry: false, files: false }
const at = (root: string, env: Record<string, string> = {}) => context(root, { env: { HOME: folder({}), ...env } })
const run = (root: string, more: Record<string, unknown> = {}, env: Record<string, string> = {}) =>
  Promise.resolve(licenses.run({ ...defaults, ...more } as never, at(root, env) as never))
const policy = (text: string) => ({ '.svc/config.yaml': `licenses:\n  policy:\n${text}` })
type Output = Awaited<ReturnType<typeof run>>
const byName = ({ dependencies }: Output) => Object.fromEntries(dependencies.map(one => [one.package, one]))

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

describe('svc licenses', () => {
  it('reads the lock file, gives risk and copyleft, and sorts the most risk first', async () => {
    const root = npm({
      a: { license: 'MIT' },
      b: { license: 'GPL-3.0' },
      c: { license: 'MIT OR GPL-3.0' },
      d: { license: 'UNLICENSED' },
      e: {},
    })
    const output = await run(root)
    expect(output.dependencies.map(one => [one.package, one.license, one.risk, one.copyleft, one.kind])).toEqual([
      ['b', 'GPL-3.0-only', 'high', true, 'strong-copyleft'],
      ['d', undefined, 'high', false, 'proprietary'],
      ['e', undefined, 'medium', false, 'unknown'],
      ['a', 'MIT', 'low', false, 'permissive'],
      ['c', 'MIT OR GPL-3.0-only', 'low', false, 'permissive'],
    ])
    expect(output).toMatchObject({ total_dependencies: 5, copyleft: 1, unknown: 1 })
    expect(licenses.exit!(output)).toBe(0)
    expect(JSON.parse(readFileSync(join(root, 'out/licenses.json'), 'utf8'))).toMatchObject({ copyleft: 1 })
    expect(licenses.text(output, view)).toContain(
      '5 dependencies: 2 high, 1 medium, 2 low, 0 none; 1 copyleft, 1 unknown.',
    )
    const only = await run(root, { copyleft_only: true })
    expect(only.dependencies.map(one => one.package)).toEqual(['b'])
  })

  it('reads installed packages, their license files, and nothing through a link out of the repository', async () => {
    const outside = folder({ 'package.json': '{"name":"c","version":"1.0.0","license":"ISC"}', LICENSE: 'secret' })
    const root = npm(
      { a: {}, b: {}, c: {}, d: {} },
      {
        'node_modules/a/package.json':
          '{"name":"a","version":"1.0.0","licenses":[{"type":"MIT"},{"type":"Apache-2.0"}]}',
        'node_modules/b/package.json': '{"name":"b","version":"1.0.0","license":"SEE LICENSE IN LICENSE"}',
        'node_modules/b/LICENSE': loadLicenseTexts().get('BSD-3-Clause')!.text,
        'node_modules/d/package.json': '{"name":"d","version":"2.0.0","license":"MIT"}',
      },
    )
    symlinkSync(outside, join(root, 'node_modules/c'))
    const { a, b, c, d } = byName(await run(root))
    expect(a).toMatchObject({
      license: 'MIT OR Apache-2.0',
      source: 'installed',
      source_file: 'node_modules/a/package.json',
    })
    expect(b).toMatchObject({
      license: 'BSD-3-Clause',
      source: 'text',
      declared: 'SEE LICENSE IN LICENSE',
      source_file: 'node_modules/b/LICENSE',
    })
    expect(c!.kind).toBe('unknown')
    // Another version is installed than the lock file names.
    expect(d!.kind).toBe('unknown')
  })

  it('reads virtual environments: the expression, the field, classifiers that hold together, else the text', async () => {
    const info = (name: string, headers: string) => ({
      [`.venv/lib/python3.12/site-packages/${name}-1.0.dist-info/METADATA`]: `Metadata-Version: 2.4\nName: ${name}\nVersion: 1.0\n${headers}\n\nLicense: no header\n`,
    })
    const root = project({
      'requirements.txt': ['a', 'b', 'c', 'd', 'e'].map(name => `${name}==1.0`).join('\n'),
      '.gitignore': '.venv\n',
      ...info('a', 'License: whatever\nLicense-Expression: MIT AND ISC'),
      ...info('b', 'License: Apache 2.0'),
      ...info(
        'c',
        'License: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License\nClassifier: License :: OSI Approved :: GNU General Public License v2 (GPLv2)',
      ),
      ...info('d', 'License: BSD\nClassifier: License :: OSI Approved :: BSD License'),
      ...info('e', 'Classifier: License :: OSI Approved :: BSD License'),
      '.venv/lib/python3.12/site-packages/e-1.0.dist-info/licenses/LICENSE':
        loadLicenseTexts().get('BSD-2-Clause')!.text,
    })
    const { a, b, c, d, e } = byName(await run(root))
    expect([a!.license, b!.license, c!.license, d!.license, e!.license]).toEqual([
      'MIT AND ISC',
      'Apache-2.0',
      'MIT AND GPL-2.0-only',
      undefined,
      'BSD-2-Clause',
    ])
    expect(d!.declared).toBe('BSD')
  })

  it('reads the caches of package managers, by their own variables', async () => {
    const caches = folder({
      'go/github.com/!burnt!sushi/toml@v1.2.0/COPYING': loadLicenseTexts().get('MIT')!.text,
      'cargo/registry/src/index-1/serde-1.0.0/Cargo.toml':
        '[package]\nname = "serde"\nversion = "1.0.0"\nlicense = "MIT/Apache-2.0"\n',
      '.m2/repository/org/x/parent/1/parent-1.pom':
        '<project><licenses><license><name>The Apache Software License, Version 2.0</name></license></licenses></project>',
      '.m2/repository/org/x/lib/2/lib-2.pom':
        '<project><parent><groupId>org.x</groupId><artifactId>parent</artifactId><version>1</version></parent></project>',
    })
    const root = project({
      'go.mod': 'module example.com/app\n\ngo 1.22\n\nrequire github.com/BurntSushi/toml v1.2.0\n',
      'Cargo.lock':
        'version = 3\n\n[[package]]\nname = "serde"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n',
      'pom.xml':
        '<project><groupId>a</groupId><artifactId>b</artifactId><version>1</version><dependencies><dependency><groupId>org.x</groupId><artifactId>lib</artifactId><version>2</version></dependency></dependencies></project>',
    })
    const found = byName(
      await run(root, {}, { HOME: caches, GOMODCACHE: join(caches, 'go'), CARGO_HOME: join(caches, 'cargo') }),
    )
    expect(found['github.com/BurntSushi/toml']).toMatchObject({ license: 'MIT', source: 'text' })
    expect(found.serde).toMatchObject({ license: 'MIT OR Apache-2.0', declared: 'MIT/Apache-2.0', source: 'installed' })
    expect(found['org.x:lib']).toMatchObject({ license: 'Apache-2.0', source: 'installed' })
  })

  it('exits with 1 on a denied license, with 69 where a policy meets an unknown one, and with 0 where it holds', async () => {
    const denied = await run(
      npm({ a: { license: 'GPL-3.0-only' }, b: { license: 'MIT' } }, policy('    deny: [copyleft]\n')),
    )
    expect([denied.denied, licenses.exit!(denied)]).toEqual([1, 1])
    expect(licenses.text(denied, view)).toContain('1 denied by the policy, 0 to review.')
    const unknown = await run(npm({ a: {} }, policy('    allow: [permissive]\n')))
    expect([unknown.denied, licenses.exit!(unknown)]).toEqual([0, 69])
    const fine = await run(npm({ a: { license: 'MIT' } }, policy('    allow: [permissive]\n')))
    expect([fine.denied, licenses.exit!(fine)]).toEqual([0, 0])
    const broken = await run(project({ 'package-lock.json': '{', 'package.json': '{"name":"app"}' }))
    expect(licenses.exit!(broken)).toBe(66)
  })

  it('lets an override with a reason say the license until its last day, and lists those without effect', async () => {
    const override = (more: string) =>
      `licenses:\n  overrides:\n    - package: a\n      license: MIT\n      reason: read by counsel\n${more}`
    const packages = { a: { license: 'custom' } }
    const set = await run(npm(packages, { '.svc/config.yaml': override('') }))
    expect(set.dependencies[0]).toMatchObject({ license: 'MIT', source: 'override', reason: 'read by counsel' })
    const expired = await run(npm(packages, { '.svc/config.yaml': override('      expires: "2020-01-31"\n') }))
    expect(expired.dependencies[0]!.kind).toBe('unknown')
    expect(expired.notices).toEqual(['The override of a expired on 2020-01-31 and has no effect.'])
    const unused = await run(npm({ b: { license: 'MIT' } }, { '.svc/config.yaml': override('') }))
    expect(unused.notices).toEqual(['The override of a fits no dependency.'])
    const wrong = await refusal(() => run(npm(packages, policy('    deny: [GLP-3.0]\n'))))
    expect(wrong).toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('writes an attribution file with the texts of installed packages, and says where there is none', async () => {
    const root = npm(
      { a: { license: 'MIT' }, b: { license: 'ISC' }, c: {}, dev: { license: 'MIT', dev: true } },
      {
        'package.json':
          '{"name":"app","version":"1.0.0","dependencies":{"a":"*","b":"*","c":"*"},"devDependencies":{"dev":"*"}}',
        'node_modules/a/package.json': '{"name":"a","version":"1.0.0","license":"MIT"}',
        'node_modules/a/LICENSE': 'MIT License\n\nCopyright (c) 2020 Ada\n\nPermission is granted.',
        'node_modules/a/NOTICE': 'Parts by Grace.',
      },
    )
    const output = await run(root, { notices: 'NOTICES.txt' })
    const text = readFileSync(join(root, 'NOTICES.txt'), 'utf8')
    expect(text).toContain('Copyright (c) 2020 Ada')
    expect(text).toContain('Parts by Grace.')
    expect(text).toContain('- b 1.0.0 (npm): ISC')
    expect(text).toContain('Permission to use, copy, modify, and/or distribute')
    expect(text).toMatch(/not known:\n- c 1\.0\.0/)
    expect(output.notices_file).toMatchObject({ without_text: expect.any(Number), unknown: 1 })
  })

  it('asks the registry of the lock file where it is told to, and no other', async () => {
    const requests: string[] = []
    const server = createServer((request, response) => {
      requests.push(request.url!)
      if (request.url === '/npm/a/1.0.0') response.end('{"license":"MIT"}')
      else response.writeHead(404).end()
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    closing.push(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm`
    const root = npm({ a: { resolved: `${url}/a/-/a-1.0.0.tgz` }, b: { resolved: `${url}/b/-/b-1.0.0.tgz` }, c: {} })
    expect(byName(await run(root)).a!.kind).toBe('unknown')
    expect(requests).toEqual([])
    const { a, b, c } = byName(await run(root, { registry: true }))
    expect(a).toMatchObject({ license: 'MIT', source: 'registry', source_file: `${url}/a/1.0.0` })
    expect(b!.reason).toContain('the registry failed')
    expect(c!.kind).toBe('unknown')
    expect(requests.sort()).toEqual(['/npm/a/1.0.0', '/npm/b/1.0.0'])
    const scoped = npm({ '@x/a': {} }, { '.npmrc': `@x:registry=${url}/\n` })
    await run(scoped, { registry: true })
    expect(requests.at(-1)).toBe('/npm/@x%2fa/1.0.0')
  })

  it("reads the tags of the repository's own files, REUSE.toml and .license files", async () => {
    const root = project({
      'src/a.ts': '// SPDX-License-Identifier: MIT\n',
      'src/b.ts': '// SPDX-License-Identifier: NotALicense\n',
      'src/c.ts': 'export {}\n',
      'logo.svg': '<svg/>',
      'logo.svg.license': 'SPDX-License-Identifier: CC0-1.0\n',
      'data/x.csv': '1\n',
      'REUSE.toml': 'version = 1\n[[annotations]]\npath = "data/**"\nSPDX-License-Identifier = "CC-BY-4.0"\n',
      'LICENSES/MIT.txt': 'x',
      'LICENSES/ISC.txt': 'x',
      LICENSE: loadLicenseTexts().get('MIT')!.text,
    })
    const { files } = await run(root, { files: true })
    expect(files).toMatchObject({
      by_license: { 'CC-BY-4.0': 1, 'CC0-1.0': 1, MIT: 1 },
      tagged: 1,
      annotated: 2,
      invalid: [{ file: 'src/b.ts', line: 1, tag: 'NotALicense' }],
      missing_texts: ['CC-BY-4.0', 'CC0-1.0'],
      unused_texts: ['ISC'],
      license_files: [{ file: 'LICENSE', license: 'MIT' }],
      reuse: false,
    })
    expect(files!.untagged.examples).toEqual(expect.arrayContaining(['src/b.ts', 'src/c.ts']))
  })
})

describe('GET /api/licenses', () => {
  it('returns the stored report, and a new one where it is asked for', async () => {
    const root = npm({ a: { license: 'MIT' } })
    const ask = (refresh: boolean) => Promise.resolve(licenseReport.run({ refresh }, at(root)))
    expect(await ask(false)).toMatchObject({ total_dependencies: 1 })
    writeFileSync(join(root, 'package-lock.json'), lock({ a: { license: 'MIT' }, b: { license: 'ISC' } }))
    expect(await ask(false)).toMatchObject({ total_dependencies: 1 })
    expect(await ask(true)).toMatchObject({ total_dependencies: 2 })
    mkdirSync(join(root, 'out'), { recursive: true })
    writeFileSync(join(root, 'out/licenses.json'), '{}')
    expect(await refusal(() => ask(false))).toMatchObject({ code: 'STORE_UNREADABLE' })
  })
})
