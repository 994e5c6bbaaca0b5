import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import type { Context, Event, Surface } from '../../engine/base/context.ts'

const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A git repository with these files, committed; removed after the test. */
export function project(files: Record<string, string | Uint8Array>): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-scan-'))
  made.push(root)
  write(root, files)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'first')
  return root
}

export function write(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

/** A regex rule of the repository's own: the file `.svc/rules/<id>.yaml`. The word it finds is in its id. */
export function wordRule(word: string, more = ''): Record<string, string> {
  const id = `local-${word}`
  const text = [
    `id: ${id}`,
    'type: regex',
    `title: The word ${word}`,
    `message: Somebody wrote ${word}.`,
    ...(more.includes('severity:') ? [] : ['severity: high']),
    'languages: [any]',
    ...(more.includes('regex:') ? [] : [`regex: '\\b${word}\\b'`]),
    `remediation: Do not write ${word}.`,
    ...(more.includes('match:') ? [] : [`match: ['the ${word}']`, "clean: ['nothing of the kind']"]),
    more,
  ]
  return { [`.svc/rules/${id}.yaml`]: `${text.join('\n')}\n` }
}

/** A rule over the list of files: the file `.svc/rules/<id>.yaml`. */
export function policy(id: string, check: string, match: string, clean: string, more = ''): Record<string, string> {
  const lines = [
    `id: ${id}`,
    'type: file_policy',
    `title: ${id}`,
    'message: The list of files is not as it was agreed.',
    'severity: medium',
    'languages: [any]',
    `check: { ${check} }`,
    more,
    'remediation: Mend the list.',
    `match: [{ path: ${match}, code: "" }]`,
    `clean: [{ path: ${clean}, code: "" }]`,
  ]
  return { [`.svc/rules/${id}.yaml`]: lines.filter(Boolean).join('\n') }
}

/** A surface that keeps what it was told. */
export function surface(
  cwd: string,
  more: { surface?: Surface; signal?: AbortSignal; env?: Record<string, string> } = {},
) {
  const events: Event[] = []
  const notices: string[] = []
  const context: Context = {
    surface: more.surface ?? 'cli',
    cwd,
    env: more.env ?? {},
    signal: more.signal ?? new AbortController().signal,
    emit: event => events.push(event),
    notice: text => notices.push(text),
  }
  return { context, events, notices }
}
