import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ignoreAll } from '../../../engine/base/disk/own-folder.ts'
import { makeLocalFolder } from '../../../engine/sources/state/local-folder.ts'
import { makeOut } from '../../../engine/sources/store/layout.ts'
import { folder } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { ROOT } from '../../root.ts'

/** Runs the program where no file may have a byte, which is how a full disk looks from inside. */
function runOnFullDisk(root: string, args: string[]) {
  return spawnSync('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, join(ROOT, 'dist/svc.js'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: folder(), GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  })
}

const untracked = (root: string) => git(root, 'ls-files', '--others', '--exclude-standard')

describe('a directory that git is to ignore', () => {
  test('gets its .gitignore whole or not at all where the disk is full', () => {
    const root = project({ 'a.js': 'add(1)\n' })
    expect(runOnFullDisk(root, ['scan', '--quiet']).status).toBe(74)
    for (const path of ['out', '.svc/local', '.svc/local/cache'])
      expect([path, existsSync(join(root, path, '.gitignore'))]).toEqual([path, false])
    expect(readdirSync(join(root, 'out'))).toEqual(['.svc'])
  })

  test('is ignored by the first command that finds room again', () => {
    const root = project({ 'a.js': 'add(1)\n' })
    runOnFullDisk(root, ['scan', '--quiet'])
    makeOut(join(root, 'out'))
    makeLocalFolder(root)
    writeFileSync(join(root, '.svc/local/attestation_key'), 'private\n')
    expect(untracked(root)).toBe('')
  })

  test('is ignored though an empty .gitignore was left there', () => {
    const root = project({ 'a.js': 'add(1)\n' })
    mkdirSync(join(root, '.svc/local'), { recursive: true })
    writeFileSync(join(root, '.svc/local/.gitignore'), '')
    makeLocalFolder(root)
    writeFileSync(join(root, '.svc/local/attestation_key'), 'private\n')
    expect(untracked(root)).toBe('')
    expect(readdirSync(join(root, '.svc/local')).sort()).toEqual(['.gitignore', 'attestation_key'])
  })

  test('keeps a .gitignore that has content, and a link, behind which nothing is written', () => {
    const [own, linked] = [folder(), folder()]
    writeFileSync(join(own, '.gitignore'), '!mine\n')
    ignoreAll(own)
    expect(readFileSync(join(own, '.gitignore'), 'utf8')).toBe('!mine\n')
    symlinkSync(join(linked, 'elsewhere'), join(linked, '.gitignore'))
    ignoreAll(linked)
    expect(lstatSync(join(linked, '.gitignore')).isSymbolicLink()).toBe(true)
    expect(existsSync(join(linked, 'elsewhere'))).toBe(false)
  })
})
