import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import { EngineError } from '../../base/errors.ts'
import type { PathName } from '../../base/text/path-name.ts'
import { runGit, tryGit } from './git.ts'
import { parseRaw, splitNames } from './raw-diff.ts'
import { isShallow } from './shallow.ts'

/** Which change is meant; exactly one of them. */
export type ChangeRequest =
  /** What is staged, against HEAD. */
  | { staged: true }
  /** `A..B`, `A...B` (from their merge base) or `A` (to HEAD). */
  | { git_range: string }
  /** The working tree, untracked files included, against the merge base of HEAD and this branch. */
  | { branch: string }
  /** A patch in git's format, against HEAD; it may be applied already or not yet. */
  | { diff: string }

/** A file that a change adds or alters. */
export interface ChangedFile extends PathName {
  /** Object with the content after the change; left out where the content is the working tree's. */
  blob?: string
  /** The content before the change, and its path then; left out for an added file. */
  before?: PathName & { blob: string }
}

/** What git may hold at a path beside a regular file. */
export type EntryKind = 'link' | 'submodule'

/** One file on both sides of a change, deleted ones, links and submodules included. */
export interface Edit {
  path: string
  /** Object with the content before; left out for an added file. */
  before?: string
  /** What it was before, where that was no regular file. */
  was?: EntryKind
  /** The content after; left out for a deleted file. Without `blob` it is the working tree's. `kind` as `was`. */
  after?: { blob?: string; kind?: EntryKind }
}

export interface Change {
  /** In words, for the run's record. */
  scope: string
  /** Every file that differs, renamed ones as deleted and added. */
  edits: Edit[]
  /** The commit that the change is compared with; left out before the first commit. */
  base?: string
  /** The commit that it leads to, where that is one. */
  head?: string
  files: ChangedFile[]
  /** Paths with a conflict that nobody has resolved yet: they have no content to judge. */
  unmerged: string[]
  /** What else the change adds, alters or moves: it has no lines to judge. */
  others: ChangedOther[]
}

/** A symbolic link, a submodule or a nested repository of a change. */
export interface ChangedOther extends PathName {
  kind: 'link' | 'submodule' | 'repository'
  /** Object that the entry names after the change: a link's target, a submodule's commit; left out where the working tree has it. */
  object?: string
  /** The same before the change. */
  before?: string
}

interface Options {
  /** The environment of the caller: a hook's GIT_INDEX_FILE names the index that is being committed. */
  env?: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal
}

/** Submodules are compared by their recorded commits alone: git enters none of them. */
const RAW = ['--raw', '-z', '-M', '--no-abbrev', '--no-ext-diff', '--ignore-submodules=dirty']

/**
 * The files that a change adds or alters in the work tree at `root` (absolute, its top folder). A renamed file keeps its
 * old path and content as `before`. NOT_FOUND where a revision does not exist; where a shallow clone lacks it, the hint
 * is the fetch that brings it.
 */
export async function readChanges(root: string, request: ChangeRequest, options: Options = {}): Promise<Change> {
  const { signal } = options
  if ('staged' in request) {
    const env = readIndexEnvironment(root, options.env)
    return {
      scope: 'staged',
      base: 'HEAD',
      ...parseRaw(await runGit(root, ['diff', '--cached', ...RAW], { env, signal })),
    }
  }
  if ('git_range' in request) {
    const { from, to } = await rangeOf(root, request.git_range, options)
    const raw = await runGit(root, ['diff', ...RAW, from, to], { signal })
    return { scope: `range ${request.git_range}`, base: from, head: to, ...parseRaw(raw) }
  }
  if ('branch' in request) {
    const base = await mergeBase(root, await commitOf(root, request.branch, options), 'HEAD', options)
    const [raw, others] = await Promise.all([
      runGit(root, ['diff', ...RAW, base], { signal }),
      runGit(root, ['ls-files', '-o', '--exclude-standard', '-z'], { signal }),
    ])
    const tracked = parseRaw(raw)
    const files = tracked.files.map(({ blob: _, ...file }): ChangedFile => file)
    const nested: ChangedOther[] = []
    const edits = tracked.edits.map(
      ({ after, ...edit }): Edit => ({ ...edit, ...(after && { after: after.kind ? { kind: after.kind } : {} }) }),
    )
    // What only left the index is deleted to git, and still there.
    const gone = new Map(edits.flatMap(edit => (edit.after ? [] : [[edit.path, edit] as const])))
    const add = (path: string, after: Edit['after']) => {
      const edit = gone.get(path)
      if (edit) edit.after = after
      else edits.push({ path, after })
    }
    for (const name of splitNames(others)) {
      if (name.path.endsWith('/')) {
        nested.push({ ...name, kind: 'repository' })
        add(name.path.slice(0, -1), { kind: 'submodule' })
      } else {
        files.push(name)
        add(name.path, {})
      }
    }
    return {
      scope: `against branch ${request.branch}`,
      base,
      files,
      edits,
      unmerged: tracked.unmerged,
      others: [...tracked.others.map(({ object: _, ...other }) => other), ...nested],
    }
  }
  return patched(root, request.diff, options)
}

/** Both ends of a range as commits. */
async function rangeOf(root: string, range: string, options: Options): Promise<{ from: string; to: string }> {
  const [, left = '', dots, right = ''] = /^(.*?)(\.{2,3})(.*)$/.exec(range) ?? [range, range]
  const [from, to] = await Promise.all([
    commitOf(root, left || 'HEAD', options),
    commitOf(root, right || 'HEAD', options),
  ])
  return { from: dots === '...' ? await mergeBase(root, from, to, options) : from, to }
}

