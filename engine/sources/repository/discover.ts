import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { EngineError } from '../../base/errors.ts'
import type { KnownFile, Listing } from '../../base/records/source-file.ts'
import { gatherTree } from './bare.ts'
import { compileExcludes } from './exclude.ts'
import { gatherFolder } from './folder.ts'
import { type AbsentLink, Gathering, getErrorCode, sortByPath } from './gather.ts'
import { describeGitFailure, type GitOutput, saysNoRepository, tryGit } from './git.ts'
import { judgeLinks } from './links.ts'
import type { Remembered } from './remembered.ts'
import { findRepository, movesWorkTree } from './repository-place.ts'
import { type Gathered, gatherWorkTree } from './worktree.ts'
import type { Head } from './worktree-git.ts'

export interface DiscoverOptions {
  /** `scan_exclude`: files, folders and globs from the root (see compileExcludes). */
  exclude: readonly string[]
  /** Stops the listing; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** A file by path and git's name of its content, where it was seen before; unchanged files are then not looked at. */
  known?: (path: string, oid: string) => KnownFile | undefined
  /** Called where git has begun to list a work tree, which takes it a while: for what can be done beside it, and before `known` is asked. */
  meanwhile?: () => void
  /** What an earlier listing of the whole work tree left to be remembered, where its index is still in this state; asked after `meanwhile`. */
  remembered?: (index: string) => Remembered | undefined
  /** Files that a sparse checkout leaves out are listed, with git's object for their content and without their size. */
  absentAsObjects?: boolean
}

/** What discovery found. Where `kept` is there, the files that it has are listed too, and are not among `files`. */
export interface Discovered extends Listing, Pick<Gathered, 'kept' | 'toRemember'> {
  /** Symbolic links that a sparse checkout leaves out, where its files are listed: nobody has looked where they lead. */
  absentLinks?: readonly AbsentLink[]
}

/** What stands at the place a scan was started in. */
type Place =
  | { kind: 'git'; root: string; scope: string; commonFolder: string }
  | { kind: 'bare'; root: string }
  | { kind: 'folder'; root: string; hasGit: boolean }

/**
 * Lists the files to scan, and those left out with the reason, from a folder on.
 *
 * In a git work tree, linked or not, that is the index and what is untracked but not ignored, with the repositories
 * nested in it; the root is the repository's top folder, and a start further down narrows the list to that folder. In
 * a repository without a work tree it is HEAD's tree. Elsewhere it is all that `.gitignore` files do not name.
 *
 * Throws REPO_NOT_FOUND where there is no such folder, TOOL_MISSING where git is needed and not installed,
 * REPO_UNREADABLE where git refuses, NOTHING_TO_SCAN where a bare repository has no commit.
 */
export async function discover(start: string, options: DiscoverOptions): Promise<Discovered> {
  options.signal?.throwIfAborted()
  const excluded = compileExcludes(options.exclude)
  const folder = realFolder(start)
  const place = await placeOf(folder, options.signal)
  const into = new Gathering(place.root, excluded, options.signal, options.known)
  if (place.kind === 'folder') {
    await gatherFolder(into, place.hasGit)
    return listing(into, place.kind)
  }
  const gathered: Gathered =
    place.kind === 'git'
      ? await gatherWorkTree(into, { ...place, folder: place.root, at: '' }, options)
      : await gatherHead(into, await headOf(place.root, options.signal))
  const { sha, branch } = gathered.head ?? (await headOf(place.root, options.signal))
  if (
    place.kind === 'git' &&
    place.scope !== '' &&
    into.files.length === 0 &&
    (await isIgnored(folder, options.signal))
  ) {
    // The repository around it does not want the folder, but somebody asks for it: it stands for itself.
    const alone = new Gathering(folder, excluded, options.signal)
    await gatherFolder(alone, true)
    return listing(alone, 'folder')
  }
  const { kept, toRemember } = gathered
  return {
    ...listing(into, place.kind),
    git_sha: sha,
    branch,
    ...(kept && { kept }),
    ...(toRemember && { toRemember }),
    ...(into.absentLinks.length > 0 && { absentLinks: into.absentLinks }),
  }
}

function listing(into: Gathering, kind: Listing['kind']): Listing {
  sortByPath(into.files)
  sortByPath(into.skipped)
  judgeLinks(into)
  sortByPath(into.skipped)
  return { root: into.root, kind, files: into.files, skipped: into.skipped }
}

