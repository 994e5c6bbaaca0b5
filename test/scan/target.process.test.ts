import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { perform, type ScanInput } from '../../engine/scan/perform.ts'
import { ask } from '../made/ask.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

const base = () =>
  project({
    ...wordRule('frobnicate'),
    '.gitignore': 'ignored/\n*.log\n',
    'a.txt': 'frobnicate\n',
    'src/b.txt': 'frobnicate\n',
    'src/deep/c.txt': 'frobnicate\n',
    'srcs/d.txt': 'frobnicate\n',
    'run.log': 'frobnicate\n',
    'ignored/e.txt': 'frobnicate\n',
  })

/** The files with findings of the rule, and the run's scope. */
async function scanned(root: string, repo_path: string, input: Partial<ScanInput> = {}) {
  const { findings, run } = await perform({ repo_path, ...input }, surface(root).context)
  const files = findings
    .filter(({ pack_id, status }) => pack_id === 'local' && status === 'open')
    .map(({ file }) => file)
  return { files: [...new Set(files)], scope: run.scope }
}

describe('a scan of named paths', () => {
  test('scans one file', async () => {
    expect(await scanned(base(), 'src/b.txt')).toEqual({ files: ['src/b.txt'], scope: 'src/b.txt' })
  })

  test('scans files and directories together, each file once', async () => {
    const { files } = await scanned(base(), 'src', { paths: ['a.txt', 'src/b.txt'] })
    expect(files).toEqual(['a.txt', 'src/b.txt', 'src/deep/c.txt'])
  })

  test('names a file from the directory in which the caller stands', async () => {
    const root = base()
    expect((await scanned(join(root, 'src/deep'), '../b.txt')).files).toEqual(['src/b.txt'])
  })

  test('scans a file that git ignores when it is named', async () => {
    const root = base()
    expect((await scanned(root, 'run.log')).files).toEqual(['run.log'])
    expect((await scanned(root, 'ignored/e.txt', { paths: ['a.txt'] })).files).toEqual(['a.txt', 'ignored/e.txt'])
  })

  test('leaves out a named file that the configuration excludes, and lists it', async () => {
    const root = base()
    write(root, { '.svc/config.yaml': 'scan_exclude: [a.txt]\n' })
    const { run } = await perform({ repo_path: 'a.txt', paths: ['src/b.txt'] }, surface(root).context)
    expect(run.skipped).toEqual([{ path: 'a.txt', reason: 'excluded' }])
  })

  test('scans one file outside any repository, and no other beside it', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-target-')))
    writeFileSync(join(folder, 'one.py'), 'import os\n')
    writeFileSync(join(folder, 'two.py'), 'import os\n')
    const { files } = await perform({ repo_path: 'one.py' }, surface(folder).context)
    expect(files.all().map(({ path }) => path)).toEqual(['one.py'])
  })

  test('takes the directory of a file outside any repository for the place of the configuration', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-target-')))
    writeFileSync(join(folder, 'one.py'), 'import os\n')
    const { output } = await ask('scan.run', { repo_path: 'one.py', dry_run: true }, folder)
    expect(output).toMatchObject({ run: { counts: { files: 1 } } })
  })

  test('follows a named link to the file that it stands for', async () => {
    const root = base()
    symlinkSync('src/b.txt', join(root, 'link.txt'))
    expect((await scanned(root, 'link.txt')).files).toEqual(['src/b.txt'])
  })

  test('narrows what is staged to the named paths, and says so in the scope', async () => {
    const root = base()
    write(root, { 'a.txt': 'frobnicate\nfrobnicate again\n', 'src/b.txt': 'frobnicate\nfrobnicate again\n' })
    execFileSync('git', ['add', '-A'], { cwd: root })
    expect(await scanned(root, 'src', { staged: true })).toEqual({ files: ['src/b.txt'], scope: 'staged in src' })
    expect((await scanned(root, 'a.txt', { staged: true })).files).toEqual(['a.txt'])
  })

  test('judges everything that is staged from a subdirectory where no path is named', async () => {
    const root = base()
    write(root, { 'a.txt': 'frobnicate\nfrobnicate again\n' })
    execFileSync('git', ['add', '-A'], { cwd: root })
    expect((await scanned(join(root, 'src'), '.', { staged: true })).files).toEqual(['a.txt'])
  })

  test('refuses a path at which nothing stands', async () => {
    await expect(scanned(base(), 'src', { paths: ['nope.js'] })).rejects.toMatchObject({
      code: 'REPO_NOT_FOUND',
      message: 'No file or directory "nope.js".',
    })
  })

  test('refuses paths of two repositories', async () => {
    const root = base()
    mkdirSync(join(root, 'inner'))
    execFileSync('git', ['init', '-q'], { cwd: join(root, 'inner') })
    write(root, { 'inner/f.txt': 'frobnicate\n' })
    await expect(scanned(root, 'a.txt', { paths: ['inner/f.txt'] })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('refuses a request over REST for a file outside the project', async () => {
    const root = base()
    const outside = base()
    const { context } = surface(root, { surface: 'rest' })
    await expect(perform({ repo_path: '.', paths: [join(outside, 'a.txt')] }, context)).rejects.toMatchObject({
      code: 'PATH_ESCAPES',
    })
  })
})