/** What may be the name of a branch; no expression such as HEAD~1. */
const BRANCH = /^(?!HEAD$)\w[\w./-]*$/

async function commitOf(root: string, name: string, { signal }: Options): Promise<string> {
  if (name.startsWith('-')) throw new EngineError('INPUT_INVALID', `${JSON.stringify(name)} is not a revision.`)
  // A clone made for one branch, as machines make them, knows the others at most by what its remote had.
  for (const revision of BRANCH.test(name) ? [name, `refs/remotes/origin/${name}`] : [name]) {
    const { code, stdout } = await tryGit(
      root,
      ['rev-parse', '--quiet', '--verify', '--end-of-options', `${revision}^{commit}`],
      { signal },
    )
    if (code === 0) return stdout.toString('latin1').trim()
  }
  const shallow = await isShallow(root, signal)
  throw new EngineError(
    'NOT_FOUND',
    `git has no commit ${JSON.stringify(name)}${shallow ? ' here: the clone is shallow' : ''}.`,
    { hint: await fetchHint(root, name, shallow, signal) },
  )
}

async function mergeBase(root: string, a: string, b: string, { signal }: Options): Promise<string> {
  const { code, stdout } = await tryGit(root, ['merge-base', '--end-of-options', a, b], { signal })
  if (code === 0) return stdout.toString('latin1').trim()
  const shallow = await isShallow(root, signal)
  throw new EngineError(
    'NOT_FOUND',
    `git finds no common ancestor of the two ends${shallow ? ': the clone is shallow' : ''}.`,
    {
      hint: shallow ? 'Fetch the history with `git fetch --unshallow`.' : 'Compare branches of one history.',
    },
  )
}

/** The command that brings what is missing: a branch by its name, with all history where the clone is shallow, since their common ancestor is wanted too. */
async function fetchHint(
  root: string,
  name: string,
  shallow: boolean,
  signal: AbortSignal | undefined,
): Promise<string> {
  const deepen = shallow ? ' --unshallow' : ''
  if (/^[0-9a-f]{40,64}$/.test(name))
    return `Fetch it with \`git fetch --depth=1 origin ${name}\`${shallow ? ', or all history with `git fetch --unshallow`' : ''}.`
  const { stdout } = await tryGit(root, ['remote'], { signal })
  const remotes = stdout.toString('utf8').split('\n').filter(Boolean)
  const named = remotes.find(remote => name.startsWith(`${remote}/`))
  const remote = named ?? remotes[0]
  const branch = named === undefined ? name : name.slice(named.length + 1)
  if (remote !== undefined && BRANCH.test(branch))
    return `Fetch it with \`git fetch${deepen} ${remote} +refs/heads/${branch}:refs/remotes/${remote}/${branch}\`.`
  return shallow ? 'Fetch it with `git fetch --unshallow`.' : 'Check the name with `git branch --all` and `git log`.'
}

/** The index that a hook was started for: git names a temporary one for `commit -a` and `commit <paths>`. */
export function readIndexEnvironment(root: string, env: Options['env'] = {}): Record<string, string> {
  const index = env?.GIT_INDEX_FILE
  return index ? { GIT_INDEX_FILE: resolve(root, index) } : {}
}

/** Applies the patch to HEAD's tree in an index of its own; one that is in HEAD already is taken back out for the comparison. */
async function patched(root: string, diff: string, options: Options): Promise<Change> {
  const { signal } = options
  if (diff.trim() === '')
    throw new EngineError('INPUT_INVALID', 'The patch is empty.', { hint: 'Pass the output of `git diff`.' })
  const head = await commitOf(root, 'HEAD', options)
  const folder = makeTemporaryFolder('svc-patch-')
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  const input = Buffer.from(diff.endsWith('\n') ? diff : `${diff}\n`)
  try {
    await runGit(root, ['read-tree', head], { env, signal })
    const applied = await tryGit(root, ['apply', '--cached', '--whitespace=nowarn', '-'], { env, input, signal })
    if (applied.code === 0)
      return {
        scope: 'patch',
        base: head,
        ...parseRaw(await runGit(root, ['diff', '--cached', ...RAW, head], { env, signal })),
      }
    const reversed = await tryGit(root, ['apply', '--cached', '--reverse', '--whitespace=nowarn', '-'], {
      env,
      input,
      signal,
    })
    if (reversed.code === 0) {
      return {
        scope: 'patch',
        base: head,
        ...parseRaw(await runGit(root, ['diff', '--cached', '-R', ...RAW, head], { env, signal })),
      }
    }
    if (/No valid patches in input|unrecognized input/.test(applied.stderr))
      throw new EngineError('INPUT_INVALID', 'This is not a patch that git can parse.', {
        hint: 'Pass the complete, unmodified output of `git diff`.',
      })
    const why = /^error: (.*)$/m.exec(applied.stderr)?.[1] ?? 'git cannot parse it'
    throw new EngineError('INPUT_INVALID', `The patch fits neither before nor after HEAD: ${why}.`, {
      hint: 'Create it with `git diff` against the checked-out commit.',
    })
  } finally {
    removeTemporary(folder)
  }
}

/** The top folder of the work tree, symlinks resolved; REPO_NOT_FOUND where `root` has no .git. */
export function locateWorkTree(root: string): string {
  if (!existsSync(join(root, '.git'))) {
    throw new EngineError('REPO_NOT_FOUND', 'Changes are known only in a git work tree; this directory is not one.', {
      hint: 'Scan the whole directory with `svc scan`.',
    })
  }
  return realpathSync.native(root)
}
