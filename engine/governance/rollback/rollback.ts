import { findEntries } from '../../audit/log.ts'
import { EngineError } from '../../base/errors.ts'
import { tryGit } from '../../sources/repository/git.ts'
import type { Session } from '../../sources/state/records.ts'
import { computeSubjectDigest, consumeApproval, requestApproval } from '../approvals.ts'
import { isOpen, listChain, makeChainScope, OPEN } from '../chain.ts'
import type { GovernedContext } from '../context.ts'
import type { GovernanceSession } from '../governance-session.ts'
import { findChangedSince, getStart } from '../recheck.ts'
import { recordRecheck } from '../session-record.ts'
import { getOwnSession, getSession, revokeSession } from '../sessions.ts'
import { refuseTampered } from '../tampering.ts'
import { isProtected } from '../zones.ts'
import { isSame, keep, listDirectoriesAround } from './kept.ts'
import { makePlan, type Plan } from './plan.ts'
import { bringBack, carryOut, runWithIndex } from './restore.ts'
import { keepIndex, listIndexEntries, loadLatestSnapshot, retire, type Snapshot, writeSnapshot } from './snapshot.ts'

/** What came of asking for a rollback. */
export interface RolledBack {
  session: Session
  outcome: 'planned' | 'rolled_back' | 'undone' | 'pending'
  plan?: Plan
  /** The ref that holds what was there before. */
  snapshot?: string
  approval_id?: string
}

/** Plans, and unless it is a dry run does, the rollback of a session (docs/governance.md). */
export async function rollBack(
  governance: GovernanceSession,
  id: string,
  { dry_run, force }: { dry_run: boolean; force: boolean },
  { signal }: Pick<GovernedContext, 'signal'>,
): Promise<RolledBack> {
  const { root, state, acting, identity, policy } = governance
  const before = state.read(reader => getOwnSession(reader, governance, id))
  refuseTampered(governance, 'A rollback')
  if (before.status === 'rolled_back')
    throw new EngineError('CONFLICT', `${id} is rolled back already.`, {
      hint: `Undo it with \`svc task-rollback ${id} --undo\`.`,
    })
  if (force && !identity.person)
    throw new EngineError('FORBIDDEN', `Only a user can roll back with --force; the caller is ${identity.agent}.`)
  const plan = await planFor(governance, before, signal)
  if (dry_run) return { session: before, outcome: 'planned', plan }
  if (!policy.rollback.enabled)
    throw new EngineError('FORBIDDEN', 'Rollback is not switched on here.', {
      hint: 'Set governance.rollback.enabled in .svc/config.yaml.',
    })
  const guarded = identity.person ? undefined : listTouched(plan).find(isProtected)
  if (guarded)
    throw new EngineError('FORBIDDEN', `Only a user can roll back ${guarded}; the caller is ${identity.agent}.`)
  if (plan.obstacles.length > 0 && !force) {
    throw new EngineError(
      'CONFLICT',
      `Rolling back ${id} could lose what is not the session's: ${plan.obstacles.slice(0, 5).join('; ')}${plan.obstacles.length > 5 ? `; and ${plan.obstacles.length - 5} more` : ''}.`,
      {
        hint: 'Check with --dry-run. A user can continue with --force; the current state is saved and can be restored.',
      },
    )
  }
  const approval = await approvalFor(governance, before, plan, signal)
  if (approval && !approval.used) return { session: before, outcome: 'pending', plan, approval_id: approval.id }

  const snapshot = await runWithIndex(root, signal, async index => {
    const taken = await take(root, before, plan, signal)
    const { ref } = await writeSnapshot(root, taken, signal)
    try {
      await carryOut(root, plan, index, signal)
    } catch (error) {
      // Half of it is worse than none: everything goes back to how it was found.
      const { stdout } = await tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], {})
      await bringBack(root, taken, index, stdout.toString('latin1').trim() || null, new AbortController().signal)
      throw error
    }
    const after = await keep(root, taken.touched, { write: false, signal })
    return writeSnapshot(root, { ...taken, after, after_index: await listIndexEntries(root, signal) }, signal, ref)
  })
  state.write(acting, tx => {
    if (isOpen(getSession(tx, id))) revokeSession(tx, id, 'it was rolled back', true)
    tx.update('sessions', id, { status: 'rolled_back', ended_at: tx.at })
    tx.audit({
      action: 'task.rollback',
      target: id,
      decision: 'allowed',
      details: {
        ...{ to: plan.target, from: plan.head, snapshot: snapshot.ref, snapshot_commit: snapshot.commit },
        forced: force && plan.obstacles.length > 0,
        ...{ commits: plan.commits.map(({ sha }) => sha), files: listTouched(plan).length },
        ...(approval && { approval_id: approval.id }),
      },
    })
  })
  return { session: state.read(reader => getSession(reader, id)), outcome: 'rolled_back', plan, snapshot: snapshot.ref }
}

