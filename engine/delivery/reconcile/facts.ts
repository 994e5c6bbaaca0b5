import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { blameFiles } from '../../sources/repository/blame.ts'
import { discover } from '../../sources/repository/discover.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { readRequirements } from '../requirements/read.ts'
import { traceRequirements } from '../trace/gather.ts'
import type { TracedItem } from './contradictions.ts'
import { readNamedCommits } from './history.ts'
import type { HistoryEntry, OpenFinding } from './reconcile.ts'

/** The open findings of the latest run, or why they are not known. */
export async function readFindings(
  context: Parameters<typeof runWithStore>[0],
): Promise<{ run_id: string; findings: OpenFinding[] } | { missing: string }> {
  try {
    return await runWithStore(context, async store => {
      const [latest] = (await store.runs()).runs
      if (!latest) return { missing: 'no run is stored; run `svc scan` first' }
      const { findings } = await store.findings(latest.id, { limit: Number.MAX_SAFE_INTEGER })
      return { run_id: latest.id, findings: findings.filter(({ status }) => status === 'open') }
    })
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'INTERRUPTED') return { missing: error.message }
    throw error
  }
}

/** Files with findings that are blamed; the findings of more are told. */
const MOST_BLAMED = 500

/**
 * The findings with the commit that wrote their line, the commits among those that are not `known`, and what could not be told. A line that is
 * not committed has none.
 */
export async function blameFindings(
  root: string,
  findings: readonly OpenFinding[],
  known: readonly HistoryEntry[],
  signal: AbortSignal,
): Promise<{ findings: OpenFinding[]; earlier: HistoryEntry[]; not_evaluated: string[] }> {
  const files = [...new Set(findings.map(({ file }) => file))]
  const blamed = await blameFiles(root, files.slice(0, MOST_BLAMED), signal)
  const withCommit = findings.map(finding => {
    const commit = blamed.get(finding.file)?.get(finding.line)
    return commit === undefined ? finding : { ...finding, commit }
  })
  const shas = new Set(withCommit.flatMap(({ commit }) => commit ?? []))
  for (const { sha } of known) shas.delete(sha)
  const left = files.length - MOST_BLAMED
  return {
    findings: withCommit,
    earlier: await readNamedCommits(root, [...shas], signal),
    not_evaluated:
      left > 0 ? [`commits of findings: ${left} of ${files.length} files with findings were not blamed`] : [],
  }
}

/** Requirements that came from work items, with their states by the trace. */
export async function readTracedItems(config: Config, { signal }: Pick<Context, 'signal'>): Promise<TracedItem[]> {
  const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
  const set = await readRequirements(listing, config, signal)
  if (!set.requirements.some(({ source }) => source !== undefined)) return []
  const { rows } = await traceRequirements({ config, listing, signal })
  return rows.flatMap(({ id, state }) => {
    const source = set.byId.get(id)?.source
    return source && state ? [{ id, key: source.key, state }] : []
  })
}
