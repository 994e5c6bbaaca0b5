import { expect, it } from 'vitest'
import { write } from '../made/folder.ts'
import { call, place } from './governed.ts'

const agent = { marker: 'CLAUDECODE' }
const RISKY = 'export const run = () => eval(location.hash)\n'

it('a finding on a line that the session has added names the agent, and the session counts it', async () => {
  const where = place('task_binding: { enabled: true, enforcement: warn }', { 'src/old.js': RISKY })
  const { output } = await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
  write(where.root, { 'src/old.js': `${RISKY}\nexport const more = 1\n`, 'src/new.js': RISKY })
  const scanned = await call(where, agent, 'gate.check', { repo_path: '.' })
  const found = scanned.output.blocking_findings as { file: string; agent?: string }[]
  expect(found.find(({ file }) => file === 'src/new.js')?.agent).toBe('claude-code')
  const before = found.filter(({ file }) => file === 'src/old.js')
  expect(before.length).toBeGreaterThan(0)
  expect(before.every(one => one.agent === undefined)).toBe(true)
  expect(scanned.output.run.agent).toBe('claude-code')
  const count = async () => {
    const { output } = await call(where, 'person', 'governance.task-list', { all: true })
    return output.sessions[0].findings_new
  }
  expect(await count()).toBe(found.filter(one => one.agent === 'claude-code').length)
  // What it has mended it has broken before.
  write(where.root, { 'src/new.js': 'export const run = 1\n' })
  await call(where, agent, 'gate.check', { repo_path: '.' })
  expect(await count()).toBeGreaterThan(0)
  expect(output.session.findings_new).toBe(0)
})
