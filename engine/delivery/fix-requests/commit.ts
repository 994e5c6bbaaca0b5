import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runGit } from '../../sources/repository/git.ts'

/** A file of a commit with its new content. */
export interface ChangedContent {
  path: string
  bytes: Uint8Array
}

/** The trailer by which svc knows its own commits again. */
export const TRAILER = 'Svc-Fix'

/**
 * Makes a commit on top of `base` in which these files are changed, and nothing else: index and work tree stay as they are. The same input gives
 * the same commit. Answers its id.
 */
export async function makeCommit(
  root: string,
  base: string,
  files: readonly ChangedContent[],
  message: string,
  signal: AbortSignal,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-commit-'))
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  const git = async (args: string[], input?: Uint8Array, more: Record<string, string> = {}) =>
    (await runGit(root, args, { signal, env: { ...env, ...more }, ...(input && { input }) })).toString('utf8').trim()
  try {
    await git(['read-tree', base])
    for (const { path, bytes } of files) {
      const [mode] = (await git(['ls-tree', base, '--', path])).split(' ')
      // Bytes as they are: no filter and no line ends of somebody's configuration.
      const blob = await git(['hash-object', '-w', '--no-filters', '--stdin'], bytes)
      await git(['update-index', '--cacheinfo', `${mode || '100644'},${blob},${path}`])
    }
    const tree = await git(['write-tree'])
    const date = await git(['show', '-s', '--format=%ct +0000', base])
    const identity = { GIT_AUTHOR_NAME: 'svc', GIT_AUTHOR_EMAIL: 'svc@localhost', GIT_AUTHOR_DATE: date }
    const committer = { GIT_COMMITTER_NAME: 'svc', GIT_COMMITTER_EMAIL: 'svc@localhost', GIT_COMMITTER_DATE: date }
    return await git(['commit-tree', tree, '-p', base, '-F', '-'], Buffer.from(message), { ...identity, ...committer })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
