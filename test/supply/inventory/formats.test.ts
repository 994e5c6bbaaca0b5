import { describe, expect, it } from 'vitest'
import fc from '../../made/property.ts'
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

  it('take any mutation of a file without a crash', async () => {
    const { compileFormats } = await import('../../../engine/supply/inventory/select.ts')
    const { buildInventory } = await import('../../../engine/supply/inventory/build.ts')
    const formatOf = compileFormats()
    const paths = Object.keys(SAMPLES)
    const parsers = new Map(await Promise.all(paths.map(async path => [path, await formatOf(path)!.load!()] as const)))
    const mutation = fc.record({
      path: fc.constantFrom(...paths),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(12),
      by: fc.constantFrom(
        '',
        '{',
        ']',
        '"',
        ':',
        '\n',
        '  ',
        '[]',
        'null',
        '1',
        '{}',
        '@',
        '__proto__',
        '\\',
        '&a',
        '*a',
        '=',
        '<',
        '\u0000',
      ),
    })
    fc.assert(
      fc.property(mutation, ({ path, at, length, by }) => {
        const { text } = SAMPLES[path]!
        const cut = Math.floor(at * text.length)
        const changed = text.slice(0, cut) + by + text.slice(cut + length)
        const parser = parsers.get(path)!
        let parsed: ReturnType<typeof parser.parse>
        try {
          parsed = parser.parse(changed, path)
        } catch (error) {
          // Refused, and nothing of ours broke: the reader tells these from faults of the program by their type.
          expect((error as Error).name).toBe('ManifestFault')
          return
        }
        parser.combine?.(new Map([[path, parsed]]))
        const { ecosystem, family, kind, id } = formatOf(path)!
        buildInventory([{ file: path, format: id, ecosystem, family, kind, workspaces: false, parsed }], [])
      }),
      { numRuns: 3000 },
    )
  })
})
