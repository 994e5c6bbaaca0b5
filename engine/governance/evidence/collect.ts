import { parseSourceDate } from '../../assure/model.ts'
import { findEntries, readEntryTexts } from '../../audit/log.ts'
import { findChangedRecords } from '../../audit/records.ts'
import { verifyLog } from '../../audit/verify.ts'
import { findWitnessFault } from '../../audit/witnessed.ts'
import { VERSION } from '../../base/version.ts'
import { tryGit } from '../../sources/repository/git.ts'
import { type Head, makeEmptyHead } from '../../sources/state/chain.ts'
import type { AuditEntry } from '../../sources/state/entry.ts'
import type { Approval, Delegation, Session } from '../../sources/state/records.ts'
import { computeSha256 } from '../../sources/state/seal.ts'
import type { State } from '../../sources/state/state.ts'
import { type ScannedSession, scanAnomalies } from '../anomaly-scan.ts'
import type { GovernedContext } from '../context.ts'
import type { GovernanceSession } from '../governance-session.ts'
import { toFault } from '../tampering.ts'
import { hideInternals } from '../text.ts'
import { isProtected, listZones } from '../zones.ts'

/** Entries of the audit log that a report carries at most; all of them are counted and verified. */
const MOST_ENTRIES = 2000

type Shown = ReturnType<typeof hideInternals>
/** An entry without what links it to others: the log itself keeps that. */
interface Trail {
  seq: number
  at: string
  action: string
  agent: string
  decision: string
  target: string
  reasons: string[]
}

/** The evidence before it is signed: all that there is to prove of governance, in seven sections. */
export interface Evidence {
  type: 'svc-harness-report'
  version: 1
  generated_at: string
  /** Only what happened from then on; null for everything. */
  since: string | null
  tool_version: string
  repository: { name: string; git_sha: string | null; branch: string | null }
  policy_digest: string
  sections: {
    task_binding: { enabled: boolean; enforcement: string; by_status: Record<string, number>; sessions: Shown[] }
    blast_radius: {
      enabled: boolean
      zones: { name: string; enforcement: string; touched_by: string[] }[]
      protected_touched: { session_id: string; path: string }[]
    }
    trust_chains: { enabled: boolean; max_depth: number; delegations: Delegation[] }
    rollbacks: { enabled: boolean; rollbacks: Trail[] }
    anomalies: { enabled: boolean; by_verdict: Record<string, number>; sessions: ScannedSession[] }
    human_approvals: { by_status: Record<string, number>; approvals: Approval[] }
    audit_trail: {
      entries: number
      last_seq: number
      head_hash: string
      log_id: string
      /** Null where the whole log is as it was written. */
      fault: { kind: string; seq: number; message: string } | null
      by_action: Record<string, number>
      by_decision: Record<string, number>
      /** The newest, newest first. */
      latest: Trail[]
    }
  }
}

/**
 * Gathers the evidence. Git and the audit log are asked anew: what is wrong with either stands in the report. With `until` (ISO 8601)
 * it is of what had begun by then, and of the entries until then.
 */
