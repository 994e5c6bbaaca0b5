import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it("a recipe that is not the project's own is for a person", async () => {
  const where = await tasked()
  for (const command of [
    'make -f /tmp/evil',
    'make SHELL=/tmp/x',
    'make --eval="x:;rm doc/b.md" x',
    'npm run x --prefix /tmp/evil',
    'pnpm -C /tmp/evil test',
    'go run /tmp/x.go',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('ask')
    expect(told.reason, command).toContain('files are unknown')
  }
})
