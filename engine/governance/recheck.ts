import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { encodePath } from '../base/text/path-name.ts'
import { type GitOptions, runGit as plainGit, tryGit } from '../sources/repository/git.ts'
import type { Session } from '../sources/state/records.ts'
import { computeContentId } from './content-id.ts'
import { findDisguised, keepsModes } from './disguised.ts'
import { splitNames } from './git-names.ts'
import { findStanding, resolveBelow } from './rollback/kept.ts'
import { findSelfHidden } from './self-hidden.ts'

/** What stands in a baseline for a file that is not there. */
export const ABSENT = 'absent'
/** The path that stands for the repository itself, where what was done to it hides what has changed. */
export const REPOSITORY = '.git'

/** Where a repository stands when a session begins. */
export interface Start {
  /** Null before the first commit, and outside of git. */
  git_sha: string | null
  branch: string | null
  /** Files that differ from the commit already, by path, with the object id that their content would have. */
  baseline: Record<string, string>
}

/** What differs from the start: paths, and whether anything could be told at all. */
export interface Changed {
  /** Repository-relative, sorted. Both names of a renamed file; a deleted one too. */
  paths: string[]
  /** Why nothing can be told: no git repository, or the commit of the start is gone. */
  unknown?: string
}

interface Options {
  signal?: AbortSignal
}

/** Settings by which git would see less. Whether case tells names apart is left to git where disks are usually blind to it. */
const SEEING = [
  ...(process.platform === 'linux' ? ['core.ignoreCase=false'] : []),
  ...['log.showRoot=true', 'log.showSignature=false', 'log.diffMerges=separate', 'diff.orderFile=/dev/null'],
]

function git(root: string, args: readonly string[], options: GitOptions): Promise<Buffer> {
  const settings = keepsModes(root) ? [...SEEING, 'core.fileMode=true', 'core.symlinks=true'] : SEEING
  return plainGit(root, [...settings.flatMap(setting => ['-c', setting]), ...args], options)
}

/** Notes where the repository stands, so that what was there before is not laid at the session's door. */
export async function getStart(root: string, options: Options = {}): Promise<Start> {
  const top = await tryGit(root, ['rev-parse', '--is-inside-work-tree'], options)
  if (top.stdout.toString('latin1').trim() !== 'true') return { git_sha: null, branch: null, baseline: {} }
  const [head, branch] = await Promise.all([
    tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], options),
    tryGit(root, ['symbolic-ref', '--short', '--quiet', 'HEAD'], options),
  ])
  const sha = head.code === 0 ? head.stdout.toString('latin1').trim() : null
  const base = sha ?? (await emptyTree(root, options))
  const paths = await differing(root, base, options)
  return {
    git_sha: sha,
    branch: branch.code === 0 ? branch.stdout.toString('utf8').trim() : null,
    baseline: Object.fromEntries(objectIds(root, paths, base.length, options)),
  }
}

/**
 * What has changed since a session began, from git and the disk and whatever the session said: what was committed on the
 * way, what is staged, what is in the working tree and untracked, renames by both names, deletions, submodules, files
 * that git was told not to look at (assume-unchanged, skip-worktree), those that were made to look unchanged
 * (`disguised`), and those that new rules ignore (`findSelfHidden`). What differed at the start and is still the same does
 * not count. Files that git ignored before are not seen. Where git cannot tell any more, the repository itself has changed.
 */
export async function findChangedSince(
  root: string,
  { git_sha, branch, baseline, created_at }: Pick<Session, 'git_sha' | 'branch' | 'baseline' | 'created_at'>,
  options: Options = {},
): Promise<Changed> {
  const lost = (unknown: string) => ({ paths: git_sha === null && branch === null ? [] : [REPOSITORY], unknown })
  const inside = await tryGit(root, ['rev-parse', '--is-inside-work-tree'], options)
  if (inside.stdout.toString('latin1').trim() !== 'true')
    return lost('the directory is not a git work tree, so changes are unknown')
  const base = git_sha ?? (await emptyTree(root, options))
  if (git_sha !== null) {
    const there = await tryGit(root, ['cat-file', '-e', `${git_sha}^{commit}`], options)
    if (there.code !== 0) return lost('the commit at which the session started is missing')
  }
  const found = new Set(await differing(root, base, options))
  for (const path of await committed(root, git_sha, options)) found.add(path)
  for (const path of await findDisguised(root, base, created_at, found, options)) found.add(path)
  for (const path of Object.keys(baseline)) found.add(path)
  const suspects = [...found].filter(path => Object.hasOwn(baseline, path))
  for (const [path, id] of objectIds(root, suspects, base.length, options))
    if (baseline[path] === id) found.delete(path)
  return { paths: [...found].sort() }
}

