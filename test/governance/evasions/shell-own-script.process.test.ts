import { expect, it } from 'vitest'
import { running, tasked, write } from './attempt.ts'

it('a script that was not there before the task is for a person, one that was is of the project', async () => {
  const where = await tasked({ 'src/build.sh': 'true\n' })
  expect((await running(where, 'sh src/build.sh')).decision).toBe('allow')
  write(where.root, { 'src/mine.py': 'open("doc/b.md", "w")\n', 'src/build.sh': 'rm doc/b.md\n' })
  for (const command of [
    'sh src/build.sh',
    './src/build.sh',
    '. src/build.sh',
    'python3 src/mine.py',
    'sh < src/build.sh',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
