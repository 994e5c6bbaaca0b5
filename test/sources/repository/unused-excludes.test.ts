import { describe, expect, test } from 'vitest'
import { describeUnusedExclude, listUnusedExcludes } from '../../../engine/sources/repository/unused-excludes.ts'

/** What is unused of a pattern in a repository with these files; `vendor/` was left out by an entry that is used. */
function unused(pattern: string, ...paths: string[]) {
  const skipped = [{ path: 'vendor/', reason: 'excluded' as const }]
  const files = paths.map(path => ({ path })) as never
  return listUnusedExcludes(['vendor', pattern], { files, skipped })
}

describe('an entry of scan_exclude that matches nothing', () => {
  test('is named, one that matches is not', () => {
    expect(unused('old', 'src/a.js')).toEqual([{ pattern: 'old' }])
    expect(listUnusedExcludes(['vendor'], { files: [], skipped: [{ path: 'vendor/', reason: 'excluded' }] })).toEqual(
      [],
    )
  })

  test.each([
    ['src\\generated', 'src/generated/a.js', 'src/generated'],
    ['*.min.js', 'web/a.min.js', '**/*.min.js'],
    ['generated', 'src/generated/a.js', '**/generated'],
    ['.\\gen\\**', 'gen/a.js', './gen/**'],
  ])('%s names the entry that was meant', (pattern, path, meant) => {
    expect(unused(pattern, path)).toEqual([{ pattern, meant }])
  })

  test('with a backslash says what a backslash does', () => {
    expect(describeUnusedExclude({ pattern: 'src\\gen', meant: 'src/gen' })).toBe(
      'scan_exclude: "src\\\\gen" matches no file. A backslash takes the meaning from the next character. Did you mean "src/gen"?',
    )
  })
})
