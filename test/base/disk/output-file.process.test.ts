import { execFileSync } from 'node:child_process'
import {
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
