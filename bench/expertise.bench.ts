import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeHistory } from './git-history.ts'
import { measure, type Row, sideBySide } from './process.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')
const COMMITS = 50_000
const MOST_RATIO = 3

/** Profiles of a long history against git's own listing of it. `made` is a repository that git-history.ts has made. */
export async function bench(made?: string): Promise<Row[]> {
  const folder = made ?? mkdtempSync(join(tmpdir(), 'svc-history-'))
  try {
    if (!made) await makeHistory(folder, COMMITS)
    const commits = execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim()
    const [git, svc] = await sideBySide(3, [
      () => measure('git', ['log', '--numstat'], folder),
      () => measure(process.execPath, [SVC, 'check-expertise', '--profile', '--json'], folder),
    ])
    const ratio = svc!.ms / git!.ms
    return [
      {
        name: `svc check-expertise --profile over ${Number(commits).toLocaleString('en')} commits against git log --numstat`,
        figure: `${ratio.toFixed(2)} × (${svc!.ms.toFixed(0)} ms, ${git!.ms.toFixed(0)} ms; ${svc!.peak_mb} MB)`,
        target: `≤ ${MOST_RATIO} ×`,
        ok: ratio <= MOST_RATIO && svc!.code === 0,
      },
    ]
  } finally {
    if (!made) rmSync(folder, { recursive: true, force: true })
  }
}
