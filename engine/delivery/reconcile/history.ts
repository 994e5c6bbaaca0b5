import { runGit, tryGit } from '../../sources/repository/git.ts'
import type { HistoryEntry } from './reconcile.ts'

/** Commits that are reconciled, newest first. */
const MOST_COMMITS = 5000

/**
 * The commits of the current branch that are no merges, newest first: those that the default branch does not have, or the latest 5,000 where the
 * current branch is the default one.
 */
export async function readCommits(
  root: string,
  signal: AbortSignal,
): Promise<{ commits: HistoryEntry[]; branch?: string; since?: string }> {
  const branch = await readName(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  const since = await findBase(root, branch)
  const range = since === undefined ? ['HEAD'] : [`${since}..HEAD`]
  const args = ['log', '--no-merges', '-n', String(MOST_COMMITS), FORMAT, ...range, '--']
  const commits = parseLog(await runGit(root, args, { signal }))
  return { commits, ...(branch !== undefined && { branch }), ...(since !== undefined && { since }) }
}

/** These commits, wherever they are in the history. */
export async function readNamedCommits(
  root: string,
  shas: readonly string[],
  signal: AbortSignal,
): Promise<HistoryEntry[]> {
  if (shas.length === 0) return []
  const input = Buffer.from(`${shas.join('\n')}\n`)
  return parseLog(await runGit(root, ['log', '--no-walk=unsorted', '--stdin', FORMAT], { signal, input }))
}

const FORMAT = '--format=%x01%H%x02%B%x02'

function parseLog(output: Buffer): HistoryEntry[] {
  return output
    .toString('utf8')
    .split('\x01')
    .slice(1)
    .map(part => {
      const [sha = '', message = ''] = part.split('\x02')
      return { sha, subject: message.split('\n', 1)[0]!.slice(0, 200), message }
    })
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
