import { EngineError } from '../base/errors.ts'
import { canonical } from '../base/text/canonical.ts'
import { makeId } from '../sources/state/ids.ts'
import type { Approval, ApprovalType, Subject } from '../sources/state/records.ts'
import { computeSha256 } from '../sources/state/seal.ts'
import type { Transaction } from '../sources/state/state.ts'
import type { Reader } from '../sources/state/tables.ts'
import { activate } from './grant-life.ts'

/** Seconds in which a request must be resolved and, once approved, be used (decisions "Governance"). */
export const APPROVAL_SECONDS = 86_400

/** What a person is asked to approve. */
export interface Ask {
  type: ApprovalType
  title: string
  context: string
  subject_digest: string
  /** The parts of the action, and what it would change; left out where it is no action of a tool. */
  subject?: Subject
  diff?: string
  requester: string
  session_id: string | null
  /** Seconds; APPROVAL_SECONDS where left out. */
  seconds?: number
  /** How many persons must approve; 1 where left out. */
  needed?: number
}

/** The digest of an action: the same action with the same input has the same, any other has another. */
export function computeSubjectDigest(type: ApprovalType, subject: unknown): string {
  return computeSha256(canonical({ type, subject }))
}

/** Adds a request, or finds the one that already waits for the same. */
export function requestApproval(tx: Transaction, ask: Ask): Approval {
  const waiting = tx.find(
    'approvals',
    "subject_digest = ? AND requester = ? AND status IN ('pending', 'approved')",
    ask.subject_digest,
    ask.requester,
  )[0]
  if (waiting) return waiting
  const { seconds = APPROVAL_SECONDS, needed = 1, ...asked } = ask
  const approval: Approval = {
    id: makeId('AP'),
    subject: null,
    diff: null,
    ...asked,
    status: 'pending',
    created_at: tx.at,
    expires_at: addSeconds(tx.at, seconds),
    needed,
    votes: [],
    resolved_at: null,
    resolved_by: null,
    comment: null,
    consumed_at: null,
  }
  tx.insert('approvals', approval)
  tx.audit({
    action: 'approval.request',
    target: approval.id,
    decision: 'pending',
    details: { type: ask.type, title: ask.title, subject_digest: ask.subject_digest },
  })
  return approval
}

/**
 * A person's answer. The last one that is needed approves it, and any rejection rejects it; a grant that waits for it
 * becomes active or is denied in the same step. CONFLICT where it is resolved already, FORBIDDEN for who asked for it
 * and for who has answered before.
 */
export function resolveApproval(
  tx: Transaction,
  id: string,
  answer: { by: string; action: 'approved' | 'rejected'; comment: string },
): Approval {
  const approval = getApproval(tx, id)
  if (approval.status !== 'pending') throw new EngineError('CONFLICT', `${id} is ${approval.status} already.`)
  if (approval.requester === answer.by) {
    throw new EngineError('FORBIDDEN', `${answer.by} requested ${id} and cannot approve it.`, {
      hint: 'Ask another user to answer it.',
    })
  }
  if (approval.votes.some(({ by }) => by === answer.by))
    throw new EngineError('CONFLICT', `${answer.by} has answered ${id} already.`)
  const votes = [...approval.votes, { ...answer, at: tx.at }]
  const given = votes.filter(({ action }) => action === 'approved').length
  const status = answer.action === 'rejected' ? 'rejected' : given >= approval.needed ? 'approved' : 'pending'
  const resolved =
    status === 'pending' ? {} : { resolved_at: tx.at, resolved_by: answer.by, comment: answer.comment || null }
  tx.update('approvals', id, { votes, status, ...resolved })
  tx.audit({
    action: 'approval.resolve',
    target: id,
    decision: status === 'approved' ? 'allowed' : status === 'rejected' ? 'refused' : 'pending',
    details: {
      by: answer.by,
      action: answer.action,
      comment: answer.comment,
      approvals: given,
      needed: approval.needed,
    },
  })
  if (status !== 'pending') settleGrants(tx, id, status, answer.by)
  return getApproval(tx, id)
}

/** The approval of exactly this action by this requester that is given and not used yet; undefined where there is none. */
export function findGivenApproval(reader: Reader, digest: string, requester: string, at: string): Approval | undefined {
  return reader.find(
    'approvals',
    "subject_digest = ? AND requester = ? AND status = 'approved' AND expires_at > ? ORDER BY created_at",
    digest,
    requester,
    at,
  )[0]
}

/** Uses up an approval of exactly this action by this requester, and answers it as it was; undefined where there is none. */
export function consumeApproval(tx: Transaction, digest: string, requester: string): Approval | undefined {
  const approval = findGivenApproval(tx, digest, requester, tx.at)
  if (!approval) return undefined
  tx.update('approvals', approval.id, { status: 'consumed', consumed_at: tx.at })
  tx.audit({
    action: 'approval.consume',
    target: approval.id,
    decision: 'allowed',
    details: { subject_digest: digest },
  })
  return approval
}

/** The approval with this id; NOT_FOUND where there is none. */
export function getApproval(reader: Reader, id: string): Approval {
  const approval = reader.get('approvals', id)
  if (approval) return approval
  throw new EngineError('NOT_FOUND', `There is no approval request ${id}.`, {
    hint: 'List them with `svc approvals --status all`.',
  })
}

/** A time some seconds later. */
export function addSeconds(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString()
}

function settleGrants(tx: Transaction, id: string, status: 'approved' | 'rejected', by: string): void {
  for (const grant of tx.find('grants', "approval_id = ? AND status = 'pending'", id)) {
    if (status === 'approved') {
      activate(tx, grant, by)
      tx.update('approvals', id, { status: 'consumed', consumed_at: tx.at })
    } else {
      tx.update('grants', grant.id, { status: 'denied', ended_at: tx.at })
      tx.audit({ action: 'grant.deny', target: grant.id, decision: 'refused', details: { approval_id: id } })
    }
  }
}
