import { basename } from 'node:path'
import { EngineError } from '../base/errors.ts'
import { encodePath, type PathName, parsePathName } from '../base/text/path-name.ts'
import { readIndexEnvironment } from '../sources/repository/changes.ts'
import { runGit, tryGit } from '../sources/repository/git.ts'

/** What git's index says of one path. */
export interface IndexEntry extends PathName {
  /** Octal, as git writes it: 100644, 100755, 120000 (a link), 160000 (a submodule). */
  mode: string
  blob: string
  /** 0, or 1 to 3 for the sides of a conflict. */
  stage: number
  /** git does not look at the working file: it is assumed unchanged, or left out by a sparse checkout. */
  hidden: boolean
}

export interface GitCall {
  /** Environment of git's calls: names the index of the commit in the making, where there is one. */
  env: Record<string, string>
  signal?: AbortSignal
}

/**
 * How git is called for the index that the caller's environment names, or the repository's own. CONFLICT in the hook of
 * `git commit <paths>`: what is changed in its passing index would be lost to the real one, and then look undone.
 */
export function callFor(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): GitCall {
  const call = readIndexEnvironment(root, env)
  if (call.GIT_INDEX_FILE !== undefined && basename(call.GIT_INDEX_FILE).startsWith('next-index-')) {
    throw new EngineError('CONFLICT', 'A commit of single paths is in the making, and its index is not the real one.', {
      hint: 'Run `svc fix-hook` after the commit was refused, then commit again.',
    })
  }
  return { env: call, ...(signal && { signal }) }
}

/** Every entry of the index at these paths; a path in conflict has several, one that is not staged has none. */
export async function readIndex(
  root: string,
  paths: ReadonlySet<string>,
  call: GitCall,
): Promise<Map<string, IndexEntry[]>> {
  // All of it: a path may be anything, and no list of arguments is long enough for every list of paths.
  const output = await runGit(root, ['ls-files', '-s', '-v', '-z'], call)
  const entries = new Map<string, IndexEntry[]>()
  for (let at = 0; at < output.length; ) {
    const tab = output.indexOf(0x09, at)
    const end = output.indexOf(0, tab)
    const [tag = '', mode = '', blob = '', stage = ''] = output.toString('latin1', at, tab).split(' ')
    const name = parsePathName(output.subarray(tab + 1, end))
    at = end + 1
    if (!paths.has(name.path)) continue
    const hidden = tag === 'S' || tag !== tag.toUpperCase()
    entries.set(name.path, [...(entries.get(name.path) ?? []), { ...name, mode, blob, stage: Number(stage), hidden }])
  }
  return entries
}

/** Stores a content as it is, without filters or line end conversion, and gives its object id. */
export async function storeBlob(root: string, bytes: Uint8Array, { signal }: GitCall): Promise<string> {
  const output = await runGit(root, ['hash-object', '-w', '--stdin', '--no-filters'], { input: bytes, signal })
  return output.toString('latin1').trim()
}

/**
 * Puts new contents at paths of the index, modes kept, in one step: all of them or none. CONFLICT where another git process
 * holds the index.
 */
export async function stage(root: string, entries: readonly IndexEntry[], call: GitCall): Promise<void> {
  const end = Buffer.from([0])
  const input = Buffer.concat(
    entries.flatMap(({ mode, blob, path }) => [Buffer.from(`${mode} ${blob} 0\t`), encodePath(path), end]),
  )
  const { code, stderr } = await tryGit(root, ['update-index', '-z', '--index-info'], { ...call, input })
  if (code === 0) return
  if (stderr.includes('.lock')) {
    throw new EngineError('CONFLICT', 'Another git process is working on the index, so nothing was changed.', {
      hint: 'Wait until it is done and try again; if git crashed, remove the lock that `git status` names.',
    })
  }
  throw new EngineError('REPO_UNREADABLE', 'git could not change the index, so nothing was changed.', {
    cause: new Error(stderr),
  })
}
