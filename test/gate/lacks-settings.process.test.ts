import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lacksSettings } from '../../engine/gate/change/settings-at.ts'
import { RULE_FILES } from '../../engine/sources/config/settings-paths.ts'
import { project, repository } from '../made/project.ts'

test.each<[string, Record<string, string>, boolean]>([
  ['without any', { 'a.c': '' }, true],
  ['with those of a directory below alone', { 'a/.svc/config.yaml': 'version: 1\n' }, true],
  ['with a directory of svc', { '.svc/config.yaml': 'version: 1\n' }, false],
  ['with the configuration of an older version', { '.guard.yaml': '' }, false],
  ...RULE_FILES.map((path): [string, Record<string, string>, boolean] => [`with ${path} alone`, { [path]: '' }, false]),
])('a commit lacks settings: %s', async (_, files, lacks) => {
  expect(await lacksSettings(project(files), 'HEAD', {})).toBe(lacks)
})

test('a link in the place of the directory is looked at', async () => {
  const root = project({ 'settings/config.yaml': '' })
  symlinkSync('settings', join(root, '.svc'))
  const as = ['-c', 'user.name=t', '-c', 'user.email=t@localhost']
  execFileSync('git', ['add', '.'], { cwd: root })
  execFileSync('git', [...as, 'commit', '-qm', 'link'], { cwd: root })
  expect(await lacksSettings(root, 'HEAD', {})).toBe(false)
})

test('of a repository before its first commit nothing is certain', async () => {
  expect(await lacksSettings(repository({ 'a.c': '' }), 'HEAD', {})).toBe(false)
})
