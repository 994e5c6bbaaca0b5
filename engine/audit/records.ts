import { canonical } from '../base/text/canonical.ts'
import type { AuditEntry } from '../sources/state/entry.ts'
import { computeSha256 } from '../sources/state/seal.ts'
import type { RecordFault } from '../sources/state/seals.ts'
import type { State } from '../sources/state/state.ts'
import { readEntryTexts } from './log.ts'

/** What the log says of the records that decide, the latest word on each. */
interface Told {
  /** Paths, by session. */
  paths: Map<string, { seq: number; text: string }>
  approved: Set<string>
  granted: Set<string>
  scopes: Map<string, { seq: number; text: string }>
  frozen: Map<string, { seq: number; on: boolean }>
  policy: { seq: number; digest: string } | undefined
  /** Digests of rows by record; null of one that was removed. */
  digests: Map<string, { seq: number; digest: string | null }>
}

/**
 * Every row that is not what the log says of it: first by the digests that the log's end vouches for, then, where those are
 * sound, by the digests and the words of the entries themselves. Expects a log that is sound.
 */
export function findChangedRecords(state: State): RecordFault[] {
  const faults = state.recordFaults()
  if (faults.length > 0) return faults
  const told = entryFault(state)
  return told ? [told] : []
}

/**
 * Holds the records that decide against the log: paths of sessions, answers to approvals, active grants, scopes of agents,
 * freezes, the policy. A row that was changed with another program says something else than its entries, or has none.
 * What retention has removed cannot be held against anything. Expects a log that is sound.
 */
function entryFault(state: State): RecordFault | undefined {
  const told = tell(state)
  const begun = (JSON.parse(state.textOf(firstSeq(state)) ?? '{"at":""}') as { at: string }).at
  const seals = state.seals()
  for (const [record, { seq, digest }] of told.digests) {
    if ((seals.get(record) ?? null) === digest) continue
    const [table, id] = split(record)
    return { table, id, what: 'edited', seq, message: `${id} in ${table} does not match its seal in entry ${seq}` }
  }
  const fault =
    (table: string, id: string) =>
    (seq: number, message: string): RecordFault => ({
      ...{ table, id, what: 'edited', seq, message },
    })
  return state.read(reader => {
    for (const { id, authorized_paths, created_at } of reader.find('sessions', '1 ORDER BY created_at')) {
      const said = told.paths.get(id)
      if (said ? said.text !== JSON.stringify(authorized_paths) : created_at > begun)
        return fault('sessions', id)(said?.seq ?? 0, `the paths of ${id} differ from those in the log`)
    }
    for (const { id, created_at } of reader.find('approvals', "status IN ('approved', 'consumed')"))
      if (!told.approved.has(id) && created_at > begun)
        return fault('approvals', id)(0, `${id} is approved, but the log has no answer to it`)
    for (const { id, requested_at } of reader.find('grants', "status = 'active'"))
      if (!told.granted.has(id) && requested_at > begun)
        return fault('grants', id)(0, `${id} is active, but the log has no entry for it`)
    for (const { name, scopes, created_at } of reader.find('agents', 'revoked_at IS NULL')) {
      const said = told.scopes.get(name)
      if (said ? said.text !== JSON.stringify(scopes) : created_at > begun)
        return fault('agents', name)(said?.seq ?? 0, `the scopes of ${name} are not those that it was registered with`)
    }
    for (const [name, { seq, on }] of told.frozen)
      if (on && !reader.get('frozen', name))
        return fault('frozen', name)(seq, `${name} was frozen, and is not any more`)
    return told.policy && state.meta('policy') !== undefined && policyDigest(state) !== told.policy.digest
      ? fault('meta', 'policy')(told.policy.seq, 'the stored policy differs from the one in the log')
      : undefined
  })
}

function tell(state: State): Told {
  const told: Told = {
    paths: new Map(),
    approved: new Set(),
    granted: new Set(),
    scopes: new Map(),
    frozen: new Map(),
    policy: undefined,
    digests: new Map(),
  }
  for (const text of readEntryTexts(state)) {
    // Most entries are of other things, and reading them all would take as long as verifying them.
    if (
      !/"records"|"action":"(records\.|task\.(bind|delegate)|approval\.resolve|grant\.activate|agent\.|policy\.)/.test(
        text,
      )
    )
      continue
    const { seq, action, target, decision, details } = JSON.parse(text) as AuditEntry
    // All rows were sealed anew: a file of an earlier version, or one that a person accepted.
    if (action === 'records.seal' || action === 'records.accept') told.digests.clear()
    for (const [record, digest] of Object.entries((details.records ?? {}) as Record<string, string | null>))
      told.digests.set(record, { seq, digest })
    if (action === 'task.bind') told.paths.set(target, { seq, text: JSON.stringify(details.authorized_paths) })
    if (action === 'task.delegate')
      told.paths.set(String(details.session_id), { seq, text: JSON.stringify(details.paths) })
    if (action === 'approval.resolve' && decision === 'allowed') told.approved.add(target)
    if (action === 'grant.activate') told.granted.add(target)
    if (action === 'agent.register') told.scopes.set(target, { seq, text: JSON.stringify(details.scopes) })
    if (action === 'agent.freeze' || action === 'agent.unfreeze')
      told.frozen.set(target, { seq, on: action === 'agent.freeze' })
    if (action.startsWith('policy.') && decision === 'allowed') told.policy = { seq, digest: target }
  }
  return told
}

/** The table and the key of a record. */
export function split(record: string): [table: string, id: string] {
  const space = record.indexOf(' ')
  return [record.slice(0, space), record.slice(space + 1)]
}

/** As engine/governance/policy.ts makes it. */
function policyDigest(state: State): string {
  return computeSha256(canonical(JSON.parse(state.meta('policy')!)))
}

function firstSeq(state: State): number {
  return state.read(reader => Number(reader.rows('SELECT coalesce(min(seq), 0) AS seq FROM audit')[0]!.seq))
}
