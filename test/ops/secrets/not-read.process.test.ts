import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sample } from '../../../engine/detect/secrets/sample.ts'
import secrets from '../../../engine/ops/secrets/scan.ts'
import { listBlobsAtHead } from '../../../engine/secrets/history.ts'
import { surface, view } from '../../made/call.ts'
import { folder, write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { INPUT } from './input.ts'

/** What `svc secrets` answers where it could not read a content: never that there is no secret in it. */

const TOKEN = sample('ghp_{base62:30}{crc32}', 'not read')

async function look(root: string, more: Partial<typeof INPUT> = {}) {
  const { context } = surface(root)
  const output = await secrets.run({ ...INPUT, ...more }, context)
  const { files, not_read, shallow, open } = output
  const text = secrets.text(output, view)
  return {
    files,
    not_read,
    shallow,
    open,
    reasons: output.skipped.map(({ reason }) => reason),
    exit: secrets.exit!(output),
    text,
  }
}

/** The file of a loose object. */
function locateObject(gitFolder: string, oid: string): string {
  const path = join(gitFolder, 'objects', oid.slice(0, 2), oid.slice(2))
  chmodSync(path, 0o644)
  return path
}

/** A repository of which the token stood in `.env` before, and a clone of it. */
function cloned(...options: string[]): string {
  const origin = project({ '.env': `TOKEN=${TOKEN}\n` })
  write(origin, { '.env': 'TOKEN=\n' })
  git(origin, 'commit', '-qam', 'second')
  git(origin, 'config', 'uploadpack.allowFilter', 'true')
  const clone = join(folder(), 'clone')
  git(origin, 'clone', '-q', ...options, pathToFileURL(origin).href, clone)
  return clone
}

describe('contents that the repository does not have', () => {
  it('of a clone with a filter: its history ends with 1, and counts what was read alone', async () => {
    const { files, not_read, open, exit, text } = await look(cloned('--filter=blob:none', '--no-checkout'), {
      history: true,
    })
    expect([open, exit]).toEqual([0, 1])
    expect(not_read).toBeGreaterThanOrEqual(1)
    expect(files + not_read).toBe(2)
    expect(text).toMatch(/could not be read.*search a full clone/)
  })

  it('of a history: each is counted as not read, and the others are searched', async () => {
    const root = project({ '.env': `TOKEN=${TOKEN}\n`, 'b.txt': 'nothing\n' })
    rmSync(locateObject(join(root, '.git'), git(root, 'rev-parse', 'HEAD:b.txt')))
    const { text, ...found } = await look(root, { history: true })
    expect(found).toMatchObject({ files: 1, not_read: 1, open: 1, exit: 1, reasons: ['vanished'] })
    expect(text).toContain('1 version of a file could not be read')
  })

  it('of what is staged: it ends with 1', async () => {
    const root = project({ 'a.txt': 'nothing\n' })
    write(root, { '.env': `TOKEN=${TOKEN}\n` })
    git(root, 'add', '-A')
    rmSync(locateObject(join(root, '.git'), git(root, 'rev-parse', ':.env')))
    expect(await look(root, { staged: true })).toMatchObject({ not_read: 1, exit: 1, reasons: ['vanished'] })
  })

  it('of a bare repository: it ends with 1', async () => {
    const root = project({ '.env': `TOKEN=${TOKEN}\n`, 'b.txt': 'nothing\n' })
    git(root, 'config', 'core.bare', 'true')
    const bare = join(root, '.git')
    rmSync(locateObject(bare, git(root, 'rev-parse', 'HEAD:b.txt')))
    expect(await look(bare)).toMatchObject({ files: 1, not_read: 1, open: 1, exit: 1, reasons: ['vanished'] })
  })
})

it('a staged file with a conflict, whose content is not known, is counted, with exit code 1', async () => {
  const root = project({ 'a.txt': 'nothing\n' })
  const oid = git(root, 'rev-parse', 'HEAD:a.txt')
  const entries = [1, 2, 3].map(stage => `100644 ${oid} ${stage}\tb.txt\n`).join('')
  execFileSync('git', ['update-index', '--index-info'], { cwd: root, input: entries })
  const { text, ...found } = await look(root, { staged: true })
  expect(found).toMatchObject({ not_read: 1, exit: 1, reasons: ['unreadable'] })
  expect(text).toContain('1 file could not be read, so secrets may be in it')
})

it('a file in an encoding that is not known is counted, with exit code 1', async () => {
  const root = project({ 'a.txt': 'nothing\n' })
  write(root, {
    '.gitattributes': '*.env working-tree-encoding=none-such\n',
    'a.env': Buffer.from(`PASSWORT_F\xfcR=${TOKEN}\n`, 'latin1'),
  })
  expect(await look(root)).toMatchObject({ not_read: 1, exit: 1, reasons: ['undecodable'] })
})

it('says in its answer whether the clone has only the last part of the history', async () => {
  const shallow = await look(cloned('--depth=1'), { history: true })
  expect([shallow.shallow, shallow.not_read, shallow.exit]).toEqual([true, 0, 0])
  expect(shallow.text).toContain('git fetch --unshallow')
  const whole = await look(cloned(), { history: true })
  expect([whole.shallow, whole.open]).toEqual([false, 1])
  expect(whole.text).not.toContain('unshallow')
})

describe('what is at HEAD', () => {
  it('is nothing where no commit is checked out', async () => {
    const root = project({ 'a.txt': 'x\n' })
    git(root, 'symbolic-ref', 'HEAD', 'refs/heads/none')
    expect(await listBlobsAtHead(root)).toEqual(new Set())
  })

  it('is an error where git cannot read it, and not nothing', async () => {
    const root = project({ 'a.txt': 'x\n' })
    rmSync(locateObject(join(root, '.git'), git(root, 'rev-parse', 'HEAD^{tree}')))
    await expect(listBlobsAtHead(root)).rejects.toMatchObject({ code: 'REPO_UNREADABLE' })
  })
})
