import { basename } from 'node:path'
import { renderReport } from '../../assure/report.ts'
import { countBySeverity } from '../../base/records/finding.ts'
import type { Run } from '../../base/records/run.ts'
import { VERSION } from '../../base/version.ts'
import { makeRunId } from '../../sources/store/run-id.ts'
import type { Audit } from './audit.ts'
import { CHECKS } from './checks.ts'

/** The audit as SARIF 2.1.0, by the same writer as a scan's report; what could not be read is a notification. */
export function renderAudit(root: string, audit: Audit, now: Date): Iterable<string> {
  const { findings, not_evaluated, configurations } = audit
  const at = now.toISOString()
  const open = findings.filter(({ status }) => status === 'open')
  const run: Run = {
    ...{ id: makeRunId(now), started_at: at, finished_at: at, duration_ms: 0, tool_version: VERSION },
    ...{ root_name: basename(root), scope: 'MCP configurations', packs: [], packs_reason: 'MCP audit' },
    counts: {
      ...{ files: configurations.length, bytes: 0, lines: 0, skipped: {}, languages: {} },
      ...{ rules: Object.keys(CHECKS).length, findings: findings.length, open: open.length },
      ...{ suppressed: findings.length - open.length, baseline: 0, by_severity: countBySeverity(open) },
    },
    skipped: [],
    not_evaluated: not_evaluated.map(({ file, detail }) => ({
      rule_id: 'mcp-audit:*',
      file,
      reason: 'no_data',
      detail,
    })),
    ...{ notices: [], cache: { hits: 0, misses: 0 } },
  }
  return renderReport('sarif', { run, findings, rules: new Map(), frameworks: new Map() })
}
