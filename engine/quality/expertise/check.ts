import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { writeFault } from '../../base/disk/disk.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { readChanges } from '../../sources/repository/changes.ts'
import { runGit, tryGit } from '../../sources/repository/git.ts'
import { isShallow } from '../../sources/repository/shallow.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { formatOutput, locateOutput } from '../../sources/store/output-directory.ts'
import { type AuthoredChange, type ExpertiseGap, findGaps } from './gaps.ts'
import { readHistory } from './history.ts'
import { ExpertiseCounter, type ExpertiseProfile, formatAuthor } from './profile.ts'

/** How far back the history is read, in days (spec "Developer expertise profile"). */
export const LOOKBACK_DAYS = 180
const DAY = 86_400
const RECORD = 'developer_profiles.json'
/** A key for hashed authors, so that those of several files can be compared; never read from the repository. */
const KEY_VARIABLE = 'SVC_AUTHORS_KEY'

export interface ExpertiseInput {
  profile: boolean
  git_range?: string
  staged: boolean
  threshold: number
  hash_authors: boolean
}

export interface ExpertiseAnswer {
  /** What was judged, in words; null for a profile alone. */
  scope: string | null
  lookback_days: number
  /** ISO 8601: commits from then on were counted. */
  since: string
  /** The clone has only the last part of the history: authors may know more than is counted. */
  shallow: boolean
  threshold: number
  gaps: ExpertiseGap[]
  profile?: ExpertiseProfile
  file?: string
}

/** Compares a change with what its authors have worked on, or writes the profile of all authors. REPO_NOT_FOUND without git. */
export async function checkExpertise(input: ExpertiseInput, context: Context): Promise<ExpertiseAnswer> {
  const { env, signal } = context
  const config = await loadConfig(context.cwd, { env })
  const { root } = config
  const inside = await tryGit(root, ['rev-parse', '--is-inside-work-tree'], { signal })
  if (inside.code !== 0)
    throw new EngineError('REPO_NOT_FOUND', 'Expertise is read from the history of git, and this is no git repository.')
  const now = Number(/^\d{1,12}$/.exec(env.SOURCE_DATE_EPOCH ?? '')?.[0] ?? Math.floor(Date.now() / 1000))
  const since = now - LOOKBACK_DAYS * DAY
  // A profile alone is of what is committed; a change that is named is checked beside it.
  const isAsked = !input.profile || input.git_range !== undefined || input.staged
  const change = isAsked ? await readChange(root, input, context) : undefined
  const shallow = await isShallow(root)
  const counter = new ExpertiseCounter()
  const base = change?.base ?? 'HEAD'
  const hasCommit =
    (await tryGit(root, ['rev-parse', '--quiet', '--verify', `${base}^{commit}`], { signal })).code === 0
  if (hasCommit)
    await readHistory(root, [base], since, signal, commit => {
      // Where a shallow clone ends, git takes all files for added by that commit's author.
      counter.add(commit, !(shallow && commit.isRoot))
    })
  if (shallow)
    context.notice(
      'This clone has only the last part of the history, so authors may know more than is counted; `git fetch --unshallow` gets the rest.',
    )
  const nameOf = input.hash_authors ? makeHasher(env[KEY_VARIABLE]) : (author: string) => author
  const profile = counter.profile()
  const gaps = change ? findGaps(change.changes, profile, input.threshold, LOOKBACK_DAYS) : []
  const answer: ExpertiseAnswer = {
    scope: change?.scope ?? null,
    lookback_days: LOOKBACK_DAYS,
    since: new Date(since * 1000).toISOString(),
    shallow,
    threshold: input.threshold,
    gaps: gaps.map(gap => ({ ...gap, author: nameOf(gap.author) })),
  }
  if (!input.profile) return answer
  const named = { ...profile, authors: profile.authors.map(each => ({ ...each, author: nameOf(each.author) })) }
  const out = locateOutput(root, env, config.output_dir)
  const { lookback_days } = answer
  const generated_at = new Date(now * 1000).toISOString()
  const record = { version: 1, generated_at, lookback_days, since: answer.since, shallow, ...named }
  try {
    makeOut(out)
    writeOutput(join(out, RECORD), `${JSON.stringify(record, null, 1)}\n`)
  } catch (error) {
    throw writeFault(error, root, join(out, RECORD))
  }
  return { ...answer, profile: named, file: `${formatOutput(root, out)}/${RECORD}` }
}

/** What is changed by whom, and the commit that it starts from. */
async function readChange(
  root: string,
  { git_range, staged }: ExpertiseInput,
  { env, signal }: Context,
): Promise<{ scope: string; base: string; changes: AuthoredChange[] }> {
  if (git_range !== undefined && staged)
    throw new EngineError('INPUT_INVALID', 'git_range and staged exclude each other.')
  if (git_range === undefined) {
    const hasHead = (await tryGit(root, ['rev-parse', '--quiet', '--verify', 'HEAD'], { signal })).code === 0
    const asked = staged || !hasHead ? { staged: true as const } : { branch: 'HEAD' }
    const { edits } = await readChanges(root, asked, { env, signal })
    const scope = 'staged' in asked ? 'staged' : 'uncommitted changes'
    const author = await readAuthor(root, env, signal)
    return { scope, base: 'HEAD', changes: edits.length === 0 ? [] : [{ author, paths: listPaths(edits) }] }
  }
  const { base, head, scope } = await readChanges(root, { git_range }, { env, signal })
  const byAuthor = new Map<string, Set<string>>()
  await readHistory(root, [`${base}..${head}`], undefined, signal, commit => {
    const paths = byAuthor.get(formatAuthor(commit)) ?? new Set()
    byAuthor.set(formatAuthor(commit), paths)
    for (const { path } of commit.files) paths.add(path)
  })
  const changes = [...byAuthor].flatMap(([author, paths]) => (paths.size === 0 ? [] : [{ author, paths: [...paths] }]))
  return { scope, base: base!, changes }
}

function listPaths(edits: readonly { path: string }[]): string[] {
  return [...new Set(edits.map(({ path }) => path))]
}

/** Who commits here, as git and `.mailmap` say. INPUT_INVALID where git does not know. */
async function readAuthor(root: string, env: Context['env'], signal: AbortSignal): Promise<string> {
  const identity = Object.fromEntries(
    ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL'].flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
  const { code, stdout } = await tryGit(root, ['var', 'GIT_AUTHOR_IDENT'], { env: identity, signal })
  const named = /^(.*<[^<>]*>) \d+ [+-]\d+\n?$/.exec(stdout.toString('utf8'))?.[1]
  if (code !== 0 || named === undefined)
    throw new EngineError('INPUT_INVALID', 'git does not know who the author of the change is.', {
      hint: 'Set `git config user.name` and `git config user.email`, or name commits with --git-range.',
    })
  return (await runGit(root, ['check-mailmap', named], { signal })).toString('utf8').trim()
}

/** Authors as keyed hashes (HMAC-SHA-256): nobody can try addresses without the key, which is a new one each time where none is set. */
function makeHasher(given: string | undefined): (author: string) => string {
  const key = given ? Buffer.from(given, 'utf8') : randomBytes(32)
  return author => `author-${createHmac('sha256', key).update(author).digest('hex').slice(0, 16)}`
}
