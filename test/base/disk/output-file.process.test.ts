import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writePieces } from '../../../engine/assure/report.ts'
import { resolveOutputFile, writeOutput } from '../../../engine/base/disk/output-file.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-output-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a file to write', () => {
  test('is made with the folders on the way, and nothing is left beside it', () => {
    writeOutput(resolveOutputFile(folder, 'a/b/report.html'), 'new')
    expect(readFileSync(join(folder, 'a/b/report.html'), 'utf8')).toBe('new')
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['report.html'])
  })

  test('behind a symbolic link is replaced, and the link stays', () => {
    writeFileSync(join(folder, 'real'), 'old')
    symlinkSync('real', join(folder, 'link'))
    writeOutput(resolveOutputFile(folder, 'link'), 'new')
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('new')
  })

  test('keeps the mode of the file that it replaces', () => {
    const path = join(folder, 'tool')
    writeFileSync(path, 'old')
    for (const mode of [0o755, 0o600]) {
      chmodSync(path, mode)
      writeOutput(path, 'new')
      expect(lstatSync(path).mode & 0o7777).toBe(mode)
      writePieces(path, ['newer'])
      expect(lstatSync(path).mode & 0o7777).toBe(mode)
    }
  })

  test('is refused where a link of the repository leads out of it, whether to a file or to a directory', () => {
    const root = join(folder, 'repo')
    mkdirSync(join(root, '.git'), { recursive: true })
    mkdirSync(join(root, 'sub'))
    writeFileSync(join(folder, 'real'), 'old')
    symlinkSync('../real', join(root, 'link'))
    symlinkSync('..', join(root, 'folder'))
    for (const named of ['link', 'folder/real', 'folder/new/file', join(root, 'link')])
      expect(() => resolveOutputFile(root, named), named).toThrow('leads out of the repository')
    expect(() => resolveOutputFile(join(root, 'sub'), '../link')).toThrow('leads out of the repository')
    expect(resolveOutputFile(root, '../real')).toBe(join(folder, 'real'))
  })

  test('that cannot be written ends with DISK and its name', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => writeOutput(join(folder, 'file/report.html'), 'new')).toThrow(
      expect.objectContaining({ code: 'DISK', message: expect.stringContaining('file/report.html cannot be written') }),
    )
  })

  test('is refused where a directory exists in its place', () => {
    mkdirSync(join(folder, 'a'))
    expect(() => resolveOutputFile(folder, 'a')).toThrow('a is a directory.')
    expect(() => resolveOutputFile(folder, 'b/')).toThrow('b/ is a directory.')
  })

  test('is refused where a device or a pipe stands in its place, which it would take', () => {
    expect(() => resolveOutputFile(folder, '/dev/null')).toThrow('/dev/null is no regular file.')
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(() => resolveOutputFile(folder, 'pipe')).toThrow('pipe is no regular file.')
  })
})
