import { lstatSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder, removeTemporary } from '../base/disk/temporary.ts'
import { encodePath } from '../base/text/path-name.ts'
import { runGit } from '../sources/repository/git.ts'
import { computeContentId } from './content-id.ts'
import { splitNames } from './git-names.ts'
import { resolveBelow } from './rollback/kept.ts'

interface Options {
  signal?: AbortSignal
}

/** Milliseconds by which the time on a file may lie before the clock's. */
const SLACK = 1000

/**
 * Files that are not what a commit has, whatever git makes of them: one whose entry in the index was given the times of
 * the changed file, one that a filter of the repository's own settings turns back into what it was, one whose mode git
 * was told not to look at. Looked at is what has been written since `since`, by the time that the system notes and nobody
 * can set (ctime), so little is read. `known` are left out: those that git has told of.
 */
export async function findDisguised(
  root: string,
  commit: string,
  since: string,
  known: ReadonlySet<string>,
  options: Options,
): Promise<string[]> {
  const listed = splitNames(await runGit(root, ['ls-tree', '-r', '-z', '--full-tree', commit], options))
  const keeps = keepsModes(root)
  const begin = Date.parse(since) - SLACK
  const found: string[] = []
  const converted = new Map<string, string>()
  for (const line of listed) {
    const tab = line.indexOf('\t')
    const path = line.slice(tab + 1)
    const [mode, kind, id] = line.slice(0, tab).split(' ') as [string, string, string]
    if (kind !== 'blob' || known.has(path)) continue
    const file = resolveBelow(root, encodePath(path))
    const stat = statOf(file)
    // What is gone git tells of, unless the checkout is a sparse one, to which it does not belong.
    if (!stat || stat.ctimeMs < begin) continue
    options.signal?.throwIfAborted()
    if (!isOfMode(stat, mode, keeps)) found.push(path)
    else if (computeContentId(file, stat, id.length) !== id) converted.set(path, id)
  }
  return [...found, ...(await notByConversion(root, converted, options))]
}

/** What stands at a path; undefined for nothing, and where a file stands on the way. */
function statOf(file: Buffer): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Whether a file is of the kind, and may be run, as git's mode says; what may be run only where the disk keeps that. */
function isOfMode(stat: Stats, mode: string, keeps: boolean): boolean {
  if (stat.isSymbolicLink() || mode === '120000') return stat.isSymbolicLink() === (mode === '120000')
  return stat.isFile() && (!keeps || ((stat.mode & 0o100) !== 0) === (mode === '100755'))
}

const kept = new Map<string, boolean>()

/** Whether the disk that the repository lies on keeps modes and links: found by trying, since the repository's settings may lie. */
export function keepsModes(root: string): boolean {
  let keeps = kept.get(root)
  if (keeps === undefined) {
    keeps = process.platform !== 'win32' && triesModes(root)
    kept.set(root, keeps)
  }
  return keeps
}

function triesModes(root: string): boolean {
  const file = join(root, `.svc-mode-${process.pid}`)
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
    return (lstatSync(file).mode & 0o111) === 0
  } catch {
    return true
  } finally {
    rmSync(file, { force: true })
  }
}

/**
 * Of files whose bytes are others, those that stay others by the conversions that the user's own settings and the
 * repository's attributes ask for (ends of lines, large files kept elsewhere). Neither `.git/config` nor
 * `.git/info/attributes` has a say: git is asked in a repository that is empty.
 */
async function notByConversion(root: string, ids: Map<string, string>, options: Options): Promise<string[]> {
  const [first] = ids.values()
  if (first === undefined) return []
  const folder = makeTemporaryFolder('svc-conversion-')
  try {
    const format = first.length === 64 ? ['--object-format=sha256'] : []
    await runGit(folder, ['init', '-q', '--bare', '--template=', ...format, folder], options)
    // One name a line; the few that a line cannot hold are taken for changed.
    const asked = [...ids.keys()].filter(path => !encodePath(path).includes(10) && !path.startsWith('"'))
    const input = Buffer.concat(asked.flatMap(path => [encodePath(path), Buffer.from('\n')]))
    const env = { GIT_DIR: folder, GIT_WORK_TREE: root }
    const answer = await runGit(root, ['hash-object', '--stdin-paths'], { ...options, input, env })
    const now = answer.toString('latin1').split('\n')
    const same = new Set(asked.filter((path, n) => now[n] === ids.get(path)))
    return [...ids.keys()].filter(path => !same.has(path))
  } finally {
    removeTemporary(folder)
  }
}
