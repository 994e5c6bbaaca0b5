import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Listing } from '../../engine/base/records/source-file.ts'
import { type AbsentFiles, needsCheckout } from '../../engine/scan/absent-files.ts'
import { ground } from '../made/folder.ts'
import { git } from '../made/git.ts'

const root = ground()
git(root, 'init', '-q')
const listing: Listing = {
  ...{ root, kind: 'git', skipped: [] },
  files: ['a.js', 'lib/b.js', 'lib/deep/c.js'].map(path => ({ path, size: 1, language: 'javascript', in_test: false })),
}

/** Whether a checkout is needed where the repository has a link that leads there. */
function asks(path: string, target: string): Promise<boolean> {
  const oid = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: root,
    input: target,
    encoding: 'utf8',
  }).trim()
  return needsCheckout({ config: {}, request: { listing }, absentLinks: [{ path, oid }] } as unknown as AbsentFiles, [])
}

test('a link that plainly leads to a listed file, or to a directory with some, needs no checkout', async () => {
  for (const target of ['../a.js', './b.js', 'deep', 'deep/c.js', '../lib/deep'])
    expect(await asks('lib/link', target), target).toBe(false)
})

test('of any other link, the disk has to say where it leads', async () => {
  // Out, to itself, to what is not listed, up again, through what may be a link, and what no system has.
  for (const target of [
    '/etc/hosts',
    '../../a.js',
    'link',
    'gone.js',
    'deep/../b.js',
    'other/b.js',
    'deep/',
    '..',
    '',
    'x'.repeat(5000),
  ])
    expect(await asks('lib/link', target), target).toBe(true)
})
