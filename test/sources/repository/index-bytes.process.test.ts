import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isMissingFromIndex } from '../../../engine/sources/repository/index-bytes.ts'
import { ground, write } from '../../made/folder.ts'
import { git, repository } from '../../made/git.ts'

const base = ground()
let count = 0
const made = (files: Record<string, string>) => repository(join(base, `case-${++count}`), files)
const lacks = (root: string, index?: string) => isMissingFromIndex(root, index, ['.svc', '.gitattributes'])

test('an index without the names is known to lack them, from any directory of the work tree', () => {
  const root = made({ 'src/one.ts': '' })
  expect([lacks(root), lacks(join(root, 'src'))]).toEqual([true, true])
})
test('a name at any depth is found, staged or only announced', () => {
  expect(lacks(made({ 'a/b/.svc/config.yaml': '' }))).toBe(false)
  const root = made({ 'one.ts': '' })
  write(root, { 'lib/.gitattributes': '' })
  expect(lacks(root)).toBe(true)
  git(root, 'add', '--intent-to-add', 'lib/.gitattributes')
  expect(lacks(root)).toBe(false)
})
test('another index is read where one is named', () => {
  const root = made({ 'one.ts': '', '.svc/config.yaml': '' })
  const other = join(made({ 'one.ts': '' }), '.git/index')
  expect([lacks(root), lacks(root, other)]).toEqual([false, true])
})
describe('git is asked', () => {
  test('of an index that writes paths as differences', () => {
    const root = made({ 'one.ts': '' })
    git(root, 'update-index', '--index-version', '4')
    expect(lacks(root)).toBe(false)
  })
  test('of a split index, whose paths are in another file', () => {
    const root = made({ 'one.ts': '', '.gitattributes': '' })
    git(root, 'update-index', '--split-index')
    expect(lacks(root)).toBe(false)
  })
  test('of a sparse index, whose paths are in trees', () => {
    const root = made({ 'in/one.ts': '', 'out/.svc/config.yaml': '' })
    git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'in')
    expect(lacks(root)).toBe(false)
  })
  test('where there is no index, or a link, or what is none', () => {
    const root = made({ 'one.ts': '' })
    const index = join(root, '.git/index')
    renameSync(index, join(base, 'moved'))
    expect(lacks(root)).toBe(false)
    writeFileSync(index, 'nothing that git wrote')
    expect(lacks(root)).toBe(false)
    symlinkSync(join(base, 'moved'), join(base, 'link'))
    expect([lacks(root, join(base, 'link')), lacks(root, join(base, 'moved'))]).toEqual([false, true])
  })
})
