import type { ChildProcessByStdio } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import { detectLanguage, isTestPath } from '../base/languages/languages.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import { runGit, tryGit } from '../sources/repository/git.ts'
import { startGit } from '../sources/repository/git-process.ts'
import { readGitRecords } from '../sources/repository/git-records.ts'
import { isShallow } from '../sources/repository/shallow.ts'

/** A content of a file that some commit brought: looked at once, however many commits and paths have it. */
export interface HistoricBlob {
  oid: string
  path: string
  /** The first commit that has it, in an order in which no commit comes before its parents. */
  commit: Commit
}

export interface Commit {
  sha: string
  author: string
  /** ISO 8601. */
  date: string
}

/**
 * Every blob that any commit of any branch or tag brought. Commits are read as git prints them, so memory grows with the blobs
 * alone. NOT_FOUND where the history is empty; `shallow` where the clone does not have all of it.
 */
export async function listHistoricBlobs(
  root: string,
  { signal }: Pick<Context, 'signal'>,
): Promise<{ blobs: HistoricBlob[]; commits: number; shallow: boolean }> {
  const args = [
    'log',
    ...['--all', '--topo-order', '--reverse', '--raw', '--no-abbrev', '--no-renames', '--diff-filter=AMT', '-z'],
    // What a merge itself changes is in no other commit.
    '--diff-merges=first-parent',
    '--format=%x01%H%x02%aI%x02%an <%ae>',
  ]
  const blobs = new Map<string, HistoricBlob>()
  let commit: Commit | undefined
  /** The blob whose path the next record is, whatever that looks like; empty for a submodule's. */
  let oid: string | undefined
  const take = (record: string) => {
    if (oid !== undefined) {
      if (oid !== '' && !blobs.has(oid)) blobs.set(oid, { oid, path: record, commit: commit! })
      oid = undefined
      return
    }
    const mark = record.indexOf('\x01')
    if (mark !== -1) {
      const [sha = '', date = '', ...author] = record
        .slice(mark + 1)
        .trimEnd()
        .split('\x02')
      commit = { sha, author: author.join('\x02'), date }
      return
    }
    const raw = /^\n?:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*$/.exec(record)
    if (raw) oid = raw[1] === '160000' ? '' : raw[2]!
  }
  await readGitRecords(root, args, signal, take)
  // The log above leaves out commits that brought no content: those that only remove, and empty ones.
  const commits = Number((await runGit(root, ['rev-list', '--count', '--all'], { signal })).toString())
  if (commits === 0)
    throw new EngineError('NOT_FOUND', 'The repository has no commits, so it has no history to search.')
  return { blobs: [...blobs.values()], commits, shallow: await isShallow(root) }
}

/** The blobs as files to scan: in one listing a path may come again with another content, so each stands under its blob's name. */
export function toSourceFiles(blobs: readonly HistoricBlob[], sizes: ReadonlyMap<string, number>): SourceFile[] {
  return blobs.map(({ oid, path }) => ({
    path: `${oid}/${path}`,
    size: sizes.get(oid) ?? 0,
    language: detectLanguage(path),
    in_test: isTestPath(path),
    blob: oid,
  }))
}

/** Size of each object in bytes; those that the clone does not have are left out. */
export async function readSizes(root: string, oids: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const child = startGit(root, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  }) as ChildProcessByStdio<Writable, Readable, null>
  // Where git cannot be started there is no size to tell, and whoever reads the objects says why.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(`${oids.join('\n')}\n`)
  for await (const line of createInterface({ input: child.stdout })) {
    const [oid = '', size = ''] = line.split(' ')
    if (/^\d+$/.test(size)) sizes.set(oid, Number(size))
  }
  return sizes
}

/** Names of the blobs in the commit that is checked out; none where no commit is. Rejects where git cannot read it: what is at HEAD is then unknown. */
export async function listBlobsAtHead(root: string): Promise<Set<string>> {
  const head = await tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  if (head.code === 1 && head.stderr === '') return new Set()
  const listed = await runGit(root, ['ls-tree', '-r', '-z', 'HEAD'])
  const oids = new Set<string>()
  for (const entry of listed.toString('latin1').split('\0')) {
    const oid = /^\d+ blob ([0-9a-f]+)\t/.exec(entry)?.[1]
    if (oid !== undefined) oids.add(oid)
  }
  return oids
}
