import { EngineError } from '../../base/errors.ts'
import { runGit } from '../../sources/repository/git.ts'
import type { RequirementIndex } from './ids.ts'

/** A commit that names requirements in its message. */
export interface NamedCommit {
  sha: string
  subject: string
  ids: string[]
  /** Paths that it changed. */
  files: string[]
}

export interface NamedHistory {
  commits: NamedCommit[]
  branches: { name: string; ids: string[] }[]
  /** Why the history is not known; absent where it is. */
  missing?: string
}

/** Commits whose messages are read, newest first. */
const MOST_COMMITS = 20_000
/** Commits whose files are read. */
const MOST_NAMED = 2000
/** A commit that changes more files says nothing of any of them. */
const MOST_FILES = 200

/** The commits and branches that name requirements. Merges are left out, since they change nothing themselves. */
export async function readNamedHistory(
  root: string,
  index: RequirementIndex,
  signal?: AbortSignal,
): Promise<NamedHistory> {
  const none = { commits: [], branches: [] }
  try {
    const [log, refs] = await Promise.all([
      runGit(root, ['log', '--no-merges', '-n', String(MOST_COMMITS), '-z', '--format=%H%x01%B'], { signal }),
      runGit(root, ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes'], { signal }),
    ])
    const named = log
      .toString('utf8')
      .split('\0')
      .flatMap(entry => {
        const [sha = '', message = ''] = entry.split('\x01', 2)
        const ids = index.findIn(message.slice(0, 10_000)).map(({ id }) => id)
        return ids.length === 0 ? [] : [{ sha: sha.trim(), subject: message.split('\n', 1)[0]!.slice(0, 200), ids }]
      })
      .slice(0, MOST_NAMED)
    const files = await readFiles(
      root,
      named.map(({ sha }) => sha),
      signal,
    )
    const branches = refs
      .toString('utf8')
      .split('\n')
      .flatMap(name => {
        const ids = index.findIn(name).map(({ id }) => id)
        return ids.length === 0 ? [] : [{ name, ids }]
      })
    return { commits: named.map(each => ({ ...each, files: files.get(each.sha) ?? [] })), branches }
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'INTERRUPTED') throw error
    return { ...none, missing: 'git has no history here' }
  }
}

async function readFiles(root: string, shas: readonly string[], signal?: AbortSignal): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  if (shas.length === 0) return found
  const input = Buffer.from(`${shas.join('\n')}\n`)
  const args = ['log', '--no-walk=unsorted', '--stdin', '--name-only', '-z', '--no-renames', '--format=%x01%H']
  const output = (await runGit(root, args, { input, signal })).toString('utf8')
  for (const part of output.split('\x01').slice(1)) {
    const [sha = '', ...paths] = part.split('\0')
    const names = paths.map(path => path.replace(/^\n/, '')).filter(path => path !== '')
    if (names.length <= MOST_FILES) found.set(sha.trim(), names)
  }
  return found
}
