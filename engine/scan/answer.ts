import type { Context } from '../context.ts'
import { actionable } from '../findings/actionable.ts'
import type { Renewed } from '../findings/renew.ts'
import type { Performed } from './perform.ts'

/** Findings that a coding agent gets in one answer; the rest it asks for by file or rule. */
const MCP_FINDINGS = 50

/** What an operation that has scanned and stored answers. */
export function scanAnswer(
  { run, findings }: Performed,
  {
    actionable_only = false,
    baseline,
    surface,
  }: { actionable_only?: boolean; baseline?: Renewed } & Pick<Context, 'surface'>,
) {
  const { findings: chosen, held_back } = actionable_only ? actionable(findings) : { findings, held_back: undefined }
  const listed = surface === 'mcp' ? chosen.filter(({ status }) => status === 'open').slice(0, MCP_FINDINGS) : chosen
  return {
    ...(held_back && { held_back }),
    ...(baseline && { baseline }),
    run_id: run.id,
    findings: listed,
    total: findings.length,
    by_severity: run.counts.by_severity,
    truncated: listed.length < findings.length,
    run,
  }
}
