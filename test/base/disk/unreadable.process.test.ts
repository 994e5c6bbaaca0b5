import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { ROOT } from '../../root.ts'

/** Permission bits do not bind root: its program runs without capabilities. */
const WITHOUT_CAPABILITIES = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--']
const IS_ROOT = process.getuid?.() === 0
const CAN_DROP = IS_ROOT && spawnSync(WITHOUT_CAPABILITIES[0]!, [...WITHOUT_CAPABILITIES.slice(1), 'true']).status === 0

function svc(root: string, args: string[], home = folder()) {
  const [command, ...more] = [...(CAN_DROP ? WITHOUT_CAPABILITIES : []), process.execPath, join(ROOT, 'dist/svc.js')]
  const { status, stdout, stderr } = spawnSync(command!, [...more, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr }
}

const FILES = { 'a.js': 'add(1)\n' }

/** A repository with a file in its output directory that nobody may read. */
function withUnreadable(name: string, text: string): { root: string; path: string } {
  const root = project(FILES)
  expect(svc(root, ['scan', '--quiet']).code).toBe(0)
  const path = join(root, 'out', name)
  writeFileSync(path, text)
  chmodSync(path, 0)
  return { root, path }
}

describe.runIf(!IS_ROOT || CAN_DROP)('a stored file that cannot be read', () => {
  test('is not taken for none: the history of scores is left as it is, and the command says why', () => {
    const entry = { at: '2026-11-01T00:00:00.000Z', score: 71, dimensions: {} }
    const { root, path } = withUnreadable('quality_history.json', JSON.stringify([entry]))
    const { code, stderr } = svc(root, ['quality-score'])
    chmodSync(path, 0o600)
    expect(code).toBe(70)
    expect(stderr).toContain('out/quality_history.json cannot be read: permission denied (EACCES).')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([entry])
  })

  test.each([
    ['vulnerabilities.json', ['quality-score']],
    ['licenses.json', ['quality-score']],
    ['threat_model.json', ['threat-model']],
  ])('%s is not taken for an analysis that was not made', (name, args) => {
    const { root, path } = withUnreadable(name, '{}')
    const { code, stderr } = svc(root, args)
    chmodSync(path, 0o600)
    expect([code, stderr]).toEqual([70, expect.stringContaining(`out/${name} cannot be read: permission denied`)])
    expect(readFileSync(path, 'utf8')).toBe('{}')
  })

  test('is a damaged run where it is the record of one', () => {
    const root = project(FILES)
    svc(root, ['scan', '--quiet'])
    const [id] = readdirSync(join(root, 'out/history'))
    const path = join(root, 'out/history', id!, 'run.json')
    chmodSync(path, 0)
    const { code, stderr } = svc(root, ['history-report'])
    chmodSync(path, 0o600)
    expect([code, stderr]).toEqual([70, expect.stringContaining(`The run ${id} cannot be read`)])
  })

  test('is done without where it can be made again: a cache', () => {
    const root = project(FILES)
    const home = folder()
    mkdirSync(join(home, '.local/state'), { recursive: true })
    expect(svc(root, ['scan', '--quiet'], home).code).toBe(0)
    const cache = join(root, '.svc/local/cache')
    expect(existsSync(cache)).toBe(true)
    for (const entry of readdirSync(cache, { withFileTypes: true }))
      if (entry.isFile()) chmodSync(join(cache, entry.name), 0)
    expect(svc(root, ['scan', '--quiet'], home)).toMatchObject({ code: 0, stderr: '' })
  })
})
