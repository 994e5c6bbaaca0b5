import { describe, expect, it } from 'vitest'
import { componentsOf, inventoryOf } from './read.ts'

const LOCK = {
  name: 'shop',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': {
      name: 'shop',
      version: '1.0.0',
      workspaces: ['packages/*'],
      dependencies: { left: '^1.0.0' },
      devDependencies: { tool: '^2.0.0' },
    },
    'node_modules/left': {
      version: '1.2.0',
      resolved: 'https://registry.example.org/left.tgz',
      integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}`,
      license: 'MIT',
      dependencies: { shared: '^1.0.0' },
      optionalDependencies: { fast: '^1.0.0' },
    },
    'node_modules/shared': { version: '1.0.0' },
    'node_modules/fast': { version: '1.0.0', optional: true },
    'node_modules/tool': { version: '2.0.0', dev: true, dependencies: { shared: '^2.0.0', deep: '^1.0.0' } },
    'node_modules/tool/node_modules/shared': { version: '2.0.0', dev: true },
    'node_modules/deep': { version: '1.0.0', dev: true, peerDependencies: { left: '*' } },
    'packages/api': { name: '@shop/api', version: '0.1.0', dependencies: { shared: '^1.0.0' } },
    'node_modules/@shop/api': { resolved: 'packages/api', link: true },
  },
}

const FILES = {
  'package.json': JSON.stringify(
    { name: 'shop', version: '1.0.0', dependencies: { left: '^1.0.0' }, devDependencies: { tool: '^2.0.0' } },
    null,
    2,
  ),
  'packages/api/package.json': JSON.stringify(
    { name: '@shop/api', version: '0.1.0', dependencies: { shared: '^1.0.0' } },
    null,
    2,
  ),
  'package-lock.json': JSON.stringify(LOCK, null, 2),
}

describe('npm', () => {
  it('resolves each dependency as Node does: the nearest node_modules above it', async () => {
    const found = await componentsOf(FILES)
    expect(found.get('pkg:npm/tool@2.0.0')?.dependencies).toEqual(['pkg:npm/deep@1.0.0', 'pkg:npm/shared@2.0.0'])
    expect(found.get('pkg:npm/left@1.2.0')?.dependencies).toEqual(['pkg:npm/fast@1.0.0', 'pkg:npm/shared@1.0.0'])
  })

  it('takes a package for development only where every path to it is', async () => {
    const found = await componentsOf(FILES)
    const scopes = [...found.values()].map(({ name, version, scope }) => `${name}@${version} ${scope}`)
    expect(scopes).toEqual([
      'deep@1.0.0 development',
      'fast@1.0.0 optional',
      'left@1.2.0 production',
      'shared@1.0.0 production',
      'shared@2.0.0 development',
      'tool@2.0.0 development',
    ])
  })

  it('keeps peers and optional dependencies apart from the needed ones', async () => {
    const found = await componentsOf(FILES)
    expect(found.get('pkg:npm/deep@1.0.0')?.peers).toEqual(['pkg:npm/left@1.2.0'])
    expect(found.get('pkg:npm/left@1.2.0')?.optional).toEqual(['pkg:npm/fast@1.0.0'])
  })

  it('lists members of a workspace as projects, with what they declare and where', async () => {
    const { projects, components } = await inventoryOf(FILES)
    expect(projects.map(({ name, file, dependencies }) => ({ name, file, dependencies }))).toEqual([
      { name: 'shop', file: 'package.json', dependencies: ['pkg:npm/left@1.2.0', 'pkg:npm/tool@2.0.0'] },
      { name: '@shop/api', file: 'packages/api/package.json', dependencies: ['pkg:npm/shared@1.0.0'] },
    ])
    const shared = components.find(({ id }) => id === 'pkg:npm/shared@1.0.0')
    expect(shared?.locations).toEqual([
      { file: 'package-lock.json', line: 31 },
      { file: 'packages/api/package.json', line: 5 },
    ])
  })

  it('reads hash, origin and license from the lock file, and removes credentials from the origin', async () => {
    const lock = structuredClone(LOCK)
    lock.packages['node_modules/left'].resolved = ['https://user:', 'word@registry.example.org/left.tgz'].join('')
    const found = await componentsOf({ ...FILES, 'package-lock.json': JSON.stringify(lock) })
    expect(found.get('pkg:npm/left@1.2.0')).toMatchObject({
      ...{ license: 'MIT', resolved: 'https://registry.example.org/left.tgz' },
      hashes: [{ algorithm: 'SHA-512', value: '01'.repeat(64) }],
    })
  })

  it('reads the tree of version 1, with packages that only one dependent sees', async () => {
    const lock = {
      lockfileVersion: 1,
      dependencies: {
        tool: {
          version: '2.0.0',
          requires: { shared: '^2.0.0', deep: '^1.0.0' },
          dependencies: { shared: { version: '2.0.0' } },
        },
        shared: { version: '1.0.0' },
        deep: { version: '1.0.0', requires: { shared: '^1.0.0' } },
        left: { version: '1.2.0' },
      },
    }
    const found = await componentsOf({
      'package.json': FILES['package.json'],
      'package-lock.json': JSON.stringify(lock),
    })
    expect(found.get('pkg:npm/tool@2.0.0')?.dependencies).toEqual(['pkg:npm/deep@1.0.0', 'pkg:npm/shared@2.0.0'])
    expect(found.get('pkg:npm/deep@1.0.0')?.dependencies).toEqual(['pkg:npm/shared@1.0.0'])
    expect(found.get('pkg:npm/shared@1.0.0')?.scope).toBe('development')
  })

  it('gives a dependency without a lock file no version unless the manifest allows one only', async () => {
    const root = { 'package.json': '{ "dependencies": { "a": "^1.0.0", "b": "2.0.0" } }' }
    const found = [...(await componentsOf(root)).values()].map(({ id, version, requirement }) => ({
      id,
      version,
      requirement,
    }))
    expect(found).toEqual([
      { id: 'pkg:npm/a#^1.0.0', version: undefined, requirement: '^1.0.0' },
      { id: 'pkg:npm/b@2.0.0', version: '2.0.0', requirement: undefined },
    ])
  })

  it('reports a lock file whose license is a list, and loses nothing of it', async () => {
    const lock = {
      lockfileVersion: 3,
      packages: { 'node_modules/a': { version: '1.0.0', license: ['MIT', 'Apache-2.0'] } },
    }
    const { components, manifests } = await inventoryOf({ 'package-lock.json': JSON.stringify(lock) })
    expect(components.map(({ id, license }) => [id, license])).toEqual([['pkg:npm/a@1.0.0', '(MIT OR Apache-2.0)']])
    expect(manifests[0]?.state).toBe('read')
  })

  it('reports a lock file that is cut off as failed, with the line', async () => {
    const text = JSON.stringify(LOCK, null, 2)
    const { manifests } = await inventoryOf({ 'package-lock.json': text.slice(0, text.indexOf('node_modules/fast')) })
    expect(manifests).toMatchObject([
      { file: 'package-lock.json', state: 'failed', detail: expect.stringContaining('invalid JSON') },
    ])
  })
})
