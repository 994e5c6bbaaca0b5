import { describe, expect, it } from 'vitest'
import { redactCredentials } from '../../../engine/base/text/credentials.ts'
import fc from '../../made/property.ts'
import { inventoryOf } from './read.ts'

const SECRET = ['hunter', 'pass'].join('2')
const HOST = `https://ann:${SECRET}@example.org`

describe('credentials in an address', () => {
  it.each([
    [`https://ann:${SECRET}@example.org/a`, 'https://example.org/a'],
    [`git+https://${SECRET}@example.org/a.git`, 'git+https://example.org/a.git'],
    [`https://ann:p@${SECRET}@example.org/a`, 'https://example.org/a'],
    [`ssh://git:${SECRET}@example.org/a`, 'ssh://git@example.org/a'],
    ['git+ssh://git@github.com/o/r', 'git+ssh://git@github.com/o/r'],
    [`https://example.org/a?access_token=${SECRET}&b=1`, 'https://example.org/a?access_token=REDACTED&b=1'],
    [`https://example.org/a?X-Amz-Signature=${SECRET}`, 'https://example.org/a?X-Amz-Signature=REDACTED'],
    ['@scope/name', '@scope/name'],
    ['>=1.0, ==2', '>=1.0, ==2'],
  ])('are removed: %s', (text, expected) => {
    expect(redactCredentials(text)).toBe(expected)
  })

  it('are removed in time linear to the text', () => {
    const started = performance.now()
    for (const piece of ['://a', 'a', ';a', '?token', 'a:', '@', '://']) redactCredentials(`${piece.repeat(300_000)}=@`)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('are removed wherever they are in the host part', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w.:%!$&'()*+,;=-]{1,20}$/), userinfo => {
        fc.pre(!/['"<>?#]/.test(userinfo))
        expect(redactCredentials(`https://${userinfo}@example.org/x`)).toBe('https://example.org/x')
      }),
    )
  })

  it.each([
    ['package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0', resolved: `${HOST}/a.tgz` } } }],
    ['package-lock.json', { lockfileVersion: 1, dependencies: { a: { version: `${HOST}/a.tgz` } } }],
    ['package.json', { dependencies: { a: `git+${HOST}/o/a.git`, b: `${HOST}/b.tgz` } }],
    ['composer.lock', { packages: [{ name: 'v/a', version: 'dev-main', source: { url: `${HOST}/a` } }] }],
    ['deno.lock', { version: '3', remote: { [`${HOST}/mod.ts`]: 'a'.repeat(64) } }],
    ['flake.lock', { root: 'root', nodes: { root: {}, a: { locked: { type: 'git', url: `${HOST}/a`, rev: 'abc' } } } }],
    [
      'requirements.txt',
      `a @ ${HOST}/a.whl\n-e git+${HOST}/o/b.git@1#egg=b\n${HOST}/c.zip\n-r ${HOST}/d.txt\n??${HOST}\n`,
    ],
    ['Pipfile', `[packages]\na = {git = "${HOST}/a"}\n`],
    ['poetry.lock', `[[package]]\nname = "a"\nversion = "1"\n[package.source]\nurl = "${HOST}/a.whl"\ntype = "url"\n`],
    ['uv.lock', `[[package]]\nname = "a"\nversion = "1"\nsource = { registry = "${HOST}/simple" }\n`],
    ['Cargo.toml', `[dependencies]\na = { git = "${HOST}/a" }\n`],
    ['Gemfile.lock', `GIT\n  remote: ${HOST}/a\n  revision: abc\n  specs:\n    a (1.0)\n`],
    ['main.tf', `module "a" {\n  source = "git::${HOST}/a?ref=v1"\n}\n`],
    ['Cartfile.resolved', `git "${HOST}/a" "1.0"\n`],
    ['.gitmodules', `[submodule "a"]\n  url = ${HOST}/o/a\n`],
    ['Chart.yaml', `dependencies:\n- name: a\n  version: 1.0.0\n  repository: ${HOST}/charts\n`],
    ['.pre-commit-config.yaml', `repos:\n- repo: ${HOST}/o/a\n  rev: v1\n`],
    ['mix.lock', `%{\n  "a": {:git, "${HOST}/a", "abc", []},\n}\n`],
    ['Dockerfile', `FROM ann:${SECRET}@example.org/a:1\n`],
    ['conda-lock.yml', `package:\n- name: a\n  version: "1"\n  url: ${HOST}/a\n`],
    ['pubspec.yaml', `dependencies:\n  a:\n    git: ${HOST}/a\n`],
    ['Package.resolved', { version: 2, pins: [{ identity: 'a', location: `${HOST}/a`, state: { version: '1.0.0' } }] }],
  ])('of %s are nowhere in the inventory', async (file, content) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const inventory = await inventoryOf({ [file]: text })
    expect(inventory.components.length + inventory.manifests.filter(({ state }) => state === 'failed').length).not.toBe(
      0,
    )
    expect(JSON.stringify(inventory)).not.toContain(SECRET)
  })
})
