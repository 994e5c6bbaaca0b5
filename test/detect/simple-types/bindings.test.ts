import { parse } from '@ast-grep/napi'
import { describe, expect, it } from 'vitest'
import type { Looking } from '../../../engine/detect/simple-types/binders.ts'
import { findBindings } from '../../../engine/detect/simple-types/bindings.ts'

const TEXT =
  'const before = "é😀"\nlet id = 1\nfunction load(name) {\n  const id = name, before = name\n}\nid = before\n'

function ask(left: number, looking: Looking = { limit: { left }, declared: { scopes: new Map() } }) {
  looking.limit.left = left
  const root = parse('JavaScript', TEXT).root()
  const find = (name: string) => findBindings(root, name, looking).map(({ node }) => node.text())
  return { find, looking }
}

describe('what binds a name', () => {
  it('is found behind characters of more than one unit, in the order in which it is written', () => {
    const { find } = ask(1000)
    expect(find('id')).toEqual(['id = 1', 'id = name', 'id = before'])
    expect(find('before')).toEqual(['before = "é😀"', 'before = name'])
    expect(find('load')).toEqual([])
  })

  it('costs each name the steps of the whole part, and ends where none are left', () => {
    const { find, looking } = ask(1000)
    find('id')
    const steps = 1000 - looking.limit.left
    find('name')
    expect(looking.limit.left).toBe(1000 - 2 * steps)
    looking.limit.left = 5
    expect(find('id')).toEqual([])
    expect(looking.limit.left).toBeLessThan(0)
    expect(find('before')).toEqual([])
  })

  it('is listed again where more steps are left than the first time', () => {
    const { find, looking } = ask(3)
    expect(find('id')).toEqual([])
    looking.limit.left = 1000
    expect(find('id')).toHaveLength(3)
  })
})
