import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Context } from '../../engine/base/context.ts'
import { EngineError } from '../../engine/base/errors.ts'

/** A git repository in a temporary folder with these files, gone after the test. */
export function repository(files: Record<string, string> = {}): string {
  const root = folder(files)
  execFileSync('git', ['init', '-q'], { cwd: root })
  return root
}

/** A plain folder with these files, gone after the test. */
export function folder(files: Record<string, string> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-config-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** The error that an operation or a load ends with. */
export async function refusal(work: () => unknown): Promise<EngineError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** What a surface gives to an operation, and the notices it was told. */
export function context(cwd: string, more: Partial<Context> = {}): Context & { notices: string[] } {
  const notices: string[] = []
  const base = { surface: 'cli' as const, cwd, env: {}, signal: new AbortController().signal }
  return { ...base, emit: () => {}, notice: text => void notices.push(text), notices, ...more }
}
