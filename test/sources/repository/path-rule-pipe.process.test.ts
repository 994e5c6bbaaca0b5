import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tryGit } from '../../../engine/sources/repository/git.ts'
import { findPipe } from '../../../engine/sources/repository/path-rule-pipe.ts'
import { ground, write } from '../../made/folder.ts'
import { repository } from '../../made/git.ts'

const never = new AbortController().signal

describe('a pipe in the place of an ignore or attributes file', () => {
  test.each(['.gitignore', '.gitattributes'])(
    'is named in an error in place of waiting for its writer: %s',
    async name => {
      const root = repository(join(ground(), 'project'), { 'a.txt': 'a\n' })
      mkdirSync(join(root, 'deep/er'), { recursive: true })
      write(root, { 'deep/er/b.txt': 'b\n' })
      spawnSync('mkfifo', [join(root, 'deep/er', name)])
      expect(await findPipe(root, never)).toBe(`deep/er/${name}`)
    },
  )

  test('ends a call of git that waits for it', async () => {
    const root = repository(join(ground(), 'project'), { 'a.txt': 'a\n' })
    spawnSync('mkfifo', [join(root, '.gitignore')])
    await expect(tryGit(root, ['status', '--porcelain'])).rejects.toMatchObject({
      code: 'REPO_UNREADABLE',
      message: '".gitignore" is not a regular file: git would wait forever to read it.',
    })
  })

  test('is not seen in regular files and in directories of these names', async () => {
    const root = repository(join(ground(), 'project'), { '.gitignore': 'x\n', 'sub/a.txt': 'a\n' })
    mkdirSync(join(root, 'sub/.gitattributes'))
    expect(await findPipe(root, never)).toBeUndefined()
  })
})
