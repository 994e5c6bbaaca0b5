import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { makeAnswer } from '../../engine/governance/hook/answer.ts'
import { PROGRAM as SVC } from '../ci/project.ts'
import { call, contextOf, type Place, place, register } from './governed.ts'

/** An approval is for one action whole: the tool, the path, what is written there, the command, the folder. */

const HITL = `
task_binding: { enabled: true, enforcement: hitl }
agent_defaults: { trust_by_agent: { builder: fix:any } }
`

interface Tried {
  tool?: string
  input: object
  cwd?: string
}

async function tries(where: Place, agent: { key: string }, { tool = 'Write', input, cwd = where.root }: Tried) {
  const message = {
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    cwd,
    session_id: String(Math.random()),
  }
  const context = {
    ...contextOf(where, agent),
    env: { ...contextOf(where, agent).env, CLAUDECODE: '1', SVC_RESIDENT: '0' },
  }
  return makeAnswer(JSON.stringify(message), context)
}

async function approved(first: (where: Place) => Tried) {
  const where = place(HITL)
  const agent = await register(where, 'builder')
  await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
  const asked = await tries(where, agent, first(where))
  expect(asked.decision).toBe('deny')
  const id = /AP-[0-9a-f]{12}/.exec(asked.reason)![0]
  await call(where, 'person', 'governance.approve', { id })
  return { where, agent, id }
}

const write = ({ root }: Place, content: string, path = 'doc/b.md'): Tried => ({
  input: { file_path: join(root, path), content },
})

it('the same action is allowed, once', async () => {
  const { where, agent, id } = await approved(where => write(where, 'good\n'))
  expect((await tries(where, agent, write(where, 'good\n'))).decision).toBe('allow')
  const again = await tries(where, agent, write(where, 'good\n'))
  expect(again).toMatchObject({ decision: 'deny' })
  expect(again.reason).toContain(`${id} allowed it once, and was used`)
})

it.each<[string, (where: Place) => Tried]>([
  ['content differs', where => write(where, 'evil\n')],
  ['paths, content differ', where => write(where, 'good\n', 'doc/c.md')],
  ['tool differs', where => ({ ...write(where, 'good\n'), tool: 'create_file' })],
  ['directory differs', where => ({ ...write(where, 'good\n'), cwd: join(where.root, 'src') })],
])('another action is refused, and the refusal says what differs: %s', async (says, other) => {
  const { where, agent, id } = await approved(where => write(where, 'good\n'))
  const { decision, reason } = await tries(where, agent, other(where))
  expect(decision).toBe('deny')
  expect(reason).toContain(`${id}, which is approved, allows another action: ${says}`)
})

it('another command line is refused, however the agent words what it is for', async () => {
  const command = (line: string, description: string): Tried => ({
    tool: 'Bash',
    input: { command: line, description },
  })
  const { where, agent } = await approved(() => command('echo good > doc/b.md', 'say good'))
  expect((await tries(where, agent, command('echo evil > doc/b.md', 'say good'))).reason).toContain('command')
  expect((await tries(where, agent, command('echo good > doc/b.md', 'in other words'))).decision).toBe('allow')
})

it('another old or new text of an edit is refused', async () => {
  const edit = ({ root }: Place, old_string: string, new_string: string): Tried => ({
    tool: 'Edit',
    input: { file_path: join(root, 'doc/b.md'), old_string, new_string },
  })
  const { where, agent } = await approved(where => edit(where, 'b', 'c'))
  expect((await tries(where, agent, edit(where, 'b', 'd'))).reason).toContain('content differs')
  expect((await tries(where, agent, edit(where, 'b', 'c'))).decision).toBe('allow')
})

it('the person sees what would change as a diff, wherever they look', async () => {
  const { where, id } = await approved(where => write(where, 'b\nand more\n'))
  const list = (await call(where, 'person', 'governance.approvals', { status: 'all' })).output.approvals[0]
  const status = (await call(where, { api: true }, 'governance.approval-status', { id })).output
  for (const shown of [list, status]) {
    expect(shown.diff).toContain('+and more')
    expect(shown.subject).toMatchObject({ tool: 'Write', paths: ['doc/b.md'], directory: '.' })
  }
  const { stdout } = await promisify(execFile)(process.execPath, [SVC, 'approval-status', id], {
    cwd: where.root,
    env: { ...process.env, ...where.env },
  })
  expect(stdout).toContain('+and more')
})

it('two processes that use one approval at once: one wins', async () => {
  const { where, agent } = await approved(where => write(where, 'good\n'))
  const message = JSON.stringify({
    ...{ hook_event_name: 'PreToolUse', tool_name: 'Write', cwd: where.root },
    tool_input: write(where, 'good\n').input,
  })
  writeFileSync(join(where.root, '../message.json'), message)
  const env = { ...process.env, ...where.env, SVC_AGENT_KEY: agent.key, CLAUDECODE: '1', SVC_RESIDENT: '0' }
  const run = () =>
    promisify(execFile)('sh', ['-c', `"${process.execPath}" "${SVC}" agent-hook < ../message.json`], {
      cwd: where.root,
      env,
    })
  const answers = await Promise.all([run(), run(), run()])
  expect(answers.filter(({ stdout }) => stdout.trim() === '')).toHaveLength(1)
})
