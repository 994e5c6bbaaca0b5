import { runGit, tryGit } from '../../sources/repository/git.ts'
import type { HistoryEntry } from './reconcile.ts'

/** Commits that are reconciled, newest first. */
const MOST_COMMITS = 5000

/**
 * The commits of the current branch that are no merges, newest first, with the files that they changed: those that the default branch does not
 * have, or the latest 5,000 where the current branch is the default one.
 */
export async function readCommits(
  root: string,
  signal: AbortSignal,
): Promise<{ commits: HistoryEntry[]; branch?: string; since?: string }> {
  const branch = await readName(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  const since = await findBase(root, branch)
  const range = since === undefined ? ['HEAD'] : [`${since}..HEAD`]
  const format = '--format=%x01%H%x02%B%x02'
  const args = [
    'log',
    '--no-merges',
    '-n',
    String(MOST_COMMITS),
    '--name-only',
    '-z',
    '--no-renames',
    format,
    ...range,
    '--',
  ]
  const output = (await runGit(root, args, { signal })).toString('utf8')
  const commits = output
    .split('\x01')
    .slice(1)
    .map(part => {
      const [sha = '', message = '', names = ''] = part.split('\x02')
      const files = names
        .split('\0')
        .map(name => name.replace(/^\n+/, ''))
        .filter(name => name !== '')
      return { sha, subject: message.split('\n', 1)[0]!.slice(0, 200), message, files }
    })
  return { commits, ...(branch !== undefined && { branch }), ...(since !== undefined && { since }) }
}

/** The default branch where the current one is another; by what the remote says, else main or master. */
async function findBase(root: string, branch: string | undefined): Promise<string | undefined> {
  const remote = await readName(root, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'])
  const named = remote?.replace(/^origin\//, '')
  for (const name of named === undefined ? ['main', 'master'] : [named]) {
    if (name === branch) return undefined
    for (const ref of [`refs/remotes/origin/${name}`, `refs/heads/${name}`])
      if ((await tryGit(root, ['rev-parse', '--quiet', '--verify', `${ref}^{commit}`])).code === 0) return ref
  }
  return undefined
}

async function readName(root: string, args: readonly string[]): Promise<string | undefined> {
  const { code, stdout } = await tryGit(root, args)
  const name = stdout.toString('utf8').trim()
  return code === 0 && name !== '' ? name : undefined
}