function realFolder(start: string): string {
  const place = resolve(start)
  let stats: Stats | undefined
  try {
    stats = statSync(place, { throwIfNoEntry: false })
  } catch (cause) {
    throw new EngineError(
      'REPO_UNREADABLE',
      `The directory ${JSON.stringify(start)} cannot be opened: ${getErrorCode(cause)}.`,
      {
        hint: 'Check the permissions of the directory and of its parent directories.',
        cause,
      },
    )
  }
  if (stats === undefined) throw new EngineError('REPO_NOT_FOUND', `No directory ${JSON.stringify(start)}.`)
  if (!stats.isDirectory())
    throw new EngineError('REPO_NOT_FOUND', `${JSON.stringify(start)} is a file, not a directory.`)
  return realpathSync.native(place)
}

/** Asks git what the folder is; a folder that no repository holds needs no git. */
async function placeOf(folder: string, signal: AbortSignal | undefined): Promise<Place> {
  const asked = [
    '--is-bare-repository',
    '--is-inside-git-dir',
    '--is-inside-work-tree',
    '--show-cdup',
    '--git-common-dir',
  ]
  let answer: GitOutput
  try {
    answer = await tryGit(folder, ['rev-parse', ...asked], { signal })
  } catch (error) {
    if (error instanceof EngineError && error.code === 'TOOL_MISSING' && !hasGitAbove(folder))
      return { kind: 'folder', root: folder, hasGit: false }
    throw error
  }
  if (answer.code !== 0) {
    if (saysNoRepository(answer.stderr)) return { kind: 'folder', root: folder, hasGit: true }
    throw describeGitFailure(['rev-parse'], answer.stderr)
  }
  const around = findRepository(folder)
  if (around !== undefined && movesWorkTree(around)) throw workTreeElsewhere()
  // One line each; the last is a path and may itself hold line feeds. Outside a work tree there is no line for cdup.
  const [bare, insideGit, insideTree, ...rest] = answer.stdout.toString('utf8').replace(/\n$/, '').split('\n')
  if (insideTree === 'true') {
    const root = resolve(folder, rest[0] ?? '')
    const commonFolder = realpathSync(resolve(folder, rest.slice(1).join('\n')))
    return { kind: 'git', root, scope: relative(root, folder).split(sep).join('/'), commonFolder }
  }
  if (bare !== 'true') {
    if (insideGit !== 'true') throw workTreeElsewhere()
    throw new EngineError('REPO_NOT_FOUND', 'This is inside a .git directory, not the project.', {
      hint: 'Run svc in the directory that contains .git.',
    })
  }
  return { kind: 'bare', root: insideGit === 'true' ? realpathSync(resolve(folder, rest.join('\n'))) : folder }
}

function workTreeElsewhere(): EngineError {
  return new EngineError('REPO_NOT_FOUND', 'The work tree of the repository is in another directory.', {
    hint: 'Run svc in the directory set in `git config core.worktree`, or remove that setting from .git/config.',
  })
}

async function headOf(root: string, signal: AbortSignal | undefined): Promise<Head> {
  const [sha, branch] = await Promise.all(
    [
      ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'],
      ['symbolic-ref', '--quiet', '--short', 'HEAD'],
    ].map(async args => (await tryGit(root, args, { signal })).stdout.toString('utf8').trimEnd() || undefined),
  )
  return { sha, branch }
}

async function gatherHead(into: Gathering, head: Head): Promise<Gathered> {
  const { sha, branch } = head
  if (sha !== undefined) {
    await gatherTree(into)
    return { head }
  }
  const about =
    branch === undefined
      ? 'HEAD names no commit'
      : `HEAD names the branch ${JSON.stringify(branch)}, which has no commit`
  throw new EngineError('NOTHING_TO_SCAN', `The repository has no work tree, and its ${about}.`, {
    hint: 'Point HEAD at a branch with commits: `git symbolic-ref HEAD refs/heads/<branch>`.',
  })
}

async function isIgnored(folder: string, signal: AbortSignal | undefined): Promise<boolean> {
  return (await tryGit(folder, ['check-ignore', '--quiet', '.'], { signal })).code === 0
}

function hasGitAbove(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (lstatSync(resolve(at, '.git'), { throwIfNoEntry: false }) !== undefined) return true
    if (at === dirname(at)) return false
  }
}
