import { expect, it } from 'vitest'
import { tasked, using } from './attempt.ts'

it('a file is found wherever the input of a tool names it', async () => {
  const where = await tasked()
  const patch = '*** Begin Patch\n*** Update File: doc/b.md\n@@\n-b\n+c\n*** End Patch'
  for (const [tool, input] of [
    ['apply_patch', { command: patch }],
    ['Bash', { command: `apply_patch <<'EOF'\n${patch}\nEOF` }],
    ['edit_files', { changes: { 'doc/b.md': { update: {} } } }],
    ['multi_replace', { replacements: [{ filePath: 'doc/b.md' }] }],
    ['create_file', { uri: 'file:///etc/hosts' }],
    ['apply_diff', { text: 'diff --git a/doc/b.md b/doc/b.md\n--- a/doc/b.md\n+++ b/doc/b.md\n' }],
    ['run_task', { task: { command: 'rm doc/b.md' } }],
    ['mcp__files__TaskWriteFile', { path: 'doc/b.md' }],
    ['mcp__files__touch', { dest: 'doc/b.md' }],
  ] as const) {
    const told = await using(where, tool, input)
    expect(told.decision, tool).toBe('deny')
    expect(told.reason, tool).toMatch(/outside/)
  }
  for (const [tool, input] of [
    ['write_stdin', { chars: 'rm doc/b.md' }],
    ['executeCode', { code: 'x' }],
  ] as const)
    expect((await using(where, tool, input)).decision, tool).toBe('ask')
})
