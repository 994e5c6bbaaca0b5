import type { NotEvaluated } from '../../base/records/run.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { formatCount } from '../../base/text/words.ts'
import type { Contribution } from '../../findings/contribution.ts'
import type { Config } from '../../sources/config/load.ts'
import { detectDrift } from '../drift/detect.ts'
import { findOrphans } from './build.ts'
import { toDriftFindings, toTraceFindings } from './findings.ts'
import { readLinks } from './gather.ts'

/** What requirements contribute to a scan of the whole repository. */
export async function contributeRequirements(
  config: Config,
  listing: Listing,
  signal: AbortSignal,
): Promise<Contribution> {
  const linked = await readLinks({ config, listing, signal })
  const { tags, resolved, set } = linked
  const orphans = findOrphans(listing.files, resolved.links, config.requirements.require_links)
  const { drifts, unknown, unconfirmed } = await detectDrift(linked, {
    ...{ listing, maxBytes: config.scan.max_file_bytes, signal },
  })
  const unread = tags.unread.map(
    ({ path, reason }): NotEvaluated => ({
      ...{ rule_id: 'requirements:*', file: path, reason: 'no_data' },
      detail: `its links are unknown: ${reason.replaceAll('_', ' ')}`,
    }),
  )
  const notJudged = unknown.map(
    ({ id, type, file, reason }): NotEvaluated => ({
      ...{ rule_id: type === 'all' ? 'drift:*' : `drift:${type.replaceAll('_', '-')}`, file },
      ...{ reason: type === 'all' ? 'no_data' : 'no_provider', detail: `${id}: ${reason}` },
    }),
  )
  const unseen: NotEvaluated[] =
    unconfirmed.length === 0 || set.requirements.length === unconfirmed.length
      ? []
      : [
          {
            ...{ rule_id: 'drift:*', reason: 'no_data' },
            detail: `${formatCount(unconfirmed.length, 'requirement')} never confirmed: ${unconfirmed.slice(0, 5).join(', ')}`,
          },
        ]
  return {
    findings: [...toTraceFindings(resolved.problems, orphans), ...toDriftFindings(drifts)],
    notEvaluated: [...unread, ...notJudged, ...unseen],
    notices: [],
  }
}
