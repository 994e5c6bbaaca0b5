import { existsSync, readdirSync } from 'node:fs'
import { EngineError } from '../../base/errors.ts'
import { encodePath, parsePathName } from '../../base/text/path-name.ts'
import { runGit, tryGit } from '../../sources/repository/git.ts'
import type { Session } from '../../sources/state/records.ts'
import { splitNames } from '../git-names.ts'
import { ABSENT, findChangedSince } from '../recheck.ts'
import { findStanding, resolveBelow } from './kept.ts'
import { copyIndex } from './snapshot.ts'

/** A commit that would no longer be on the branch. */
export interface Commit {
  sha: string
  author: string
  subject: string
  /** Whether it is the session's: made in its time, and of nothing outside its paths but what was recorded of it. */
  own: boolean
}

/** What a rollback would do. */
export interface Plan {
  target: string | null
  head: string | null
  /** The branch (`refs/heads/…`), null when detached. */
  ref: string | null
  commits: Commit[]
  /** Paths that become again what they are in the target commit. */
  restore: string[]
  /** Paths that become again what they were, uncommitted, when the session began: their content's object. */
  rewrite: Record<string, string>
  /** Paths that were not there, and go. */
  remove: string[]
  /** Submodules: their entry goes back, their folder stays as it is. */
  submodules: string[]
  /** What a person should know: what is not touched, what is not known. */
  notes: string[]
  /** Why it would lose what is not the session's; each is overcome by force only. */
  obstacles: string[]
}

interface Options {
  /** Whether a path is the session's: within its paths, or recorded as its violation. */
  isOwn: (path: string) => boolean
  /** Other sessions that work on a path. */
  others: (path: string) => string | undefined
  signal: AbortSignal
  now: string
}

/**
 * What has to be done to put the tree back to where a session began. CONFLICT where that is not known, or where git is in
 * the middle of something.
 */
export async function makePlan(root: string, session: Session, options: Options): Promise<Plan> {
  const { signal } = options
  const changed = await findChangedSince(root, session, { signal })
  if (changed.unknown) throw new EngineError('CONFLICT', `${session.id} cannot be rolled back: ${changed.unknown}.`)
  await refuseHalfDone(root, signal)
  const target = session.git_sha
  const head = await oneLine(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], signal)
  const ref = await oneLine(root, ['symbolic-ref', '--quiet', 'HEAD'], signal)
  const tree = target === null ? new Map<string, string>() : await modesOf(root, target, signal)
  const plan: Plan = {
    ...{ target, head, ref, commits: [], restore: [], rewrite: {}, remove: [], submodules: [] },
    ...{ notes: [], obstacles: [] },
  }
  for (const path of changed.paths) await place(root, path, tree, session, plan, options)
  refuseBuriedFiles(root, plan)
  const { commits, obstacles } = await commitsSince(root, session, head, options)
  plan.commits = commits
  plan.obstacles.push(...obstacles)
  const branch = ref?.replace('refs/heads/', '') ?? null
  if (branch !== session.branch)
    plan.obstacles.push(
      `the session began on ${session.branch ?? 'no branch'}, and ${branch ?? 'no branch'} is checked out`,
    )
  const ignored = (await runGit(root, ['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z'], { signal }))
    .toString('latin1')
    .split('\0').length
  if (ignored > 1)
    plan.notes.push(
      `${ignored - 1} git-ignored files and directories stay unchanged: whether the session modified them is unknown`,
    )
  return plan
}

/** Decides what becomes of one changed path. */
async function place(
  root: string,
  path: string,
  tree: Map<string, string>,
  session: Session,
  plan: Plan,
  { isOwn, others, signal }: Options,
): Promise<void> {
  const stat = findStanding(root, encodePath(path.replace(/\/$/, '')))
  if (
    tree.get(path) === '160000' ||
    path.endsWith('/') ||
    (stat?.isDirectory() && existsSync(`${root}/${path}/.git`))
  ) {
    if (tree.get(path) === '160000') plan.submodules.push(path)
    plan.notes.push(`${path} is a nested repository and stays unchanged; check it with \`git -C ${path} status\``)
    return
  }
  if (!isOwn(path))
    plan.obstacles.push(`${path} is outside the paths of the session, so another author may have changed it`)
  const other = others(path)
  if (other) plan.obstacles.push(`${path} is also within the paths of ${other}`)
  const before = session.baseline[path]
  if (before === ABSENT) plan.remove.push(path)
  else if (before !== undefined) {
    const there = await tryGit(root, ['cat-file', '-e', before], { signal })
    if (there.code === 0) plan.rewrite[path] = before
    else {
      plan.obstacles.push(`${path} had uncommitted changes when the session started, and no copy of them exists`)
      if (tree.has(path)) plan.restore.push(path)
      else plan.remove.push(path)
    }
  } else if (tree.has(path)) plan.restore.push(path)
  else plan.remove.push(path)
}

