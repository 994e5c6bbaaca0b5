import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { EngineError } from '../../base/errors.ts'
import { encodePath } from '../../base/text/path-name.ts'
import { BlobReader } from '../../sources/repository/blobs.ts'
import { runGit } from '../../sources/repository/git.ts'
import { findStanding, type Kept, listDirectoriesBelow, resolveBelow } from './kept.ts'
import type { Plan } from './plan.ts'
import { copyIndex, type Snapshot } from './snapshot.ts'

/** Runs work while nobody else can change git's index; CONFLICT where somebody is about to. `commit` puts a new one in place. */
export async function runWithIndex<T>(
  root: string,
  signal: AbortSignal,
  work: (index: { file: string; commit: (content: Buffer | null) => void }) => Promise<T>,
): Promise<T> {
  const file = await copyIndex(root, signal)
  const lock = `${file}.lock`
  let handle: number
  try {
    handle = openSync(lock, 'wx')
  } catch (error) {
    throw new EngineError('CONFLICT', 'Another git command is changing the index.', {
      hint: 'Wait for it to end. If none runs, remove .git/index.lock.',
      cause: error,
    })
  }
  let isRenamed = false
  const commit = (content: Buffer | null) => {
    if (content === null) rmSync(file, { force: true })
    else {
      writeFileSync(handle, content)
      fsyncSync(handle)
      renameSync(lock, file)
      isRenamed = true
    }
  }
  try {
    return await work({ file, commit })
  } finally {
    closeSync(handle)
    // A lock that is there after the rename is another's.
    if (!isRenamed) rmSync(lock, { force: true })
  }
}

/** Does what a plan says: files, then the index, then the branch. */
export async function carryOut(
  root: string,
  plan: Plan,
  index: { file: string; commit: (content: Buffer | null) => void },
  signal: AbortSignal,
): Promise<void> {
  const { target, head, ref } = plan
  const rewritten = Object.entries(plan.rewrite).map(([path, id]): [string, Kept] => {
    const stat = findStanding(root, encodePath(path))
    return [path, { kind: 'file', mode: stat?.isFile() ? stat.mode & 0o777 : 0o644, id }]
  })
  for (const path of [...plan.remove, ...Object.keys(plan.rewrite)]) takeAway(root, path)
  for (const path of Object.keys(plan.rewrite)) takeEmptyFolders(root, path)
  const own = `${index.file}.svc-${process.pid}`
  const env = { GIT_INDEX_FILE: own }
  try {
    if (existsSync(index.file)) copyFileSync(index.file, own)
    const entries = await entriesOf(root, target, [...plan.restore, ...plan.submodules], signal)
    const gone = plan.remove.map(path => entry('0 0000000000000000000000000000000000000000', path))
    await runGit(root, ['update-index', '-z', '--add', '--index-info'], {
      input: Buffer.concat([...gone, ...entries]),
      env,
      signal,
    })
    const names = Buffer.concat(plan.restore.flatMap(path => [encodePath(path), Buffer.from([0])]))
    await runGit(root, ['checkout-index', '-u', '-f', '-q', '-z', '--stdin'], { input: names, env, signal })
    await writeKept(root, Object.fromEntries(rewritten))
    index.commit(readFileSync(own))
  } finally {
    rmSync(own, { force: true })
  }
  await moveHead(root, { from: head, to: target, ref }, 'rollback', signal)
}

/** Brings back what a snapshot holds of the paths that a rollback touched, the index and the branch. */
export async function bringBack(
  root: string,
  snapshot: Snapshot,
  index: { commit: (content: Buffer | null) => void },
  from: string | null,
  signal: AbortSignal,
): Promise<void> {
  const kept = Object.fromEntries(snapshot.touched.map(path => [path, snapshot.kept[path]!]))
  for (const path of snapshot.touched) takeAway(root, path)
  for (const path of snapshot.folders) makeFolders(resolveBelow(root, encodePath(path)))
  await writeKept(root, kept)
  index.commit(snapshot.index === null ? null : await runGit(root, ['cat-file', 'blob', snapshot.index], { signal }))
  await moveHead(root, { from, to: snapshot.head, ref: snapshot.ref }, 'undo rollback', signal)
}

async function moveHead(
  root: string,
  { from, to, ref }: { from: string | null; to: string | null; ref: string | null },
  why: string,
  signal: AbortSignal,
): Promise<void> {
  if (from === to) return
  const name = ref ?? 'HEAD'
  const args = to === null ? ['-d', name, from!] : [name, to, from ?? '0'.repeat(to.length)]
  await runGit(root, ['update-ref', '--no-deref', '--create-reflog', '-m', `svc: ${why}`, ...args], { signal })
}

/** Removes a file or link, and the folders that are empty then. */
function takeAway(root: string, path: string): void {
  const name = encodePath(path)
  const stat = findStanding(root, name)
  if (!stat || stat.isDirectory()) return
  unlinkSync(resolveBelow(root, name))
  for (let at = name.lastIndexOf(47); at > 0; at = name.lastIndexOf(47, at - 1)) {
    try {
      rmdirSync(resolveBelow(root, name.subarray(0, at)))
    } catch {
      return
    }
  }
}

/** Removes folders that stand where a file has to go; they hold nothing but folders, or the plan would have been refused. */
function takeEmptyFolders(root: string, path: string): void {
  const name = encodePath(path)
  if (!findStanding(root, name)?.isDirectory()) return
  for (const folder of [path, ...listDirectoriesBelow(root, path)].reverse())
    rmdirSync(resolveBelow(root, encodePath(folder)))
}

/** Writes files and links with the bytes that are kept of them. */
async function writeKept(root: string, kept: Record<string, Kept>): Promise<void> {
  const there = Object.entries(kept).filter(
    (one): one is [string, Exclude<Kept, { kind: 'absent' | 'folder' }>] => 'id' in one[1],
  )
  const reader = new BlobReader(root)
  try {
    for (const [path, one] of there) {
      const [content] = await reader.read([one.id], Number.POSITIVE_INFINITY)
      if (!(content instanceof Uint8Array))
        throw new EngineError('INTERNAL', `The saved content of ${path} is missing.`)
      const name = encodePath(path)
      const file = resolveBelow(root, name)
      const slash = name.lastIndexOf(47)
      if (slash > 0) makeFolders(resolveBelow(root, name.subarray(0, slash)))
      if (one.kind === 'link') {
        symlinkSync(Buffer.from(content), file)
        continue
      }
      const temporary = Buffer.concat([file, Buffer.from(`.svc-${process.pid}`)])
      writeFileSync(temporary, content)
      chmodSync(temporary, one.mode)
      renameSync(temporary, file)
    }
  } finally {
    reader.close()
  }
}

/** Lines for `update-index --index-info`: what a commit has at these paths. */
async function entriesOf(
  root: string,
  commit: string | null,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Buffer[]> {
  if (commit === null || paths.length === 0) return []
  const wanted = new Set(paths.map(path => encodePath(path).toString('latin1')))
  const output = await runGit(root, ['ls-tree', '-r', '-z', '--full-tree', commit], { signal })
  const found: Buffer[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    const tab = output.indexOf(9, at)
    if (wanted.has(output.toString('latin1', tab + 1, end))) found.push(output.subarray(at, end + 1))
    at = end + 1
  }
  return found
}

function entry(what: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${what}\t`), encodePath(path), Buffer.from([0])])
}
