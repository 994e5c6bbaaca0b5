import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { OWN_RULES, wordRule } from '../made/rules.ts'

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })

/** What a scan comes to; one with the cache is stored, so that the next one goes on from it. */
async function scanned(root: string, cache: boolean) {
  const { context } = surface(root, { env: OWN_RULES })
  const performed = await perform({ repo_path: '.', cache }, context)
  if (cache) await persist(performed, context)
  const { counts, skipped } = performed.run
  return { counts, skipped, findings: performed.findings, files: performed.files.all(), listed: performed.listed() }
}

/** Fails where the cache makes a difference, now or once what is remembered of the listing holds. */
async function agrees(root: string, when: string) {
  const cold = await scanned(root, false)
  expect(await scanned(root, true), when).toEqual(cold)
  expect(await scanned(root, true), `${when}, once more`).toEqual(cold)
}

const unix = 'frobnicate "x\n'.repeat(7)
const windows = unix.replaceAll('\n', '\r\n')

/** Settings by which git takes other line endings of a file for no change of it. */
const CONVERSIONS: [name: string, attributes: string, autocrlf?: string][] = [
  ['core.autocrlf', '', 'input'],
  ['text=auto', '* text=auto\n'],
  ['a macro of eol', '[attr]mine eol=lf\n*.txt mine\n'],
]

describe.each(CONVERSIONS)('where git turns line endings by %s', (_, attributes, autocrlf) => {
  /** A repository in which a.txt is too large with the line endings of Windows, and not with those of Unix. */
  const repository = (text: string) => {
    const root = project({
      ...wordRule('frobnicate', "regex: 'frobnicate.*'"),
      '.svc/config.yaml': 'scan: { max_file_bytes: 100 }\n',
      '.gitattributes': attributes,
      'a.txt': unix,
      'b.txt': 'clean\n',
    })
    if (autocrlf) git(root, 'config', 'core.autocrlf', autocrlf)
    write(root, { 'a.txt': text })
    git(root, 'add', '-A')
    return root
  }

  test.each([
    ['turned', unix, windows],
    ['turned back', windows, unix],
  ])(
    'a file that is %s is looked at as it stands, also once git has noted that it is unchanged',
    async (how, before, after) => {
      const root = repository(before)
      await agrees(root, 'before')
      write(root, { 'a.txt': after, 'b.txt': 'clean\r\n' })
      await agrees(root, how)
      git(root, 'add', '-A')
      await agrees(root, `${how} and added`)
    },
    60_000,
  )

  test('a file of which the index has no size is looked at as it stands', async () => {
    const root = repository(unix)
    git(root, 'read-tree', 'HEAD')
    await agrees(root, 'before')
    write(root, { 'a.txt': windows })
    await agrees(root, 'turned')
  })
})

test('a file that git has written in another encoding is looked at as it stands, though its content is the same', async () => {
  const root = project({ ...wordRule('frobnicate', "regex: 'frobnicate.*'"), 'a.txt': unix, 'b.txt': 'clean\n' })
  git(root, 'add', '-A')
  await agrees(root, 'before')
  write(root, { '.gitattributes': '*.txt working-tree-encoding=UTF-16LE\n' })
  rmSync(join(root, 'a.txt'))
  git(root, 'checkout', '--', 'a.txt')
  await agrees(root, 'written anew')
})
