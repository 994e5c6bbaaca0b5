import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { call, type Place, place, refused } from './governed.ts'

const ON = 'rollback: { enabled: true }\ntask_binding: { enabled: true }'
const agent = { marker: 'CURSOR_AGENT' }

async function bound(where: Place): Promise<string> {
  return (await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })).output.session.id
}

describe('a rollback', () => {
  it('is not undone by the agent where a person rolled it back', async () => {
    const where = place(ON)
    const id = await bound(where)
    write(where.root, { 'src/a.js': 'let a = 2\n' })
    await call(where, 'person', 'governance.task-rollback', { id })
    const { code, message } = await refused(where, agent, 'governance.task-rollback', { id, undo: true })
    expect([code, message]).toEqual(['FORBIDDEN', expect.stringContaining('only a user')])
    expect((await call(where, 'person', 'governance.task-rollback', { id, undo: true })).output.outcome).toBe('undone')
  })

  it('is not undone from a snapshot that was modified', async () => {
    const where = place(ON)
    const { root } = where
    const id = await bound(where)
    write(root, { 'src/a.js': 'let a = 2\n' })
    const { output } = await call(where, agent, 'governance.task-rollback', { id })
    const kept = git(root, 'cat-file', 'blob', `${output.snapshot}:snapshot.json`)
    const forged = (text: string, ref: string) => {
      write(root, { 'forged.json': text })
      const blob = git(root, 'hash-object', '-w', 'forged.json')
      rmSync(join(root, 'forged.json'))
      git(root, 'update-index', '--add', '--cacheinfo', `100644,${blob},snapshot.json`)
      const commit = git(root, 'commit-tree', git(root, 'write-tree'), '-m', 'x')
      git(root, 'update-index', '--force-remove', 'snapshot.json')
      git(root, 'update-ref', ref, commit)
    }
    forged(kept.replace('"status":"active"', '"status":"done"'), output.snapshot)
    for (const who of [agent, 'person'] as const)
      expect((await refused(where, who, 'governance.task-rollback', { id, undo: true })).message).toContain(
        'was modified',
      )
    // One that the log knows nothing of, with a way out of the repository.
    forged(kept.replaceAll('src/a.js', '../outside.js'), `refs/svc/rollback/${id}/9999`)
    const stray = await refused(where, 'person', 'governance.task-rollback', { id, undo: true })
    expect(stray).toMatchObject({ code: 'STORE_UNREADABLE', message: expect.stringContaining('../outside.js') })
  })

  it('cannot be undone over what was done since', async () => {
    const where = place(ON)
    const id = await bound(where)
    write(where.root, { 'src/a.js': '2' })
    await call(where, agent, 'governance.task-rollback', { id })
    write(where.root, { 'src/a.js': 'mine' })
    expect((await refused(where, 'person', 'governance.task-rollback', { id, undo: true })).message).toContain(
      'src/a.js changed',
    )
    expect(readFileSync(join(where.root, 'src/a.js'), 'utf8')).toBe('mine')
  })
})
