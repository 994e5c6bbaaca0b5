import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import type { Listing } from '../../engine/base/records/source-file.ts'
import { discover } from '../../engine/sources/repository/discover.ts'
import { hardenEnvironment } from '../../engine/sources/repository/git-hardening.ts'
import { commitFirst } from './first-commit.ts'

/** Runs git with an identity and without the settings of the machine. */
export function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, '-c', 'protocol.file.allow=always', ...args], {
    cwd: folder,
    env: hardenEnvironment(process.env.PATH ?? '', process.env, { GIT_ALLOW_PROTOCOL: 'file' }),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trimEnd()
}

/** A repository with one commit of the files, on branch main. */
export function repository(folder: string, files: Record<string, string | Uint8Array>): string {
  mkdirSync(folder, { recursive: true })
  commitFirst(folder, files, git, ['-b', 'main'])
  return folder
}

export function commit(folder: string): void {
  git(folder, 'add', '-A')
  git(folder, '-c', 'maintenance.auto=false', 'commit', '-q', '--allow-empty', '-m', 'work')
}

/** The paths that are listed, and `path reason` for those left out. */
export async function seen(folder: string, exclude: string[] = []): Promise<{ files: string[]; skipped: string[] }> {
  return outline(await discover(folder, { exclude }))
}

export function outline(listing: Listing): { files: string[]; skipped: string[] } {
  return {
    files: listing.files.map(file => (file.class ? `${file.path} ${file.class}` : file.path)),
    skipped: listing.skipped.map(skip => `${skip.path} ${skip.reason}`),
  }
}