/** A folder where a file has to go must hold nothing but what goes anyway: ignored files in it would be lost. */
function refuseBuriedFiles(root: string, plan: Plan): void {
  const going = new Set([...plan.remove, ...plan.restore])
  for (const path of [...plan.restore, ...Object.keys(plan.rewrite)]) {
    if (!findStanding(root, encodePath(path))?.isDirectory()) continue
    const left = filesBelow(root, path).find(file => !going.has(file))
    if (left !== undefined)
      throw new EngineError(
        'CONFLICT',
        `${path} was a file and is now a directory that contains git-ignored files (${left}).`,
        {
          hint: 'Move that file elsewhere first.',
        },
      )
  }
}

function filesBelow(root: string, path: string): string[] {
  const entries = readdirSync(resolveBelow(root, encodePath(path)), { withFileTypes: true, encoding: 'buffer' })
  return entries.flatMap(entry => {
    const name = `${path}/${parsePathName(entry.name).path}`
    return entry.isDirectory() ? filesBelow(root, name) : [name]
  })
}

/** Commits since the session began, newest first, and what speaks against dropping them. */
async function commitsSince(
  root: string,
  session: Session,
  head: string | null,
  { isOwn, signal, now }: Options,
): Promise<Pick<Plan, 'commits' | 'obstacles'>> {
  const { git_sha: target } = session
  if (head === null || head === target) return { commits: [], obstacles: [] }
  const range = target === null ? [head] : [`${target}..${head}`]
  const log = await runGit(root, ['log', '-z', '--format=%H%x1f%ct%x1f%an%x1f%s', ...range, '--'], { signal })
  const obstacles: string[] = []
  const [from, to] = [Date.parse(session.created_at) - 1000, Date.parse(session.ended_at ?? now) + 1000]
  const commits: Commit[] = []
  for (const line of log
    .toString('utf8')
    .split('\0')
    .filter(text => text !== '')) {
    const [sha = '', time = '', author = '', subject = ''] = line.split('\x1f')
    const at = Number(time) * 1000
    const names = await runGit(
      root,
      ['diff-tree', '-r', '-z', '-m', '--root', '--no-commit-id', '--name-only', '--no-renames', sha],
      { signal },
    )
    const own = at >= from && at <= to && splitNames(names).every(isOwn)
    commits.push({ sha, author, subject, own })
    if (!own) obstacles.push(`the commit ${sha.slice(0, 12)} (${author}: ${subject}) may be another author's`)
  }
  if (target !== null && (await tryGit(root, ['merge-base', '--is-ancestor', target, head], { signal })).code !== 0)
    obstacles.push(
      'the branch no longer contains the commit at which the session started: it was rebased, reset or switched',
    )
  const own = await runGit(root, ['rev-list', ...range, '--not', '--remotes', '--'], { signal })
  const pushed =
    commits.length -
    own
      .toString('latin1')
      .split('\n')
      .filter(text => text !== '').length
  if (pushed > 0) obstacles.push(`${pushed} of the commits are on a remote already: other work may depend on them`)
  return { commits, obstacles }
}

/** Merging, rebasing and their like leave state that a reset would tear apart. */
async function refuseHalfDone(root: string, signal: AbortSignal): Promise<void> {
  const index = await copyIndex(root, signal)
  const folder = index.slice(0, -'index'.length)
  const marks = {
    MERGE_HEAD: 'merge',
    CHERRY_PICK_HEAD: 'cherry-pick',
    REVERT_HEAD: 'revert',
    'rebase-merge': 'rebase',
    'rebase-apply': 'rebase',
    BISECT_LOG: 'bisect',
  }
  for (const [file, what] of Object.entries(marks)) {
    if (!existsSync(`${folder}${file}`)) continue
    throw new EngineError('CONFLICT', `A ${what} is going on in the repository.`, {
      hint: `Finish it, or end it with \`git ${what} ${what === 'bisect' ? 'reset' : '--abort'}\`.`,
    })
  }
}

/** Mode by path of every entry of a commit. */
async function modesOf(root: string, commit: string, signal: AbortSignal): Promise<Map<string, string>> {
  const output = await runGit(root, ['ls-tree', '-r', '-z', '--full-tree', commit], { signal })
  const modes = new Map<string, string>()
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    const tab = output.indexOf(9, at)
    modes.set(parsePathName(output.subarray(tab + 1, end)).path, output.toString('latin1', at, at + 6))
    at = end + 1
  }
  return modes
}

async function oneLine(root: string, args: readonly string[], signal: AbortSignal): Promise<string | null> {
  const { code, stdout } = await tryGit(root, args, { signal })
  return code === 0 ? stdout.toString('utf8').trim() : null
}
