import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { locateHooks } from '../../engine/hook/hooks-folder.ts'
import { readHookStatus, uninstallHook } from '../../engine/hook/install.ts'
import { folder } from '../made/folder.ts'
import { git, commit as workCommit } from '../made/git.ts'
import { repository } from '../made/project.ts'
import { commit, hook, install, program } from './hooked.ts'

describe('hook install', () => {
  it('names the hook where it cannot be written, not a file that nobody asked for', async () => {
    const root = repository()
    mkdirSync(join(root, '.git/hooks'), { recursive: true })
    writeFileSync(join(root, '.git/hooks', `.pre-commit.${process.pid}.tmp`), '')
    const where = await locateHooks(root)
    expect(() => install(where, program())).toThrow('pre-commit in .git/hooks cannot be written: EEXIST.')
  })

  it('makes every commit pass through svc, and holds the commit that svc refuses', async () => {
    const root = repository()
    const where = await locateHooks(root)
    const svc = program()
    expect(readHookStatus(where, svc)).toEqual({
      state: 'absent',
      hook: '.git/hooks/pre-commit',
      former: false,
      program_found: true,
    })
    expect(install(where, svc)).toBe('absent')
    expect(readHookStatus(where, svc)).toEqual({
      state: 'installed',
      hook: '.git/hooks/pre-commit',
      former: false,
      program_found: true,
    })
    expect(commit(root)).toMatchObject({ status: 0, said: expect.stringContaining('svc pre-commit-scan') })
    writeFileSync(join(root, 'refuse'), '')
    expect(commit(root).status).toBe(1)
  })

  it('is done once: again changes no byte, and a moved svc is brought up to date', async () => {
    const root = repository()
    const where = await locateHooks(root)
    const svc = program()
    install(where, svc)
    const before = lstatSync(join(where.path, 'pre-commit'), { bigint: true })
    expect(install(where, svc)).toBe('installed')
    expect(lstatSync(join(where.path, 'pre-commit'), { bigint: true }).ino).toBe(before.ino)
    const moved = program()
    expect(readHookStatus(where, moved).state).toBe('outdated')
    expect(install(where, moved)).toBe('outdated')
    expect(readHookStatus(where, moved)).toMatchObject({ state: 'installed', former: false })
    chmodSync(join(where.path, 'pre-commit'), 0o644)
    expect(install(where, moved)).toBe('outdated')
    expect(commit(root).said).toContain('svc pre-commit-scan')
    expect(
      readdirSync(where.path).filter(name => name.startsWith('.pre-commit') || name.startsWith('pre-commit.b')),
    ).toEqual([])
  })

  it('keeps a hook that is there: it runs first, and either can hold the commit', async () => {
    const root = repository()
    hook(root, '#!/bin/sh\necho former "$0" $#\n[ ! -e no ]\n')
    const where = await locateHooks(root)
    expect(readHookStatus(where, program()).state).toBe('foreign')
    expect(install(where)).toBe('foreign')
    const { status, said } = commit(root)
    expect([
      status,
      said.indexOf('former .git/hooks/pre-commit.before-svc 0') < said.indexOf('svc pre-commit-scan'),
    ]).toEqual([0, true])
    writeFileSync(join(root, 'no'), '')
    const held = commit(root)
    expect([held.status, held.said.includes('svc pre-commit-scan')]).toEqual([1, false])
    rmSync(join(root, 'no'))
    writeFileSync(join(root, 'refuse'), '')
    expect(commit(root).status).toBe(1)
  })

  it('keeps a hook of any language, a link, and one that is switched off by its mode', async () => {
    const root = repository()
    const path = hook(root, `#!${process.execPath}\nconsole.log('in node')\n`)
    install(await locateHooks(root))
    expect(commit(root).said).toContain('in node')
    uninstallHook(await locateHooks(root))

    rmSync(path)
    writeFileSync(join(root, 'linked.sh'), '#!/bin/sh\necho linked\n', { mode: 0o755 })
    symlinkSync('../../linked.sh', path)
    install(await locateHooks(root))
    expect(commit(root).said).toContain('linked')
    uninstallHook(await locateHooks(root))
    expect(readlinkSync(path)).toBe('../../linked.sh')

    rmSync(path)
    hook(root, '#!/bin/sh\necho off\n', 0o644)
    install(await locateHooks(root))
    expect(commit(root).said).not.toContain('off')
  })

  it('goes where git looks: core.hooksPath, a work tree, a submodule, a folder that is missing', async () => {
    const root = repository({ a: '1' })
    workCommit(root)
    rmSync(join(root, '.git/hooks'), { recursive: true, force: true })
    const tree = join(folder(), 'tree')
    git(root, 'worktree', 'add', '-q', tree)
    const ofTree = await locateHooks(tree)
    expect(ofTree).toMatchObject({ path: join(root, '.git/hooks'), root: tree, shared: false, carried: false })
    install(ofTree)
    expect(commit(tree).said).toContain('svc pre-commit-scan')
    expect(commit(root).said).toContain('svc pre-commit-scan')
    uninstallHook(await locateHooks(join(root)))

    git(root, 'config', 'core.hooksPath', 'tools/git hooks')
    mkdirSync(join(root, 'deep'))
    const set = await locateHooks(join(root, 'deep'))
    expect(set).toMatchObject({ path: join(root, 'tools/git hooks'), shown: 'tools/git hooks', carried: true })
    install(set)
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false)
    expect(commit(root).status).toBe(1)
    expect(commit(root).said).toContain('svc was not found')

    const outer = repository({ b: '1' })
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'sub')
    const ofSub = await locateHooks(join(outer, 'sub'))
    expect(ofSub.path).toBe(join(outer, '.git/modules/sub/hooks'))
    install(ofSub)
    expect(commit(join(outer, 'sub')).said).toContain('svc pre-commit-scan')
  })

  it('names no path of this machine in a folder that others get, and finds svc there on the PATH or in node_modules', async () => {
    const root = repository()
    git(root, 'config', 'core.hooksPath', '.githooks')
    const where = await locateHooks(root)
    const svc = program()
    install(where, svc)
    expect(readFileSync(join(root, '.githooks/pre-commit'), 'utf8')).not.toContain(svc.svc)
    expect(readHookStatus(where, svc, '/nowhere')).toMatchObject({ state: 'installed', program_found: false })
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    writeFileSync(join(root, 'node_modules/.bin/svc'), '#!/bin/sh\necho local "$@"\n', { mode: 0o755 })
    expect(readHookStatus(where, svc, '/nowhere').program_found).toBe(true)
    expect(commit(root).said).toContain('local pre-commit-scan')
    const bin = folder({ svc: '#!/bin/sh\necho from path "$@"\n' })
    chmodSync(join(bin, 'svc'), 0o755)
    expect(commit(root, { PATH: `${bin}:${process.env.PATH}` }).said).toContain('from path pre-commit-scan')
  })

  it('holds the commit, and says what to do, where svc has gone', async () => {
    const root = repository()
    const svc = program()
    install(await locateHooks(root), svc)
    rmSync(svc.svc)
    const { status, said } = commit(root)
    expect([status, said.includes('svc was not found'), said.includes('--no-verify')]).toEqual([1, true, false])
    expect(readHookStatus(await locateHooks(root), svc, '/nowhere').program_found).toBe(false)
    const bin = folder({ svc: '#!/bin/sh\necho from path "$@"\n' })
    chmodSync(join(bin, 'svc'), 0o755)
    expect(commit(root, { PATH: `${bin}:${process.env.PATH}` })).toMatchObject({
      status: 0,
      said: expect.stringContaining('from path'),
    })
  })
})
