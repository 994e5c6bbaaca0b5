import { describe, expect, test } from 'vitest'
import { compileOwners } from '../../engine/gate/change/agreement.ts'

/** Patterns of CODEOWNERS, a path, and whether GitHub calls the owner that of the path. */
const PATTERNS: [string, string, boolean][] = [
  ['*', 'a/b/c.js', true],
  ['*.js', 'a/b.js', true],
  ['/docs/', 'docs/a/b.md', true],
  ['docs/', 'x/docs/a.md', true],
  ['docs/*', 'docs/getting-started.md', true],
  ['docs/*', 'docs/build-app/troubleshooting.md', false],
  ['/.svc/*', '.svc/config.yaml', true],
  ['/.svc/*', '.svc/rules/local-bad.yaml', false],
  ['/.svc/**', '.svc/rules/local-bad.yaml', true],
  ['/.svc/*/', '.svc/rules/local-bad.yaml', true],
  ['/.svc', '.svc/rules/local-bad.yaml', true],
  ['/src/*.d', 'src/a.d/b.txt', true],
  ['/*', 'a/b.txt', false],
  ['/*', 'a.txt', true],
  ['**/logs', 'a/logs/b.txt', true],
  ['/my\\ docs/', 'my docs/a.md', true],
  ['/my\\ docs/', 'my/a.md', false],
  ['/my\\ docs/*', 'my docs/a/b.md', false],
  ['/a\\#b', 'a#b', true],
]

describe('the owner of a path in CODEOWNERS', () => {
  test.each(PATTERNS)('by %s is that of %s: %s', (pattern, path, isOwned) => {
    expect(compileOwners(`${pattern} @kim\n`)(path)).toEqual(isOwned ? ['@kim'] : [])
  })

  test('with a space in the pattern is no part of the pattern', () => {
    expect(compileOwners('/my\\ docs/ @kim @lee # ours\n')('my docs/a.md')).toEqual(['@kim', '@lee'])
    expect(compileOwners('* @kim\n/my\\ docs/\n')('my docs/a.md')).toEqual([])
  })
})
