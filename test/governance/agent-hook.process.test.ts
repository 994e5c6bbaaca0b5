import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOOKED_AGENTS, installAgentHook, uninstallAgentHook } from '../../engine/hook/agent-settings.ts'
import { ground, write } from '../made/folder.ts'
import { call, type Place, place } from './governed.ts'

const BLOCK = 'task_binding: { enabled: true, enforcement: block }\nagent_defaults: { queue_action: block }'
const agent = { marker: 'CLAUDECODE' }

async function hook(where: Place, message: unknown) {
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  const { output, notices } = await call(where, agent, 'governance.agent-hook', {}, { readStdin: async () => text })
  return { ...output, notices } as unknown as Record<string, unknown> & {
    decision: string
    reason: string
    response: string
  }
}
const claude = (where: Place, tool_name: string, tool_input: object, hook_event_name = 'PreToolUse') => ({
  session_id: 's',
  cwd: where.root,
  hook_event_name,
  tool_name,
  tool_input,
})

describe('an agent with a task is', () => {
  async function bound(settings = BLOCK) {
    const where = place(settings)
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**', '.svc/**'] })
    return where
  }
  it('allowed what is within its paths, in silence', async () => {
    const where = await bound()
    expect(
      await hook(where, claude(where, 'Write', { file_path: join(where.root, 'src/new.js'), content: 'x' })),
    ).toMatchObject({ decision: 'allow', response: '' })
    expect(await hook(where, claude(where, 'Bash', { command: 'echo x > src/a.js && cat doc/b.md' }))).toMatchObject({
      decision: 'allow',
    })
    expect(await hook(where, claude(where, 'Read', { file_path: join(where.root, 'doc/b.md') }))).toMatchObject({
      decision: 'allow',
    })
    for (const reading of [
      claude(where, 'str_replace_based_edit_tool', { command: 'view', path: 'doc/b.md' }),
      claude(where, 'NotebookRead', { notebook_path: 'doc/b.md' }),
      claude(where, 'TodoWrite', { todos: [] }),
    ])
      expect(await hook(where, reading), reading.tool_name).toMatchObject({ decision: 'allow' })
  })
  it('denied what is outside, by whatever tool, and the session is violated', async () => {
    const where = await bound()
    for (const call of [
      claude(where, 'Edit', { file_path: join(where.root, 'doc/b.md'), old_string: 'b', new_string: 'c' }),
      claude(where, 'MultiEdit', { file_path: 'src/../doc/b.md', edits: [] }),
      claude(where, 'Bash', { command: 'cd src && sed -i s/a/b/ ../doc/b.md' }),
      claude(where, 'Bash', { command: 'bash -c "tee doc/b.md < /dev/null"' }),
      claude(where, 'Bash', { command: 'git checkout -- doc/b.md' }),
      claude(where, 'mcp__files__write_file', { path: 'doc/b.md' }),
      claude(where, 'apply_patch', { input: '*** Begin Patch\n*** Update File: doc/b.md\n' }),
      claude(where, 'search_replace', { file_path: 'doc/b.md', old_string: 'b', new_string: 'c' }),
      claude(where, 'find_and_replace', { path: 'doc/b.md' }),
      claude(where, 'str_replace_based_edit_tool', { command: 'create', path: 'doc/b.md' }),
      claude(where, 'share_file', { path: 'doc/b.md' }),
      claude(where, 'get_output', { command: 'rm doc/b.md' }),
      claude(where, 'mcp__files__unheard_of', { path: 'doc/b.md' }),
    ]) {
      const told = await hook(where, call)
      expect(told.decision, JSON.stringify(call.tool_input)).toBe('deny')
      expect(JSON.parse(told.response).hookSpecificOutput).toMatchObject({
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
      })
      expect(told.reason).toContain('doc/b.md is outside')
    }
    const { output } = await call(where, 'person', 'governance.task-list')
    expect(output.sessions[0].status).toBe('violated')
  })
  it('denied what is protected, and a way out through a link', async () => {
    const where = await bound()
    symlinkSync('../doc', join(where.root, 'src/way'))
    expect((await hook(where, claude(where, 'Write', { file_path: '.svc/config.yaml' }))).reason).toContain(
      'admin only',
    )
    expect((await hook(where, claude(where, 'Write', { file_path: 'src/way/b.md' }))).reason).toContain(
      'doc/b.md is outside',
    )
    expect((await hook(where, claude(where, 'Write', { file_path: '/etc/hosts' }))).reason).toContain(
      'outside the repository',
    )
  })
  it('denied a new dependency that its trust does not cover', async () => {
    const where = await bound()
    expect((await hook(where, claude(where, 'Bash', { command: 'npm install left-pad' }))).reason).toContain(
      'add_dependency',
    )
    expect(await hook(where, claude(where, 'Bash', { command: 'npm ci' }))).toMatchObject({ decision: 'allow' })
  })
  it('sent to its person with what is known only when it runs', async () => {
    const where = await bound()
    expect(await hook(where, claude(where, 'Bash', { command: 'rm -rf "$TARGET"' }))).toMatchObject({ decision: 'ask' })
  })
  it('told at once what a tool has changed outside', async () => {
    const where = await bound()
    write(where.root, { 'doc/b.md': 'sneaked\n' })
    const told = await hook(where, claude(where, 'Bash', { command: 'python3 x.py > src/log' }, 'PostToolUse'))
    expect(JSON.parse(told.response)).toMatchObject({ decision: 'block', reason: expect.stringContaining('doc/b.md') })
  })
  it('denied everything by a message that cannot be read', async () => {
    const where = await bound()
    expect(await hook(where, 'no json')).toMatchObject({ decision: 'deny', response: '' })
  })
})

describe('in the words of', () => {
  const spoken: [string, (root: string) => object, object][] = [
    [
      'Codex, which would pass over a question and is denied instead',
      cwd => ({
        turn_id: 't',
        cwd,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'rm $X' },
      }),
      { hookSpecificOutput: { permissionDecision: 'deny' } },
    ],
    [
      'Gemini CLI',
      cwd => ({
        session_id: 's',
        cwd,
        hook_event_name: 'BeforeTool',
        tool_name: 'write_file',
        tool_input: { file_path: 'doc/b.md' },
      }),
      { decision: 'deny' },
    ],
    [
      'Cursor',
      root => ({
        conversation_id: 'c',
        workspace_roots: [root],
        hook_event_name: 'beforeShellExecution',
        command: 'rm doc/b.md',
        cwd: root,
      }),
      { permission: 'deny' },
    ],
    [
      'Copilot CLI',
      cwd => ({ timestamp: 1, cwd, toolName: 'bash', toolArgs: JSON.stringify({ command: 'rm doc/b.md' }) }),
      { permissionDecision: 'deny' },
    ],
  ]
  it.each(spoken)('%s', async (_, message, told) => {
    const where = place(BLOCK)
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
    const { response } = await hook(where, message(where.root))
    expect(JSON.parse(response)).toMatchObject(told)
  })
  it('Windsurf, which reads the exit code and standard error', async () => {
    const where = place(BLOCK)
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
    const message = {
      agent_action_name: 'pre_write_code',
      tool_info: { file_path: join(where.root, 'doc/b.md'), edits: [] },
    }
    const told = await hook(where, message)
    expect(told).toMatchObject({ decision: 'deny', response: '', protocol: 'windsurf' })
    expect(told.notices).toEqual([told.reason])
  })
})

it('where nothing is governed, every tool is allowed and no records are made', async () => {
  const where = place()
  expect(await hook(where, claude(where, 'Bash', { command: 'rm -rf "$X" /' }))).toMatchObject({
    decision: 'allow',
    response: '',
  })
})

describe('installing the hook of an agent', () => {
  const program = { node: '/usr/bin/node', svc: '/opt/my tools/svc.js' }
  it.each(HOOKED_AGENTS)('keeps all other settings and entries of %s, and does nothing the second time', name => {
    const root = ground()
    const { hook } = installAgentHook(root, name, program)
    const settings = JSON.parse(readFileSync(hook, 'utf8'))
    const [event] = Object.keys(settings.hooks)
    const theirs = { command: 'mine.sh' }
    const given = { ...settings, theme: 'dark', hooks: { [event!]: [theirs], stop: [theirs] } }
    write(root, { [hook.slice(root.length + 1)]: JSON.stringify(given) })
    expect(installAgentHook(root, name, program).was).toBe('foreign')
    const merged = JSON.parse(readFileSync(hook, 'utf8'))
    expect(merged).toMatchObject({ theme: 'dark', hooks: { stop: [theirs] } })
    expect(merged.hooks[event!]).toEqual([theirs, settings.hooks[event!][0]])
    expect(installAgentHook(root, name, program).was).toBe('installed')
    expect(installAgentHook(root, name, { ...program, node: '/other' }).was).toBe('outdated')
    expect(JSON.parse(readFileSync(hook, 'utf8')).hooks[event!]).toHaveLength(2)
  })
  it.each(HOOKED_AGENTS)('of %s and taking it out again leaves every byte as it was', name => {
    const root = ground()
    const { hook } = installAgentHook(root, name, program)
    const [event] = Object.keys(JSON.parse(readFileSync(hook, 'utf8')).hooks)
    expect(uninstallAgentHook(root, name)).toEqual({ hook, removed: true })
    expect(existsSync(hook)).toBe(false)
    expect(uninstallAgentHook(root, name).removed).toBe(false)
    const theirs = { theme: 'dark', hooks: { [event!]: [{ command: 'mine.sh' }] }, last: [1] }
    for (const text of [
      JSON.stringify(theirs, null, 4),
      `${JSON.stringify(theirs, null, '\t')}\n`,
      `${JSON.stringify(theirs, null, 2)}\n`.replaceAll('\n', '\r\n'),
    ]) {
      write(root, { [hook.slice(root.length + 1)]: text })
      installAgentHook(root, name, program)
      expect(readFileSync(hook, 'utf8')).toContain('agent-hook')
      uninstallAgentHook(root, name)
      expect(readFileSync(hook, 'utf8')).toBe(text)
    }
  })
  it('keeps what somebody has put beside it in the same entry', () => {
    const root = ground()
    const { hook } = installAgentHook(root, 'claude-code', program)
    const settings = JSON.parse(readFileSync(hook, 'utf8'))
    settings.hooks.PreToolUse[0].hooks.push({ type: 'command', command: 'mine.sh' })
    write(root, { '.claude/settings.local.json': JSON.stringify(settings) })
    installAgentHook(root, 'claude-code', { ...program, node: '/other' })
    expect(readFileSync(hook, 'utf8')).toContain('mine.sh')
    uninstallAgentHook(root, 'claude-code')
    expect(readFileSync(hook, 'utf8')).toContain('mine.sh')
    expect(readFileSync(hook, 'utf8')).not.toContain('agent-hook')
  })
  it('leaves settings alone that cannot be read', () => {
    const root = ground()
    write(root, { '.cursor/hooks.json': '// comment\n{}' })
    expect(() => installAgentHook(root, 'cursor', program)).toThrow('no JSON object')
    expect(readFileSync(join(root, '.cursor/hooks.json'), 'utf8')).toBe('// comment\n{}')
  })
})
