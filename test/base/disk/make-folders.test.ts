import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolders } from '../../../engine/base/disk/make-folders.ts'
import { writeOutput } from '../../../engine/base/disk/output-file.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-folders-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('every directory on the way is made, and the first one is answered', () => {
  expect(makeFolders(join(root, 'a/b/c'), { mode: 0o700 })).toBe(join(root, 'a'))
  expect(statSync(join(root, 'a/b/c')).mode & 0o777).toBe(0o700)
  expect(makeFolders(join(root, 'a/b/c'))).toBeUndefined()
})

test('a name that is no UTF-8 is made as it is', () => {
  const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x61, 0xff]), Buffer.from('/b')])
  makeFolders(name)
  expect(statSync(name).isDirectory()).toBe(true)
})

test('a file on the way is refused', () => {
  writeFileSync(join(root, 'f'), '')
  expect(() => makeFolders(join(root, 'f/x'))).toThrow(/EEXIST|ENOTDIR/)
})

test('a path without end in an existing tree is bounded', () => {
  mkdirSync(join(root, 'a'))
  expect(() => makeFolders(join(root, 'a', 'x'.repeat(300), 'b'))).toThrow(/ENAMETOOLONG/)
})

// Only Linux has a file system here that answers ENOENT for every new directory.
test.runIf(existsSync('/proc/self'))('a file system without new directories is refused at once', () => {
  expect(() => makeFolders('/proc/svc/a/b')).toThrow(expect.objectContaining({ code: 'EPERM' }))
  expect(() => writeOutput('/proc/svc/a/out.json', '')).toThrow(expect.objectContaining({ code: 'DISK' }))
})
