import { expect, it } from 'vitest'
import { runHere } from '../../made/command-line.ts'
import { project } from '../../made/project.ts'

/** A repository without governance, and the command line of a user and of a coding agent in it. */
function twoCallers() {
  const root = project({ 'a.py': 'x = 1\n' })
  const env = { PATH: process.env.PATH!, HOME: root, XDG_STATE_HOME: `${root}/.state` }
  const user = (...args: string[]) => runHere(args, { cwd: root, env })
  const agent = (...args: string[]) => runHere(args, { cwd: root, env: { ...env, CLAUDECODE: '1' } })
  return { user, agent }
}

const CREATE = ['auditor', 'create', '-n', 'Ada Byron', '-e', 'ada@audit.example', '--json']

it('a coding agent neither creates nor revokes tokens of auditors, and a user does', async () => {
  const { user, agent } = twoCallers()
  const refused = await agent(...CREATE)
  expect([refused.code, refused.out]).toEqual([64, expect.not.stringContaining('svc_auditor_')])
  const made = await user(...CREATE)
  expect(made.code).toBe(0)
  const { prefix } = (JSON.parse(made.out) as { auditor: { prefix: string } }).auditor
  expect((await agent('auditor', 'revoke', prefix)).code).not.toBe(0)
  expect((await user('auditor', 'list')).out).toContain(prefix)
  expect((await user('auditor', 'revoke', prefix)).code).toBe(0)
})

it('a coding agent neither creates nor rotates the keys of attestations, and a user does', async () => {
  const { user, agent } = twoCallers()
  expect((await agent('attest', 'key', 'create')).err).toContain('requires a user')
  const { code, out } = await user('attest', 'key', 'create', '--json')
  expect(code).toBe(0)
  const { key_id } = JSON.parse(out) as { key_id: string }
  expect((await agent('attest', 'key', 'rotate')).err).toContain('requires a user')
  const { retired } = JSON.parse((await user('attest', 'key', 'rotate', '--json')).out) as { retired: string[] }
  expect(retired).toContain(key_id)
})
