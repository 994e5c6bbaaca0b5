import type { NotEvaluated } from '../../base/records/run.ts'
import type { Listing } from '../../base/records/source-file.ts'
import type { Contribution } from '../../findings/contribution.ts'
import type { Config } from '../../sources/config/load.ts'
import { buildGraph } from './build.ts'
import { makeFindings } from './findings.ts'
import { loadRules } from './load.ts'

/** What architecture.yaml contributes to a scan of the whole repository. A source file that cannot be read is not evaluated. */
export async function contribute(
  { root, scan }: Pick<Config, 'root' | 'scan'>,
  listing: Listing,
  signal: AbortSignal,
): Promise<Contribution> {
  const { check, includes, count, path: file } = (await loadRules(root))!
  if (count === 0) {
    const detail = 'The file has no rule that can be checked.'
    return { findings: [], notEvaluated: [], notices: [{ kind: 'architecture_not_checked', file, detail }] }
  }
  const graph = await buildGraph(listing, { maxBytes: scan.max_file_bytes, includes, signal })
  const notEvaluated = graph.unread.map(
    ({ path, reason }): NotEvaluated => ({
      rule_id: 'architecture:*',
      file: path,
      reason: 'scanner_failed',
      detail: `its imports are unknown: ${reason}`,
    }),
  )
  return { findings: makeFindings(check(graph), listing.files), notEvaluated, notices: [] }
}
