import { EngineError } from '../../base/errors.ts'
import { blameFiles } from '../../sources/repository/blame.ts'
import { AGENT_TRAILERS, findCommitAgent, findTrailerAgent } from '../../sources/repository/commit-agents.ts'
import { tryGit } from '../../sources/repository/git.ts'

/** How a commit is known to be an agent's: surest first. */
export type Basis = 'task_session' | 'author' | 'trailer' | 'none'

/** A commit with who made it. */
export interface AttributedCommit {
  sha: string
  time: string
  /** The agent, or null for a human. */
  agent: string | null
  basis: Basis
  /** `high`: svc's own session, or the author is the agent. `medium`: a trailer says so. `low`: nothing says that an agent took part. */
  confidence: 'high' | 'medium' | 'low'
  added: number
  deleted: number
}

/** A task session of an agent that svc has recorded. */
export interface AgentSession {
  agent: string
  created_at: string
  ended_at: string | null
  /** Paths that the session was seen to change. */
  files: readonly string[]
}

/** What one agent, or all humans, contributed. */
export interface Contribution {
  /** `human` for all people together. */
  who: string
  commits: number
  added: number
  deleted: number
  by_confidence: Record<'high' | 'medium' | 'low', number>
  findings: number
}

const FORMAT = `%x1e%H%x1f%aI%x1f%aN%x1f%aE%x1f%(trailers:${AGENT_TRAILERS},valueonly,separator=%x1d)%x1f`
/** Commits that are read; a longer range is told. */
export const MOST_COMMITS = 50_000

/** Attributes the commits of a range, newest first. Merges are left out: what they bring together was written elsewhere. */
export async function attributeCommits(
  root: string,
  range: string,
  {
    own,
    sessions,
    signal,
  }: { own: ReadonlyMap<string, string>; sessions: readonly AgentSession[]; signal: AbortSignal },
): Promise<AttributedCommit[]> {
  const args = [
    'log',
    '--no-merges',
    '--numstat',
    '-z',
    '--no-renames',
    `-${MOST_COMMITS}`,
    `--format=${FORMAT}`,
    '--end-of-options',
    range,
    '--',
  ]
  const { code, stdout } = await tryGit(root, args, { signal })
  if (code !== 0) throw await explainNoCommits(root, range, signal)
  return stdout
    .toString('utf8')
    .split('\x1e')
    .slice(1)
    .map(text => toCommit(text, own, sessions))
}

/** Why git lists no commits of a range: no repository, one without a commit, or no such range. */
async function explainNoCommits(root: string, range: string, signal: AbortSignal): Promise<EngineError> {
  const inside = await tryGit(root, ['rev-parse', '--is-inside-work-tree'], { signal })
  if (inside.code !== 0)
    return new EngineError('REPO_NOT_FOUND', 'There is no Git repository here: commits cannot be attributed.', {
      hint: 'Run the command in a clone of the repository.',
    })
  const head = await tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], { signal })
  if (head.code !== 0 && range === 'HEAD')
    return new EngineError('NOT_FOUND', 'The repository has no commit yet: there is nothing to attribute.', {
      hint: 'Commit first, then run the command again.',
    })
  return new EngineError('NOT_FOUND', `There is no range ${JSON.stringify(range)} in the repository.`, {
    hint: 'Name a branch, a commit or a range such as main..HEAD.',
  })
}

function toCommit(text: string, own: ReadonlyMap<string, string>, sessions: readonly AgentSession[]): AttributedCommit {
  const [sha = '', time = '', name = '', email = '', trailers = '', stats = ''] = text.split('\x1f')
  let [added, deleted] = [0, 0]
  const paths = new Set<string>()
  for (const line of stats.split(/[\0\n]/)) {
    const [, more, less, path] = /^(\d+|-)\t(\d+|-)\t(.+)$/.exec(line) ?? []
    if (path === undefined) continue
    paths.add(path)
    added += Number(more) || 0
    deleted += Number(less) || 0
  }
  const who = attribute({ name, email, trailers, time: new Date(time).toISOString(), paths }, own, sessions)
  return { sha, time, added, deleted, ...who }
}

function attribute(
  commit: { name: string; email: string; trailers: string; time: string; paths: ReadonlySet<string> },
  own: ReadonlyMap<string, string>,
  sessions: readonly AgentSession[],
): Pick<AttributedCommit, 'agent' | 'basis' | 'confidence'> {
  const session = sessions.find(
    ({ created_at, ended_at, files }) =>
      created_at <= commit.time &&
      (ended_at === null || commit.time <= ended_at) &&
      files.some(file => commit.paths.has(file)),
  )
  if (session) return { agent: session.agent, basis: 'task_session', confidence: 'high' }
  const author = findCommitAgent(commit.name, commit.email, own)
  if (author !== undefined) return { agent: author, basis: 'author', confidence: 'high' }
  for (const trailer of commit.trailers.split('\x1d')) {
    const agent = findTrailerAgent(trailer, own)
    if (agent !== undefined) return { agent, basis: 'trailer', confidence: 'medium' }
  }
  return { agent: null, basis: 'none', confidence: 'low' }
}

/** Sums commits and findings by contributor: humans first, then agents by lines added. */
export function sumContributions(
  commits: readonly AttributedCommit[],
  findings: ReadonlyMap<string, number>,
): Contribution[] {
  const sums = new Map<string, Contribution>()
  const of = (who: string) => {
    const sum = sums.get(who) ?? {
      who,
      commits: 0,
      added: 0,
      deleted: 0,
      by_confidence: { high: 0, medium: 0, low: 0 },
      findings: 0,
    }
    sums.set(who, sum)
    return sum
  }
  of('human')
  for (const { agent, added, deleted, confidence } of commits) {
    const sum = of(agent ?? 'human')
    sum.commits++
    sum.added += added
    sum.deleted += deleted
    sum.by_confidence[confidence]++
  }
  for (const [who, count] of findings) of(who).findings += count
  return [...sums.values()].sort(
    (a, b) => Number(b.who === 'human') - Number(a.who === 'human') || b.added - a.added || (a.who < b.who ? -1 : 1),
  )
}

/** Files that are blamed: those with findings; more are told and not counted. */
export const MOST_BLAMED = 500

/** Who wrote the lines with findings, by `git blame`: the number of findings by contributor, and of those that no commit of the range has. */
export async function attributeFindings(
  root: string,
  findings: readonly { file: string; line: number }[],
  commits: readonly AttributedCommit[],
  signal: AbortSignal,
): Promise<{ counts: Map<string, number>; outside: number }> {
  const known = new Map(commits.map(commit => [commit.sha, commit.agent ?? 'human']))
  const lines = new Map<string, number[]>()
  for (const { file, line } of findings) lines.set(file, [...(lines.get(file) ?? []), line])
  const counts = new Map<string, number>()
  let outside = 0
  const blamed = await blameFiles(root, [...lines.keys()].slice(0, MOST_BLAMED), signal)
  for (const [file, own] of lines)
    for (const line of own) {
      const who = known.get(blamed.get(file)?.get(line) ?? '')
      if (who === undefined) outside++
      else counts.set(who, (counts.get(who) ?? 0) + 1)
    }
  return { counts, outside }
}
