import { describe, expect, it } from 'vitest'
import { inventoryOf } from './read.ts'

const json = (value: unknown) => JSON.stringify(value)

/** Ids of the components without the type, and of what each project depends on. */
async function describeProjects(files: Record<string, string>) {
  const { components, projects } = await inventoryOf(files)
  return {
    components: components.map(({ name, version, requirement }) => `${name}@${version ?? `?${requirement}`}`),
    needs: Object.fromEntries(projects.map(({ id, dependencies }) => [id, dependencies])),
  }
}

const LOCK = json({
  lockfileVersion: 3,
  packages: { '': { dependencies: { a: '^1.0.0' } }, 'node_modules/a': { version: '1.0.1' } },
})

describe('a project below a lock file', () => {
  it.each([
    ['package-lock.json', LOCK],
    ['package-lock.json', json({ lockfileVersion: 1, dependencies: { a: { version: '1.0.1' } } })],
    ['yarn.lock', 'a@^1.0.0:\n  version "1.0.1"\n'],
    [
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.0.1\npackages:\n  a@1.0.1: {}\nsnapshots:\n  a@1.0.1: {}\n",
    ],
  ])('that is no member of its workspace is not locked by it (%s)', async (lock, text) => {
    const { components, needs } = await describeProjects({
      'package.json': json({ dependencies: { a: '^1.0.0' } }),
      [lock]: text,
      'examples/b/package.json': json({ dependencies: { a: '^1.0.0' } }),
    })
    expect(components.sort()).toEqual(['a@1.0.1', 'a@?^1.0.0'])
    expect(needs['npm:examples/b']).toEqual(['pkg:npm/a#^1.0.0'])
  })

  it.each([
    ['package-lock.json', json({ lockfileVersion: 1, dependencies: { a: { version: '1.0.1' } } })],
    ['yarn.lock', 'a@^1.0.0:\n  version "1.0.1"\n'],
  ])('that is one of its workspace by the manifest beside it is (%s)', async (lock, text) => {
    const { components, needs } = await describeProjects({
      'package.json': json({ workspaces: { packages: ['./packages/*', '!packages/c'] } }),
      [lock]: text,
      'packages/b/package.json': json({ dependencies: { a: '^1.0.0' } }),
      'packages/c/package.json': json({ dependencies: { a: '^1.0.0' } }),
    })
    expect(components.sort()).toEqual(['a@1.0.1', 'a@?^1.0.0'])
    expect(needs['npm:packages/b']).toEqual(['pkg:npm/a@1.0.1'])
    expect(needs['npm:packages/c']).toEqual(['pkg:npm/a#^1.0.0'])
  })

  it('of Cargo is locked where the lock file names its package', async () => {
    const { components } = await describeProjects({
      'Cargo.toml': '[workspace]\nmembers = ["m"]\n',
      'Cargo.lock':
        '[[package]]\nname = "m"\nversion = "0.1.0"\ndependencies = ["a"]\n[[package]]\nname = "a"\nversion = "1.0.1"\nsource = "registry+x"\n',
      'm/Cargo.toml': '[package]\nname = "m"\nversion = "0.1.0"\n[dependencies]\na = "1"\n',
      'n/Cargo.toml': '[package]\nname = "n"\nversion = "0.1.0"\n[dependencies]\na = "1"\n',
    })
    expect(components).toEqual(['a@?1', 'a@1.0.1'])
  })

  it('whose manifest is a program is a gap, unless it is laid out as a part of what is locked', async () => {
    const { manifests } = await inventoryOf({
      'mix.lock': '%{\n}\n',
      'mix.exs': 'x',
      'apps/a/mix.exs': 'x',
      'examples/b/mix.exs': 'x',
      'Podfile.lock': 'PODS: []\n',
      'ios/Podfile': 'x',
    })
    expect(manifests.filter(({ state }) => state === 'unsupported').map(({ file }) => file)).toEqual([
      'examples/b/mix.exs',
      'ios/Podfile',
    ])
  })
})

describe('a member of a workspace that another member depends on', () => {
  const manifests = {
    'package.json': json({ name: 'root', private: true, workspaces: ['packages/*'] }),
    'packages/a/package.json': json({ name: 'a', version: '1.0.0', dependencies: { '@o/b': 'workspace:^' } }),
    'packages/b/package.json': json({ name: '@o/b', version: '1.0.0' }),
  }

  it.each([
    [
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'\nimporters:\n  .: {}\n  packages/a:\n    dependencies:\n      '@o/b':\n        specifier: workspace:^\n        version: link:../b\n  packages/b: {}\n",
    ],
    ['yarn.lock', '# yarn lockfile v1\n'],
    ['no lock file', ''],
  ])('is that project and no package (%s)', async (lock, text) => {
    const { components, needs } = await describeProjects({ ...manifests, ...(text !== '' && { [lock]: text }) })
    expect(components).toEqual([])
    expect(needs['npm:packages/a']).toEqual(['npm:packages/b'])
  })

  it('is found by its range in a classic lock file of yarn, which does not name it', async () => {
    const { components, needs } = await describeProjects({
      ...manifests,
      'packages/a/package.json': json({ name: 'a', version: '1.0.0', dependencies: { '@o/b': '^1.0.0', c: '1' } }),
      'yarn.lock': '"@o/b@^0.1.0":\n  version "0.1.2"\nc@1:\n  version "1.0.0"\n  dependencies:\n    "@o/b" "^0.1.0"\n',
    })
    expect(components).toEqual(['@o/b@0.1.2', 'c@1.0.0'])
    expect(needs['npm:packages/a']).toEqual(['npm:packages/b', 'pkg:npm/c@1.0.0'])
  })

  it('is no package where the repository has not got it either', async () => {
    const { components } = await describeProjects({ 'package.json': json({ dependencies: { b: 'workspace:*' } }) })
    expect(components).toEqual([])
  })
})
