import { execFileSync } from 'node:child_process'
import {
  existsSync,
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
import { describe, expect, test } from 'vitest'
import type { Run } from '../../engine/base/records/run.ts'
import scan from '../../engine/ops/scan/run.ts'
import { writeCacheFile } from '../../engine/scan/cache-file.ts'
import { CacheTable } from '../../engine/scan/cache-table.ts'
import { openSeal } from '../../engine/sources/state/cache-seal.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { OWN_RULES, wordRule } from '../made/rules.ts'

/** The user's own: these caches were really written by a scan of theirs. */
const SEAL = openSeal(process.env)!

const run = (root: string) =>
  scan.run({ repo_path: '.', cache: true } as Parameters<typeof scan.run>[0], surface(root, { env: OWN_RULES }).context)
const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })
/** Findings in the file that the forged cache calls harmless; what the rules say of the cache's own texts, where they are scanned, is another matter. */
const found = (output: { findings: readonly object[] }) =>
  output.findings.filter(finding => (finding as { file: string }).file === 'a.txt').length
const hits = (output: { run: object }) => (output.run as Run).cache.hits

/** A repository whose cache says of a.txt that nothing is found there, though the rule's word is. */
async function forged(): Promise<string> {
  const root = project({ ...wordRule('frobnicate'), 'a.txt': 'harmless\n' })
  await run(root)
  write(root, { 'a.txt': 'frobnicate\n' })
  git(root, 'commit', '-qam', 'second')
  const file = join(root, '.svc/local/cache/scan.cache')
  const bytes = readFileSync(file)
  const { program, limits } = JSON.parse(bytes.toString('utf8', 0, bytes.indexOf(10)))
  const table = CacheTable.read(file, program, SEAL)
  const rows = Array.from({ length: table.size }, (_, row) => table.row(row))
  const oid = git(root, 'rev-parse', 'HEAD:a.txt').toString().trim()
  for (const row of rows) if (row.path === 'a.txt') Object.assign(row, { oid, size: 11 })
  writeCacheFile(file, { program, limits }, rows, SEAL)
  return root
}

describe('a cache of results', () => {
  test('is believed where svc has put it', async () => {
    const output = await run(await forged())
    expect([hits(output) > 0, output.total]).toEqual([true, 0])
  })

  test('is not believed where the repository brings it', async () => {
    const root = await forged()
    git(root, 'add', '-f', '.svc/local/cache/scan.cache')
    const output = await run(root)
    expect([hits(output), output.total]).toEqual([0, 1])
  })

  test.each(['.svc', '.svc/local', '.svc/local/cache'])(
    'is not believed where the repository brings it in the submodule %s',
    async path => {
      const root = await forged()
      const within = join(root, path)
      git(within, 'init', '-q')
      git(within, 'add', '-Af')
      git(within, 'commit', '-qm', 'results')
      git(root, 'rm', '-rq', '--cached', '--ignore-unmatch', path)
      const commit = git(within, 'rev-parse', 'HEAD').toString().trim()
      git(root, 'update-index', '--add', '--cacheinfo', `160000,${commit},${path}`)
      const output = await run(root)
      expect([hits(output), found(output)]).toEqual([0, 1])
    },
  )

  test('is neither believed nor written where it is reached through a link', async () => {
    const root = await forged()
    execFileSync('mv', [join(root, '.svc/local/cache'), join(root, 'data')])
    symlinkSync('../../data', join(root, '.svc/local/cache'))
    writeFileSync(join(root, 'data/.gitignore'), 'mine\n')
    const output = await run(root)
    expect([hits(output), found(output)]).toEqual([0, 1])
    expect(readFileSync(join(root, 'data/.gitignore'), 'utf8')).toBe('mine\n')
  })
})

describe('the folder of reports', () => {
  test.each(['out', 'out/history'])(
    'is not written where %s is a link, which would lead the writing elsewhere',
    async path => {
      const root = project({ 'a.txt': 'x\n' })
      const elsewhere = mkdtempSync(join(tmpdir(), 'svc-elsewhere-'))
      try {
        if (path !== 'out') mkdirSync(join(root, 'out'))
        symlinkSync(elsewhere, join(root, path))
        await expect(run(root)).rejects.toMatchObject({ code: 'PATH_ESCAPES' })
        expect(readdirSync(elsewhere)).toEqual([])
        expect(existsSync(join(root, 'out/run.json'))).toBe(false)
      } finally {
        rmSync(elsewhere, { recursive: true })
      }
    },
  )
})
