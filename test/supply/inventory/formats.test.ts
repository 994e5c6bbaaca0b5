import { describe, expect, it } from 'vitest'
import { inventoryOf } from './read.ts'
import { SAMPLES } from './samples.ts'

describe('formats', () => {
  it.each(Object.entries(SAMPLES))('%s names its packages', async (path, { text, names }) => {
    const { components, manifests } = await inventoryOf({ [path]: text })
    expect(manifests).toMatchObject([{ file: path, state: 'read' }])
    expect(components.map(({ name, version = '' }) => `${name}@${version}`).sort()).toEqual(names)
  })

  it('merge a package that several files name into one component with each place', async () => {
    const { components } = await inventoryOf({
      'a/go.mod': 'module m\nrequire example.org/a v1.0.0\n',
      'b/go.mod': 'module n\n\nrequire example.org/a v1.0.0\n',
    })
    expect(components.map(({ locations }) => locations)).toEqual([
      [
        { file: 'a/go.mod', line: 2 },
        { file: 'b/go.mod', line: 3 },
      ],
    ])
  })

  it.each([
    ['pom.xml', '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;&b;">]><project><name>&c;</name></project>', 'entities'],
    ['pnpm-lock.yaml', `a: &a [x]\nb: [${'*a, '.repeat(20_000)}]\n`, 'aliases'],
    ['package-lock.json', '['.repeat(200_000), 'JSON'],
    ['Cargo.lock', `a = ${'['.repeat(100_000)}`, 'TOML'],
  ])('refuse a bomb in %s', async (path, text, what) => {
    const { manifests } = await inventoryOf({ [path]: text })
    expect(manifests).toMatchObject([{ state: 'failed', detail: expect.stringContaining(what) }])
  })

  it('lists a manifest that is a program as not supported, unless a lock file covers it', async () => {
    const { manifests } = await inventoryOf({
      'a/build.gradle': 'x',
      'b/build.gradle': 'x',
      'b/gradle.lockfile': 'g:a:1=x\n',
    })
    expect(manifests.map(({ file, state }) => [file, state])).toEqual([
      ['a/build.gradle', 'unsupported'],
      ['b/gradle.lockfile', 'read'],
    ])
  })
})