export async function collect(
  governance: GovernanceSession,
  since: string | null,
  context: Pick<GovernedContext, 'env' | 'signal'>,
  until?: string,
): Promise<Evidence> {
  const { state, policy, root, acting } = governance
  const scored = await scanAnomalies(governance, {}, context.signal)
  const from = since ?? ''
  const begun = <T extends { created_at: string }>(records: T[]) =>
    records.filter(({ created_at }) => until === undefined || created_at <= until)
  const found = state.read(reader => ({
    sessions: reader.find(
      'sessions',
      'created_at >= ? OR coalesce(ended_at, ?) >= ? ORDER BY created_at, rowid',
      from,
      from,
      from,
    ) as Session[],
    delegations: reader.find('delegations', 'created_at >= ? ORDER BY created_at, rowid', from),
    approvals: reader.find('approvals', 'created_at >= ? OR resolved_at >= ? ORDER BY created_at, rowid', from, from),
  }))
  const [sessions, delegations, approvals] = [begun(found.sessions), begun(found.delegations), begun(found.approvals)]
  const ids = new Set(sessions.map(({ id }) => id))
  const verified = verifyLog(
    { texts: () => readEntryTexts(state), head: state.meta('audit_head') },
    state.keyring.known,
  )
  const [record] = verified.fault ? [] : findChangedRecords(state)
  const fault =
    verified.fault ??
    findWitnessFault(state, context.env) ??
    (record ? toFault(record) : undefined) ??
    governance.faults[0]
  const entries = findEntries(state, { limit: 1_000_000, ...(since && { since }) }).filter(
    ({ at }) => until === undefined || at <= until,
  )
  const trail = entries.map(({ seq, at, action, actor, decision, target, details }): Trail => {
    const reasons = Array.isArray(details.reasons) ? details.reasons.map(String) : []
    return { seq, at, action, agent: actor.agent, decision, target, reasons }
  })
  const anomalies = scored.filter(({ session_id }) => ids.has(session_id))
  const git = async (args: string[]) => {
    const { code, stdout } = await tryGit(root, args, { signal: context.signal })
    return code === 0 ? stdout.toString('utf8').trim() : null
  }
  const head = until === undefined ? state.head() : findEndUntil(state, until)
  return {
    type: 'svc-harness-report',
    version: 1,
    generated_at: (parseSourceDate(context.env.SOURCE_DATE_EPOCH) ?? new Date()).toISOString(),
    since,
    tool_version: VERSION,
    repository: {
      name: root.split(/[\\/]/).at(-1) ?? '',
      git_sha: await git(['rev-parse', '--verify', '--quiet', 'HEAD']),
      branch: await git(['symbolic-ref', '--short', '--quiet', 'HEAD']),
    },
    policy_digest: acting.policy_digest,
    sections: {
      task_binding: {
        enabled: policy.task_binding.enabled,
        enforcement: policy.task_binding.enforcement,
        by_status: countedBy(sessions, ({ status }) => status),
        sessions: sessions.map(hideInternals),
      },
      blast_radius: {
        enabled: policy.blast_radius.enabled,
        zones: listZones(policy).map(({ name, enforcement }) => ({
          name,
          enforcement,
          touched_by: sessions.filter(({ zones_touched }) => zones_touched.includes(name)).map(({ id }) => id),
        })),
        protected_touched: sessions.flatMap(({ id, files_touched }) =>
          files_touched.filter(isProtected).map(path => ({ session_id: id, path })),
        ),
      },
      trust_chains: { enabled: policy.trust_chain.enabled, max_depth: policy.trust_chain.max_depth, delegations },
      rollbacks: {
        enabled: policy.rollback.enabled,
        rollbacks: trail.filter(({ action }) => action === 'task.rollback' || action === 'task.rollback_undo'),
      },
      anomalies: {
        enabled: policy.anomaly_detection.enabled,
        by_verdict: countedBy(anomalies, ({ verdict }) => verdict),
        sessions: anomalies,
      },
      human_approvals: { by_status: countedBy(approvals, ({ status }) => status), approvals },
      audit_trail: {
        entries: trail.length,
        ...{ last_seq: head.seq, head_hash: head.hash, log_id: head.log_id },
        fault: fault ? { kind: fault.kind, seq: fault.seq, message: fault.message } : null,
        by_action: countedBy(trail, ({ action }) => action),
        by_decision: countedBy(trail, ({ decision }) => decision),
        latest: trail.slice(0, MOST_ENTRIES),
      },
    },
  }
}

/** The end that the log had at a moment. */
export function findEndUntil(state: State, until: string): Head {
  let end: Head = makeEmptyHead(state.head().log_id)
  for (const text of readEntryTexts(state)) {
    const { at, seq } = JSON.parse(text) as AuditEntry
    if (at > until) break
    end = { ...end, seq, at, hash: computeSha256(text) }
  }
  return end
}

function countedBy<T>(items: readonly T[], key: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1
  return counts
}
