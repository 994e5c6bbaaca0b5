import type { Severity } from '../../base/records/finding.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import type { RuleTrace } from './rule-trace.ts'
import type { Snapshot } from './snapshot.ts'

/** What has become of one rule between two snapshots. */
export interface RuleChange {
  pack_id: string
  rule_id: string
  /** Of a form of a rule by weakness: which one. */
  key?: string
  title: string
  change: 'added' | 'removed' | 'changed'
  /** Both where the severity is another one. */
  severity?: { before: Severity; after: Severity }
  /** Whether it may find something else than before. */
  detection?: boolean
  /** Whether its texts are others. */
  wording?: boolean
}

/** What has become of one pack. */
export interface PackVersionChange {
  pack_id: string
  change: 'enabled' | 'disabled' | 'version'
  before?: string
  after?: string
}

export interface Changelog {
  packs: PackVersionChange[]
  rules: RuleChange[]
}

/** Everything that differs between two snapshots, sorted by pack and rule. */
export function makeChangelog(before: Snapshot, after: Snapshot): Changelog {
  const out: Changelog = { packs: [], rules: [] }
  const ids = [...new Set([...Object.keys(before.packs), ...Object.keys(after.packs)])].sort()
  for (const pack_id of ids) {
    const old = before.packs[pack_id]
    const now = after.packs[pack_id]
    if (!old) out.packs.push({ pack_id, change: 'enabled', after: now!.version })
    else if (!now) out.packs.push({ pack_id, change: 'disabled', before: old.version })
    else if (old.version !== now.version)
      out.packs.push({ pack_id, change: 'version', before: old.version, after: now.version })
    out.rules.push(...ruleChanges(pack_id, old?.rules ?? {}, now?.rules ?? {}))
  }
  return out
}

function ruleChanges(
  pack_id: string,
  old: Readonly<Record<string, RuleTrace>>,
  now: Readonly<Record<string, RuleTrace>>,
): RuleChange[] {
  const ids = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
  return ids.flatMap((id): RuleChange[] => {
    const was = old[id]
    const is = now[id]
    const rule_id = resolveRuleId(id)
    const named = { pack_id, rule_id, ...(rule_id !== id && { key: id }), title: (is ?? was)!.title }
    if (!was) return [{ ...named, change: 'added' }]
    if (!is) return [{ ...named, change: 'removed' }]
    const severity = was.severity !== is.severity
    const detection = was.detection !== is.detection
    const wording = was.wording !== is.wording
    if (!severity && !detection && !wording) return []
    return [
      {
        ...named,
        change: 'changed',
        ...(severity && { severity: { before: was.severity, after: is.severity } }),
        ...(detection && { detection }),
        ...(wording && { wording }),
      },
    ]
  })
}
