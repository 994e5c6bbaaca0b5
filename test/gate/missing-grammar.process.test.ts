import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { ROOT } from '../root.ts'

/** An installation whose packages are those of this one but for the grammar of a language. */
function installWithout(language: string): string {
  const root = folder({ 'package.json': '{"type":"module"}' })
  cpSync(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true })
  const [from, to] = [join(ROOT, 'node_modules'), join(root, 'node_modules')]
  mkdirSync(join(to, '@ast-grep'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@ast-grep') symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '@ast-grep')))
    if (name === 'napi') cpSync(join(from, '@ast-grep', name), join(to, '@ast-grep', name), { recursive: true })
    else if (name !== `lang-${language}`) symlinkSync(join(from, '@ast-grep', name), join(to, '@ast-grep', name))
  return join(root, 'dist/svc.js')
}

it('an installation without a grammar passes no gate over files of its language, and others as before', () => {
  const svc = installWithout('python')
  // No rule has a chance in it, so that nothing is parsed and nothing fails by itself.
  const root = project({ 'a.py': 'x = 1\n', 'b.go': 'package b\n' })
  const run = (...paths: string[]) =>
    spawnSync(process.execPath, [svc, 'gate', ...paths, '--no-cache'], { cwd: root, encoding: 'utf8' })
  const failed = run()
  expect(failed.stdout).toMatch(/Gate failed: the grammar of python cannot be loaded, so \d+ rules of a severity/)
  expect(failed.stdout).toContain('svc install-check')
  expect(failed.status).toBe(1)
  const passed = run('b.go')
  expect([passed.status, passed.stdout]).toEqual([0, expect.stringContaining('Gate passed')])
  const checked = spawnSync(process.execPath, [svc, 'install-check'], { cwd: root, encoding: 'utf8' })
  expect(checked.stdout).toContain('python of')
})
