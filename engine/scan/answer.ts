import { realpathSync } from 'node:fs'
import type { Context } from '../base/context.ts'
import { selectActionable } from '../findings/actionable.ts'
import { summarizeByRule } from '../findings/by-rule.ts'
import type { Renewed } from '../findings/renew.ts'
import type { Performed } from './perform.ts'

/** Findings that a coding agent gets in one answer; the rest it asks for by file or rule. */
const MCP_FINDINGS = 50

/**
 * The root of the tree that was scanned, where the command ran in another directory: paths in the answer start from there. Left out for
 * the servers, which have one tree each and show no path of their machine.
 */
export function findOtherTree(
  { root }: Pick<Performed, 'root'>,
  { cwd, surface }: Pick<Context, 'cwd' | 'surface'>,
): { tree?: string } {
  return surface === 'cli' && realpathSync.native(root) !== realpathSync.native(cwd) ? { tree: root } : {}
}

/** What an operation that has scanned and stored answers. */
export function scanAnswer(
  { run, findings }: Performed,
  {
    actionable_only = false,
    baseline,
    surface,
  }: { actionable_only?: boolean; baseline?: Renewed } & Pick<Context, 'surface'>,
) {
  const { findings: chosen, held_back } = actionable_only
    ? selectActionable(findings)
    : { findings, held_back: undefined }
  const open = surface === 'mcp' ? chosen.filter(({ status }) => status === 'open') : chosen
  const listed = surface === 'mcp' ? open.slice(0, MCP_FINDINGS) : chosen
  return {
    ...(listed.length < open.length && { by_rule: summarizeByRule(open) }),
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
