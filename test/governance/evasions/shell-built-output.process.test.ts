import { expect, it } from 'vitest'
import { running, tasked } from './attempt.ts'

it('what a compiler is told to write is seen', async () => {
  const where = await tasked()
  for (const command of [
    'gcc -o doc/b.md src/a.c',
    'ld -odoc/b.md a.o',
    'tsc --outDir doc',
    'tsc --outFile=doc/b.md',
    'javac -d doc src/A.java',
    'go build -o doc/b.md ./src',
    'rustc --out-dir doc src/a.rs',
  ]) {
    const told = await running(where, command)
    expect(told.decision, command).toBe('deny')
    expect(told.reason, command).toContain('outside')
  }
})