/** Undoes the latest rollback of a session: files, index and branch are what they were, byte for byte. */
export async function undo(
  governance: GovernanceSession,
  id: string,
  { signal }: Pick<GovernedContext, 'signal'>,
): Promise<RolledBack> {
  const { root, state, acting } = governance
  state.read(reader => getOwnSession(reader, governance, id))
  refuseTampered(governance, 'Undoing a rollback')
  const { ref, commit, snapshot } = await loadLatestSnapshot(root, id, signal)
  mayUndo(governance, id, ref, commit)
  const head = await tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], { signal })
  const from = head.stdout.toString('latin1').trim() || null
  const now = await keep(root, snapshot.touched, { write: false, signal })
  const { after, kept } = snapshot
  const changed = snapshot.touched.filter(
    path => !isSame(now[path], kept[path]) && after && !isSame(now[path], after[path]),
  )
  const has = from === snapshot.target || from === snapshot.head
  const entries = await listIndexEntries(root, signal)
  if (!has || changed.length > 0 || (snapshot.after_index !== undefined && entries !== snapshot.after_index)) {
    const what = !has
      ? 'the branch has moved'
      : changed.length > 0
        ? `${changed.slice(0, 3).join(', ')} changed`
        : 'the index changed'
    throw new EngineError('CONFLICT', `The rollback of ${id} cannot be undone: ${what} since.`, {
      hint: `Move that away first. The state before the rollback is in ${ref}.`,
    })
  }
  await runWithIndex(root, signal, index => bringBack(root, snapshot, index, from, signal))
  await retire(root, ref, signal)
  state.write(acting, tx => {
    const { expires_at, parent_id } = getSession(tx, id)
    const parent = parent_id === null ? undefined : tx.get('sessions', parent_id)
    const isOver = expires_at <= tx.at || (parent !== undefined && !isOpen(parent))
    const wasOpen = snapshot.status === 'active' || snapshot.status === 'violated'
    tx.update(
      'sessions',
      id,
      wasOpen && isOver ? { status: 'expired' } : { status: snapshot.status, ...(wasOpen && { ended_at: null }) },
    )
    tx.audit({
      action: 'task.rollback_undo',
      target: id,
      decision: 'allowed',
      details: { snapshot: ref, to: snapshot.head },
    })
  })
  return { session: state.read(reader => getSession(reader, id)), outcome: 'undone', snapshot: ref }
}

/** Every path that a plan changes. */
export function listTouched({ restore, rewrite, remove }: Pick<Plan, 'restore' | 'rewrite' | 'remove'>): string[] {
  return [...restore, ...Object.keys(rewrite), ...remove].sort()
}

/**
 * Refuses what would bring back more than who asks has taken away: an agent undoes its own rollback, from the snapshot that
 * the log names. A person may undo any, also one that was ended before it stood in the log, but none that was changed.
 */
function mayUndo({ state, identity }: GovernanceSession, id: string, ref: string, commit: string): void {
  const [entry] = findEntries(state, { action: 'task.rollback', target: id, limit: 1 })
  const told = entry?.tampered || entry?.details.snapshot !== ref ? undefined : entry
  const kept = told?.details.snapshot_commit
  if (kept !== undefined && kept !== commit)
    throw new EngineError('CONFLICT', `The snapshot of ${id} in ${ref} was modified since: the log has ${kept}.`)
  if (!identity.person && (kept === undefined || told?.actor.agent !== identity.agent))
    throw new EngineError('FORBIDDEN', `${identity.agent} did not roll back ${id}, so only a user can undo it.`)
}

async function planFor({ root, state }: GovernanceSession, session: Session, signal: AbortSignal): Promise<Plan> {
  const { chain, open, now } = state.read((reader, at) => ({
    chain: listChain(reader, session),
    open: reader.find('sessions', OPEN),
    now: at,
  }))
  const permits = makeChainScope(chain)
  const violated = new Set(session.violations.map(({ path }) => path))
  const family = new Set([session.id, ...chain.map(({ id }) => id)])
  const others = open
    .filter(({ id, parent_id }) => !family.has(id) && parent_id !== session.id)
    .map(({ id, files_touched }) => ({ id, files: new Set(files_touched) }))
  return makePlan(root, session, {
    isOwn: path => permits(path) || violated.has(path),
    others: path => others.find(({ files }) => files.has(path))?.id,
    signal,
    now,
  })
}

/** The approval that rolling back a violated session needs from who is no person; it is for this very plan. */
async function approvalFor(
  governance: GovernanceSession,
  session: Session,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ id: string; used: boolean } | undefined> {
  const { policy, identity, state, acting, root } = governance
  if (!policy.rollback.require_approval_for_violations || identity.person) return undefined
  const changed = await findChangedSince(root, session, { signal })
  return state.write(acting, tx => {
    // What nobody has noticed yet counts too: git is asked before, not after.
    const { session: seen } = recordRecheck(tx, governance, session.id, changed, 'heed')
    if (seen.violations.length === 0) return undefined
    const subject = { session: session.id, from: plan.head, to: plan.target, files: listTouched(plan) }
    const digest = computeSubjectDigest('rollback', subject)
    const used = consumeApproval(tx, digest, identity.agent)
    if (used) return { id: used.id, used: true }
    const asked = requestApproval(tx, {
      type: 'rollback',
      title: `Roll ${session.id} back: ${plan.commits.length} commits, ${listTouched(plan).length} files`,
      context: listTouched(plan).slice(0, 200).join('\n'),
      subject_digest: digest,
      requester: identity.agent,
      session_id: session.id,
    })
    return { id: asked.id, used: false }
  })
}

async function take(root: string, session: Session, plan: Plan, signal: AbortSignal): Promise<Snapshot> {
  const touched = listTouched(plan)
  const differing = Object.keys((await getStart(root, { signal })).baseline)
  return {
    version: 1,
    session: session.id,
    status: session.status,
    at: new Date().toISOString(),
    ...{ head: plan.head, ref: plan.ref, target: plan.target, touched },
    folders: listDirectoriesAround(root, touched),
    index: await keepIndex(root, signal),
    kept: await keep(root, [...new Set([...touched, ...differing.filter(path => !path.endsWith('/'))])], {
      write: true,
      signal,
    }),
  }
}
