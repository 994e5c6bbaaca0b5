import { describe, expect, test } from 'vitest'
import { findGlobFault } from '../../../engine/base/text/glob-fault.ts'

describe('a glob that can match a file', () => {
  test.each(['**', 'src/**/*.ts', '{a,b}*', '[a-z]?.c', '[!a]x', '[]a]', 'a\\*b', 'docs/ADR-*.md', '@types/*'])(
    '%s has no fault',
    glob => {
      expect(findGlobFault(glob)).toBeUndefined()
    },
  )
})

describe('a glob that can never match a file', () => {
  test.each([
    ['', /empty/],
    ['/src/**', /relative to the root.*src\/\*\*/],
    ['./src', /`\.` or `\.\.`/],
    ['a/../b', /`\.` or `\.\.`/],
    ['src//a', /two slashes/],
    ['src/', /write src\/\*\*/],
    ['!src', /begin with `!`/],
    ['C:/src', /drive/],
    ['src\\main\\a.ts', /write src\/main\/a.ts/],
    ['[a-z', /`\[` that is never closed/],
    ['{a,b', /`\{` that is never closed/],
    ['a}', /`\}` without/],
    [`${'{a,b}'.repeat(8)}`, /128 alternatives/],
  ])('%s is refused with what to write', (glob, message) => {
    expect(findGlobFault(glob)).toMatch(message)
  })
})
