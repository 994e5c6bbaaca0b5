import { runGit, tryGit } from '../../sources/repository/git.ts'
import type { GitFacts, Known, LastChange } from './facts.ts'

/** Commits that are read for the last change of each file. */
const MOST_COMMITS = 20_000
const DAY = 86_400_000

/** Where git is asked, and what day it is. */
export interface GitQuestion {
  root: string
  branch: string | undefined
  now: number
  signal: AbortSignal
}

/** What git says of the last commit. Names are those of .mailmap. */
export async function readGitFacts({ root, branch, now, signal }: GitQuestion): Promise<Known<GitFacts>> {
  const format = ['%H', '%aN', '%aE', '%ct'].join('%x00')
  const { code, stdout } = await tryGit(root, ['log', '-1', `--format=${format}`], { signal })
  const [commit = '', last_author = '', last_author_email = '', seconds = ''] = stdout
    .toString('utf8')
    .trimEnd()
    .split('\0')
  if (code !== 0 || commit === '') return { missing: 'the repository has no commit, so nothing is known from git' }
  const written = (await runGit(root, ['cat-file', 'commit', commit], { signal })).toString('latin1')
  const header = written.slice(0, Math.max(0, written.indexOf('\n\n')))
  return {
    value: {
      ...{ branch: branch ?? '', commit, last_author, last_author_email },
      days_since_last_commit: countDays(Number(seconds) * 1000, now),
      // Whether the signature is good would take the keys of whoever signed, and a program that the repository may name.
      signed: /^gpgsig(?:-sha256)? /m.test(header),
    },
  }
}

/** The last commit that changed each file, from the latest 20,000 commits; a file that none of them changed is not in it. */
export async function readHistory({ root, now, signal }: GitQuestion): Promise<Known<ReadonlyMap<string, LastChange>>> {
  const args = [
    'log',
    `--max-count=${MOST_COMMITS}`,
    '--no-renames',
    '--no-show-signature',
    '--name-only',
    '-z',
    '--format=%x01%ct%x02%aN',
  ]
  const { code, stdout } = await tryGit(root, args, { signal })
  if (code !== 0) return { missing: 'the repository has no commit, so nothing is known of its history' }
  const changes = new Map<string, LastChange>()
  let change: LastChange | undefined
  for (const part of stdout.toString('utf8').split('\0')) {
    const text = part.replace(/^\n/, '')
    const [, seconds, last_author] = /^\x01(\d+)\x02([^\n]*)/.exec(text) ?? []
    if (seconds !== undefined)
      change = { last_author: last_author!, days_since_change: countDays(Number(seconds) * 1000, now) }
    const path = seconds === undefined ? text : text.slice(text.indexOf('\n') + 1)
    if (change && path !== '' && !path.startsWith('\x01') && !changes.has(path)) changes.set(path, change)
  }
  return { value: changes }
}

function countDays(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / DAY))
}
