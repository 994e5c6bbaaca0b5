import { execFileSync } from 'node:child_process'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readChanges } from '../../../engine/sources/repository/changes.ts'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

/** A file that git must look into to say whether it has changed, and a filter that leaves a mark where it is run. */
function filtered(driver: string, include = false): { root: string; mark: string } {
  const root = project({ 'a.txt': 'one\n', '.gitattributes': `* filter=${driver}\n` })
  const mark = join(root, '.git', 'mark')
  const more = ['config', ...(include ? ['-f', join(root, '.git', 'more')] : []), `filter.${driver}.clean`]
  execFileSync('git', [...more, `touch '${mark}'; cat`], { cwd: root })
  if (include) execFileSync('git', ['config', 'include.path', 'more'], { cwd: root })
  write(root, { 'a.txt': 'two\n' })
  utimesSync(join(root, 'a.txt'), 1, 1)
  return { root, mark }
}

describe('a filter that the configuration of a scanned repository names', () => {
  test('is run by git itself, which is why it must be kept from it', () => {
    const { root, mark } = filtered('evil')
    execFileSync('git', ['status', '--porcelain'], { cwd: root, stdio: 'pipe' })
    expect(existsSync(mark)).toBe(true)
  })

  test.each([
    ['evil', false],
    ['a=b.c', false],
    ['evil', true],
  ])('is not run to list files or to tell a change: %s, included: %s', async (driver, include) => {
    const { root, mark } = filtered(driver, include)
    const { files } = await discover(root, { exclude: [] })
    const branch = execFileSync('git', ['branch', '--show-current'], { cwd: root }).toString().trim()
    const change = await readChanges(root, { branch })
    expect(existsSync(mark)).toBe(false)
    expect(files.find(({ path }) => path === 'a.txt')).toMatchObject({ size: 4 })
    expect(change.files.map(({ path }) => path)).toEqual(['a.txt'])
  })

  test('does not fail the listing where it is required', async () => {
    const { root, mark } = filtered('evil')
    execFileSync('git', ['config', 'filter.evil.required', 'true'], { cwd: root })
    expect((await discover(root, { exclude: [] })).files.map(({ path }) => path)).toContain('a.txt')
    expect(existsSync(mark)).toBe(false)
  })

  test('is refused where its name is no text', async () => {
    const { root } = filtered('evil')
    const config = join(root, '.git', 'config')
    writeFileSync(
      config,
      Buffer.concat([Buffer.from('[filter "'), Buffer.from([0xff]), Buffer.from('"]\n\tclean = cat\n')]),
    )
    await expect(discover(root, { exclude: [] })).rejects.toMatchObject({ code: 'REPO_UNREADABLE' })
  })
})
