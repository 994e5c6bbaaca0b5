import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import { EngineError } from '../../base/errors.ts'
import { runGit, tryGit } from '../../sources/repository/git.ts'
import type { SessionStatus } from '../../sources/state/records.ts'
import type { Kept } from './kept.ts'

/** Where snapshots are kept: no branch, so that nothing is pushed, and git never throws them away. */
const REFS = 'refs/svc/rollback'
const UNDONE = 'refs/svc/undone'

/** Everything that a rollback may change, as it was before. */
export interface Snapshot {
  version: 1
  session: string
  /** The session's status, which undoing gives back. */
  status: SessionStatus
  at: string
  /** The commit and the branch (`refs/heads/…`) that were checked out; null before the first commit, and when detached. */
  head: string | null
  ref: string | null
  /** The object with the very bytes of git's index; null where there was none. */
  index: string | null
  /** All that differed from the commit, and all that the rollback touches. */
  kept: Record<string, Kept>
  touched: string[]
  /** Folders that were there, around and below what it touches: git knows of none that is empty. */
  folders: string[]
  /** The commit that it goes back to; null to before the first one. */
  target: string | null
  /** What stood there once the rollback was done; absent where it was ended on the way. */
  after?: Record<string, Kept>
  /** The index then: a digest of its entries. */
  after_index?: string
}

/** The file of git's index, absolute; a work tree of its own has its own. */
export async function copyIndex(root: string, signal: AbortSignal): Promise<string> {
  return resolve(
    root,
    (await runGit(root, ['rev-parse', '--git-path', 'index'], { signal })).toString('utf8').trimEnd(),
  )
}

/** Keeps the bytes of the index as an object; null where there is none. */
export async function keepIndex(root: string, signal: AbortSignal): Promise<string | null> {
  const file = await copyIndex(root, signal)
  if (!existsSync(file)) return null
  const input = readFileSync(file)
  return (await runGit(root, ['hash-object', '-w', '--no-filters', '--stdin'], { input, signal }))
    .toString('latin1')
    .trim()
}

/** The entries of the index, all stages, as one text: two indexes that hold the same say the same. */
export async function listIndexEntries(root: string, signal: AbortSignal): Promise<string> {
  return (await runGit(root, ['ls-files', '-s', '-v', '-z'], { signal })).toString('latin1')
}

/** A snapshot's place: the ref, and the commit that it stands for. */
export interface Place {
  ref: string
  commit: string
}

/** Writes a snapshot as a commit below `ref` (made where it is left out), holding every object that it names. */
export async function writeSnapshot(
  root: string,
  snapshot: Snapshot,
  signal: AbortSignal,
  given?: string,
): Promise<Place> {
  const ref =
    given ?? `${REFS}/${snapshot.session}/${snapshot.at.replaceAll(/[:.]/g, '-')}-${randomBytes(2).toString('hex')}`
  const ids = new Set(Object.values(snapshot.kept).flatMap(kept => ('id' in kept ? [kept.id] : [])))
  if (snapshot.index !== null) ids.add(snapshot.index)
  for (const id of await stagedObjects(root, signal)) ids.add(id)
  const input = Buffer.from(JSON.stringify(snapshot))
  const manifest = (await runGit(root, ['hash-object', '-w', '--stdin'], { input, signal })).toString('latin1').trim()
  const lines = [`100644 ${manifest}\tsnapshot.json`, ...[...ids].map(id => `100644 ${id}\tobjects/${id}`)]
  const folder = makeTemporaryFolder('svc-snapshot-')
  const index = join(folder, 'index')
  try {
    const env = { GIT_INDEX_FILE: index }
    await runGit(root, ['update-index', '--add', '--index-info'], {
      input: Buffer.from(`${lines.join('\n')}\n`),
      env,
      signal,
    })
    const tree = (await runGit(root, ['write-tree'], { env, signal })).toString('latin1').trim()
    const who = {
      GIT_AUTHOR_NAME: 'svc',
      GIT_AUTHOR_EMAIL: 'svc@localhost',
      GIT_COMMITTER_NAME: 'svc',
      GIT_COMMITTER_EMAIL: 'svc@localhost',
    }
    const parents = snapshot.head === null ? [] : ['-p', snapshot.head]
    const message = `svc: before the rollback of ${snapshot.session}`
    const args = ['-c', 'commit.gpgSign=false', 'commit-tree', tree, ...parents, '-m', message]
    const commit = (await runGit(root, args, { env: who, signal })).toString('latin1').trim()
    await runGit(root, ['update-ref', ref, commit], { signal })
    return { ref, commit }
  } finally {
    removeTemporary(folder)
  }
}

/** The latest snapshot of a session that was not undone; NOT_FOUND where there is none, STORE_UNREADABLE for what is none. */
export async function loadLatestSnapshot(
  root: string,
  id: string,
  signal: AbortSignal,
): Promise<Place & { snapshot: Snapshot }> {
  const format = '--format=%(refname) %(objectname)'
  const list = await runGit(root, ['for-each-ref', format, '--sort=-refname', '--count=1', `${REFS}/${id}/`], {
    signal,
  })
  const [ref, commit] = list.toString('utf8').trim().split(' ')
  if (!ref || !commit)
    throw new EngineError('NOT_FOUND', `No rollback of ${id} can be undone.`, {
      hint: 'List sessions with `svc task-list --status rolled_back`.',
    })
  const text = (await runGit(root, ['cat-file', 'blob', `${commit}:snapshot.json`], { signal })).toString('utf8')
  const snapshot = JSON.parse(text) as Snapshot
  // Whoever can write refs can write this, and what is named here is written and removed.
  const stray = [...snapshot.touched, ...snapshot.folders].find(path => !isBelow(path))
  if (stray === undefined) return { ref, commit, snapshot }
  throw new EngineError('STORE_UNREADABLE', `${ref} names ${JSON.stringify(stray)}, which no snapshot of svc does.`)
}

/** Whether a path stays below the root, and out of git's own folder. */
function isBelow(path: string): boolean {
  const parts = path.split('/')
  return !parts.some(part => ['', '.', '..'].includes(part) || part.toLowerCase() === '.git')
}

/** Notes that a snapshot was brought back. It stays, under another name. */
export async function retire(root: string, ref: string, signal: AbortSignal): Promise<void> {
  await runGit(root, ['update-ref', ref.replace(REFS, UNDONE), ref], { signal })
  await runGit(root, ['update-ref', '-d', ref], { signal })
}

/** Objects that only the index holds, as far as the repository has them. */
async function stagedObjects(root: string, signal: AbortSignal): Promise<string[]> {
  const entries = (await runGit(root, ['ls-files', '-s', '-z'], { signal })).toString('latin1').split('\0')
  const head = await tryGit(root, ['ls-tree', '-r', '-z', 'HEAD'], { signal })
  const known = new Set(
    head.code === 0
      ? head.stdout
          .toString('latin1')
          .split('\0')
          .map(line => line.slice(7 + 5, 7 + 5 + 64).split('\t')[0])
      : [],
  )
  const ids = new Set(
    entries.filter(line => line !== '' && !line.startsWith('160000')).map(line => line.split(' ')[1]!),
  )
  const own = [...ids].filter(id => !known.has(id))
  if (own.length === 0) return []
  const input = Buffer.from(`${own.join('\n')}\n`)
  const there = (await runGit(root, ['cat-file', '--batch-check'], { input, signal })).toString('latin1').split('\n')
  return there.flatMap(line => (/ blob \d+$/.test(line) ? [line.split(' ')[0]!] : []))
}
