import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSource } from '../../../engine/base/disk/read.ts'
import type { SourceFile } from '../../../engine/base/records/source-file.ts'
import { ground, write } from '../../made/folder.ts'

const root = ground()
const file = (path: string, more: Partial<SourceFile> = {}): SourceFile => ({
  path,
  size: 0,
  language: null,
  in_test: false,
  ...more,
})

test('a file’s bytes come whole, in a buffer of just their size', () => {
  write(root, { 'a/b.c': 'int a;\n', 'empty.c': '' })
  const bytes = readSource(root, file('a/b.c'), 7) as Uint8Array
  expect(Buffer.from(bytes).toString()).toBe('int a;\n')
  expect(bytes.buffer.byteLength).toBe(7)
  expect(readSource(root, file('empty.c'), 7)).toEqual(new Uint8Array(0))
})

test('a file is read as it is now, whatever size was listed', () => {
  write(root, { 'grown.c': 'int grown;\n' })
  expect((readSource(root, file('grown.c', { size: 2 }), 100) as Uint8Array).length).toBe(11)
  expect((readSource(root, file('grown.c', { size: 999 }), 100) as Uint8Array).length).toBe(11)
})

test('a file above the limit is not read, and both figures are given', () => {
  write(root, { 'big.c': 'x'.repeat(101) })
  expect(readSource(root, file('big.c'), 100)).toEqual({
    path: 'big.c',
    reason: 'too_large',
    detail: '101 bytes, the limit is 100',
  })
})

test('a file that is gone has vanished, also with its folder or with one in its place', () => {
  write(root, { plain: '' })
  mkdirSync(join(root, 'folder.c'))
  expect(readSource(root, file('gone.c'), 100)).toEqual({ path: 'gone.c', reason: 'vanished' })
  expect(readSource(root, file('plain/under.c'), 100)).toEqual({ path: 'plain/under.c', reason: 'vanished' })
  expect(readSource(root, file('folder.c'), 100)).toMatchObject({ reason: 'vanished' })
})

test('a link that came in the file’s place is not followed', () => {
  symlinkSync('/etc/passwd', join(root, 'link.c'))
  expect(readSource(root, file('link.c'), 1e6)).toMatchObject({ path: 'link.c', reason: 'symlink' })
})

test('a pipe that came in the file’s place is not waited for', () => {
  execFileSync('mkfifo', [join(root, 'pipe.c')])
  expect(readSource(root, file('pipe.c'), 100)).toEqual({ path: 'pipe.c', reason: 'special', detail: 'named pipe' })
})

test('a socket that came in the file’s place is special', async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(join(root, 'socket.c'), resolve))
  expect(readSource(root, file('socket.c'), 100)).toMatchObject({ reason: 'special' })
  await new Promise(resolve => server.close(resolve))
})

test('a device is special', () => {
  expect(readSource('/dev', file('null'), 100)).toMatchObject({ reason: 'special', detail: 'device' })
})

test('a file that may not be read is unreadable, with the system’s code', () => {
  write(root, { 'locked.c': 'x' })
  chmodSync(join(root, 'locked.c'), 0)
  // The superuser may read everything; a name that no file system takes fails for everybody.
  if (process.getuid?.() !== 0) {
    expect(readSource(root, file('locked.c'), 100)).toEqual({
      path: 'locked.c',
      reason: 'unreadable',
      detail: 'EACCES',
    })
  }
  const long = 'x'.repeat(300)
  expect(readSource(root, file(long), 100)).toEqual({ path: long, reason: 'unreadable', detail: 'ENAMETOOLONG' })
})

test('a name that is not UTF-8 is opened by its bytes', () => {
  const raw = Buffer.from([0xff, 0x2e, 0x63])
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), raw]), 'int a;')
  expect((readSource(root, file('\\xff.c', { raw }), 100) as Uint8Array).length).toBe(6)
})
