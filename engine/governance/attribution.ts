import type { Finding } from '../base/records/finding.ts'
import { runGit, tryGit } from '../sources/repository/git.ts'
import type { GovernedContext } from './context.ts'
import { type GovernanceSession, openGovernance } from './governance-session.ts'
import { findChangedSince } from './recheck.ts'

/**
 * Says of each open finding that stands on a line which the acting agent's session has added who introduced it (`agent`),
 * and notes on the session the most that any scan has found so (`findings_new`). Nothing outside a session: git cannot
 * tell who typed a line. What differed before the session began, and is still the same, is nobody's.
 */
export async function attributeFindings(findings: readonly Finding[], context: GovernedContext): Promise<void> {
  if (!context.governance) return
  const governance = await openGovernance(context)
  const { session, root, identity } = governance
  if (!session || identity.person) return
  const { paths } = await findChangedSince(root, session, { signal: context.signal })
  const changed = new Set(paths)
  const suspects = findings.filter(({ status, file }) => status === 'open' && changed.has(file))
  const lines = await addedLines(root, session.git_sha, [...new Set(suspects.map(({ file }) => file))], context.signal)
  const own = suspects.filter(({ file, line, end_line }) => {
    const added = lines.get(file)
    return added === 'all' || added?.some(([from, to]) => line <= to && from <= Math.max(line, end_line)) === true
  })
  for (const finding of own) finding.agent = identity.agent
  note(governance, session.id, new Set(own.map(({ fingerprint }) => fingerprint)).size)
}

/** The most that was found at once: an agent that mends what it has broken has broken it all the same. */
function note({ state, acting }: GovernanceSession, id: string, count: number): void {
  const before = state.read(reader => reader.get('sessions', id)?.findings_new ?? 0)
  if (count <= before) return
  state.write(acting, tx => {
    tx.update('sessions', id, { findings_new: count })
    tx.audit({ action: 'task.findings', target: id, decision: 'allowed', details: { findings_new: count } })
  })
}

/** The lines of each file, from 1, that were not there at a commit; `all` of a file that was not. */
async function addedLines(
  root: string,
  commit: string | null,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, 'all' | [number, number][]>> {
  const lines = new Map<string, 'all' | [number, number][]>()
  for (const path of paths) {
    const there =
      commit !== null && (await tryGit(root, ['cat-file', '-e', `${commit}:${path}`], { signal })).code === 0
    if (!there) {
      lines.set(path, 'all')
      continue
    }
    const options = ['-U0', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames']
    const text = await runGit(root, ['--literal-pathspecs', 'diff', ...options, commit, '--', path], { signal })
    const hunks = text.toString('latin1').matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)
    lines.set(
      path,
      [...hunks].map(([, from, count = '1']) => [Number(from), Number(from) + Number(count) - 1]),
    )
  }
  return lines
}
