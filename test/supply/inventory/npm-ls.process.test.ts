import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { readInventory } from '../../../engine/supply/inventory/read.ts'

describe('npm ls', () => {
  it('has the components and edges that npm itself lists for this repository', async () => {
    const root = process.cwd()
    const listed = JSON.parse(
      execFileSync('npm', ['ls', '--all', '--json', '--package-lock-only'], {
        cwd: root,
        maxBuffer: 1 << 28,
        encoding: 'utf8',
      }),
    ) as Listed
    const { components, projects } = await readInventory(await discover(root, { exclude: ['test'] }))
    const own = components.filter(({ ecosystem, version }) => ecosystem === 'npm' && version !== undefined)
    const names = new Map(own.map(({ id, name, version }) => [id, `${name}@${version}`]))
    const edges = new Set(
      [...own, ...projects.filter(({ id }) => id === 'npm:.')].flatMap(({ id, dependencies }) =>
        dependencies.flatMap(to => (names.has(to) ? `${names.get(id) ?? '.'} → ${names.get(to)}` : [])),
      ),
    )
    const theirs = { names: new Set<string>(), edges: new Set<string>() }
    walk('.', listed, theirs)
    expect([...theirs.names].filter(name => ![...names.values()].includes(name))).toEqual([])
    expect([...theirs.edges].filter(edge => !edges.has(edge))).toEqual([])
    expect([...edges].filter(edge => !theirs.edges.has(edge))).toEqual([])
    expect(new Set(names.values()).size).toBe(theirs.names.size)
  })
})

interface Listed {
  version?: string
  name?: string
  dependencies?: Record<string, Listed>
}

function walk(from: string, { dependencies = {} }: Listed, into: { names: Set<string>; edges: Set<string> }): void {
  for (const [name, each] of Object.entries(dependencies)) {
    if (each.version === undefined) continue
    const id = `${name}@${each.version}`
    into.names.add(id)
    into.edges.add(`${from} → ${id}`)
    walk(id, each, into)
  }
}