/** Of these files, absolute, those whose content is not what a commit has at their place; one outside the repository never is. */
export async function findUncommitted(
  root: string,
  commit: string,
  files: readonly string[],
  options: Options,
): Promise<string[]> {
  const named = new Map(files.map(file => [file, relative(root, file).split(sep).join('/')]))
  const inside = [...named.values()].filter(path => path !== '' && !path.startsWith('../'))
  if (inside.length === 0) return [...files]
  const tree = await tryGit(root, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', ...inside], options)
  const wanted = new Map(
    splitNames(tree.stdout).map(line => [line.slice(line.indexOf('\t') + 1), line.split(/[ \t]/)[2]!] as const),
  )
  const now = objectIds(root, inside, commit.length, options)
  return files.filter(file => {
    const id = now.get(named.get(file)!)
    return id === undefined || id === ABSENT || wanted.get(named.get(file)!) !== id
  })
}

/** The tree without any file, of which every git repository knows, by the name that it has in this one: there are two kinds of names. */
async function emptyTree(root: string, options: Options): Promise<string> {
  const name = await git(root, ['hash-object', '-t', 'tree', '--stdin'], { ...options, input: Buffer.alloc(0) })
  return name.toString('latin1').trim()
}

const NESTED_STATUS = ['status', '--porcelain', '-z', '--untracked-files=normal', '--ignore-submodules=dirty']
const RAW = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=dirty']

/** Paths whose content in the index or in the working tree is not that of a commit, and untracked ones. */
async function differing(root: string, base: string, options: Options): Promise<string[]> {
  const [tree, index, others, flagged] = await Promise.all([
    git(root, ['diff', ...RAW, base, '--'], options),
    git(root, ['diff', '--cached', ...RAW, base, '--'], options),
    git(root, ['ls-files', '-o', '-z', '--exclude-per-directory=.gitignore'], options),
    git(root, ['ls-files', '-s', '-v', '-z'], options),
  ])
  const names = [tree, index, others].flatMap(splitNames)
  const entries = splitNames(flagged).map(line => ({
    tag: line[0]!,
    isRepository: line.startsWith('160000', 2),
    path: line.slice(line.indexOf('\t') + 1),
  }))
  // A lower-case letter is assume-unchanged, S is skip-worktree: git looks away, so we look ourselves.
  const hidden = entries.filter(({ tag }) => /[a-zS]/.test(tag)).map(({ path }) => path)
  const seen = new Set([...names, ...(await hiddenChanges(root, base, hidden, options))])
  for (const { path } of entries.filter(({ isRepository }) => isRepository))
    if (!seen.has(path) && (await hasNestedChanges(root, path, options))) seen.add(path)
  for (const path of await findSelfHidden(root, base, seen, options)) seen.add(path)
  return [...seen]
}

/**
 * Whether the work tree of a nested repository (submodule, gitlink) differs from what is checked out in it, at any depth. git would ask this with
 * the nested repository's own filters and monitors; here each is asked as a repository of its own. One that git cannot read counts as changed.
 */
async function hasNestedChanges(root: string, path: string, options: Options): Promise<boolean> {
  const folder = resolve(root, path)
  if (!findStanding(root, encodePath(path))?.isDirectory() || !existsSync(join(folder, '.git'))) return false
  const { code, stdout } = await tryGit(folder, NESTED_STATUS, { ...options, env: { GIT_CEILING_DIRECTORIES: root } })
  if (code !== 0 || stdout.length > 0) return true
  const entries = splitNames(await plainGit(folder, ['ls-files', '-s', '-z'], options))
  for (const entry of entries.filter(line => line.startsWith('160000')))
    if (await hasNestedChanges(folder, entry.slice(entry.indexOf('\t') + 1), options)) return true
  return false
}

/** Of files that git was told not to look at: those that are there and whose content is not the commit's. */
async function hiddenChanges(root: string, base: string, paths: string[], options: Options): Promise<string[]> {
  if (paths.length === 0) return []
  const listed = splitNames(await git(root, ['ls-tree', '-r', '-z', base], options))
  const wanted = new Map(listed.map(line => [line.slice(line.indexOf('\t') + 1), line.split(/[ \t]/)[2]!]))
  const now = objectIds(root, paths, base.length, options)
  return [...now].filter(([path, id]) => id !== ABSENT && wanted.get(path) !== id).map(([path]) => path)
}

/** Paths that any commit since then has touched, even where a later one has undone it. */
async function committed(root: string, since: string | null, options: Options): Promise<string[]> {
  const head = await tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], options)
  if (head.code !== 0) return []
  const range = since === null ? ['HEAD'] : [`${since}..HEAD`]
  return splitNames(await git(root, ['log', '--format=', '-m', ...RAW, ...range, '--'], options)).filter(
    path => path !== '',
  )
}

/** The object id that each path's content would have in git now, links by where they lead; ABSENT where nothing is there. */
function objectIds(root: string, paths: readonly string[], digits: number, options: Options): Map<string, string> {
  const ids = new Map<string, string>()
  for (const path of paths) {
    options.signal?.throwIfAborted()
    // A file below a link, or below what is a file now, is not there: what a link leads to is another's content.
    const stat = findStanding(root, encodePath(path))
    // Nor is it where a folder stands; but that of a submodule never counts as unchanged: its commit is not its content.
    const isGone = !stat || (stat.isDirectory() && !findStanding(root, encodePath(`${path}/.git`)))
    const id = isGone ? ABSENT : computeContentId(resolveBelow(root, encodePath(path)), stat, digits)
    if (id !== undefined) ids.set(path, id)
  }
  return ids
}
