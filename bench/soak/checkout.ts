import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hardenEnvironment } from '../../engine/sources/repository/git-hardening.ts'
import { ROOT } from './program.ts'

/** Runs git with an identity and without the settings of the machine; what it prints. */
export function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=soak', '-c', 'user.email=soak@localhost', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    env: {
      ...hardenEnvironment(process.env.PATH ?? '', process.env, { GIT_ALLOW_PROTOCOL: 'file' }),
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: '/nonexistent',
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  })
}

/** The files that make up a real repository of many languages: rules with their examples, sources, documents. */
export function realPaths(most: number): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', 'engine', 'cli', 'packs', 'docs', 'test', 'bench'], {
    cwd: ROOT,
  })
  const paths = listed
    .toString()
    .split('\0')
    .filter(path => path !== '' && !path.includes('.snap.') && !path.includes('.gen.'))
  const step = Math.max(1, Math.floor(paths.length / most))
  return paths.filter((_, index) => index % step === 0).slice(0, most)
}

/** A repository of so many of the project's own files, committed. */
export function checkout(folder: string, most: number): string {
  mkdirSync(folder, { recursive: true })
  for (const path of realPaths(most)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(ROOT, path), join(folder, path))
  }
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'first')
  return folder
}
