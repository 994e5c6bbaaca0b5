import { describe, expect, it } from 'vitest'
import { makePathFinder } from '../../engine/supply/advisories/paths.ts'
import type { Inventory } from '../../engine/supply/inventory/component.ts'

const inventory = (components: Record<string, string[]>, projects: Record<string, string[]>) =>
  ({
    components: Object.entries(components).map(([id, dependencies]) => ({ id, name: id, version: '1', dependencies })),
    projects: Object.entries(projects).map(([id, dependencies]) => ({ id, name: id, file: id, dependencies })),
  }) as unknown as Inventory

describe('why a package is here', () => {
  it('is a shortest way from each project, the shortest first, in spite of circles', () => {
    const finder = makePathFinder(
      inventory({ a: ['b'], b: ['a', 'c'], c: ['d'], d: [] }, { app: ['a'], lib: ['c'], other: [] }),
    )
    expect(finder.findPaths('d')).toEqual([
      ['lib', 'c@1', 'd@1'],
      ['app', 'a@1', 'b@1', 'c@1', 'd@1'],
    ])
    expect(finder.isOnlyThrough('c', new Set(['a']))).toBe(false)
    expect(finder.isOnlyThrough('c', new Set(['a', 'lib']))).toBe(true)
    expect(finder.isOnlyThrough('c', new Set())).toBe(false)
    expect(makePathFinder(inventory({ x: [] }, {})).findPaths('x')).toEqual([])
  })

  it('of a package at the end of a long chain is shown from an ellipsis on', () => {
    const chain = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, i < 99 ? [`p${i + 1}`] : []]))
    const [path] = makePathFinder(inventory(chain, { app: ['p0'] })).findPaths('p99')
    expect([path![0], path!.at(-1), path!.length]).toEqual(['…', 'p99@1', 31])
  })
})
