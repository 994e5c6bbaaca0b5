import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { outFolder } from '../sources/store/make.ts'
import { commitFirst } from './first-commit.ts'
import { folder } from './folder.ts'

const made: string[] = []

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true })
})

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })

/** A git repository with these files, committed; removed after the test. */
export function project(files: Record<string, string | Uint8Array>): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-scan-'))
  made.push(root)
  commitFirst(root, files, git, [])
  return root
}

/** A git repository in a temporary folder with these files, none of them committed, gone after the test. */
export function repository(files: Record<string, string> = {}): string {
  const root = folder(files)
  execFileSync('git', ['init', '-q'], { cwd: root })
  return root
}

/** A git repository without a file, and its out folder. */
export async function empty(): Promise<{ root: string; out: string }> {
  const out = await outFolder()
  const root = dirname(out)
  mkdirSync(root, { recursive: true })
  execFileSync('git', ['init', '-q'], { cwd: root })
  return { root, out }
}
