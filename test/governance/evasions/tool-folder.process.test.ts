import { expect, it } from 'vitest'
import { tasked, using } from './attempt.ts'

it('the folder that a tool is told to run in counts', async () => {
  const where = await tasked()
  for (const [tool, input] of [
    ['exec_command', { cmd: 'rm b.md', workdir: 'doc' }],
    ['run_shell_command', { command: 'rm b.md', directory: 'doc' }],
    ['local_shell', { command: ['bash', '-lc', 'rm b.md'], working_directory: 'doc' }],
  ] as const) {
    const told = await using(where, tool, input)
    expect(told.decision, tool).toBe('deny')
    expect(told.reason, tool).toContain('doc/b.md is outside')
  }
})
