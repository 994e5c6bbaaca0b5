import type { Listing } from '../../base/records/source-file.ts'
import type { Contribution } from '../../findings/contribution.ts'
import type { Config } from '../../sources/config/load.ts'
import { makeGround } from '../ground.ts'
import { makeCppFindings } from './findings.ts'
import { digestSource, readCppRecord } from './record.ts'
import { CPP_RECORD } from './results.ts'
import { isCppSource } from './sources.ts'

/**
 * Adds to what other scanners contribute what the last `svc analyze-cpp` says of the files of a scan. Its results count while the file is as it was analyzed: of one that
 * has changed since, or was added after all were analyzed, nothing is known. An analyzer with `enabled: false` in external_scanners is left out.
 */
export function joinCppRecord(
  out: string,
  { config, listing }: { config: Config; listing: Listing },
  others: Contribution,
): Contribution {
  const record = readCppRecord(out)
  const add = (findings: Contribution['findings'], notEvaluated: Contribution['notEvaluated']): Contribution => ({
    ...others,
    findings: [...others.findings, ...findings],
    notEvaluated: [...others.notEvaluated, ...notEvaluated],
  })
  if (typeof record === 'string') return add([], [{ rule_id: 'cppcheck:*', reason: 'scanner_failed', detail: record }])
  const tools = record.tools.filter(name => config.external_scanners[name]?.enabled !== false)
  const changed = new Set<string>()
  for (const file of listing.files) {
    const known = record.files.get(file.path)
    const isNew = known === undefined && record.scope === 'everything' && isCppSource(file)
    if (isNew || (known !== undefined && known !== digestSource(listing.root, file))) changed.add(file.path)
  }
  const detail = `changed or added since the analysis: run \`svc analyze-cpp\` again, or delete ${CPP_RECORD}`
  const stale = [...changed].flatMap(file =>
    tools.map(name => ({ rule_id: `${name}:*`, file, reason: 'scanner_not_run' as const, detail })),
  )
  const isCurrent = ({ file }: { file?: string }) => file === undefined || !changed.has(file)
  const results = record.results.filter(result => tools.includes(result.tool) && isCurrent(result))
  const gaps = record.not_evaluated.filter(gap => tools.includes(gap.rule_id.slice(0, -2)) && isCurrent(gap))
  const ground = { ...makeGround(listing, config), git_sha: listing.git_sha }
  return add(makeCppFindings(results, ground), [...gaps, ...stale])
}
