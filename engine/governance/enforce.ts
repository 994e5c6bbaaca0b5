import { EngineError, toEngineError } from '../base/errors.ts'
import { findRepositoryRoot, loadConfig } from '../sources/config/load.ts'
import { stateExists } from '../sources/state/local-folder.ts'
import type { Subject } from '../sources/state/records.ts'
import type { Transaction } from '../sources/state/state.ts'
import { readWitness } from '../sources/state/witness.ts'
import { actingAgent } from './acting-agent.ts'
import { type Ask, computeSubjectDigest, consumeApproval, findGivenApproval, requestApproval } from './approvals.ts'
import type { GovernedContext } from './context.ts'
import { describeUnknownCredential } from './credential.ts'
import { decide, type Verdict } from './decide.ts'
import { gatherFacts } from './facts.ts'
import { type GovernanceSession, openGovernance } from './governance-session.ts'
import { useGrant } from './grant-life.ts'
import { includesWriting, keepInside, listGuardedOutputs, WRITE_ACTION } from './outputs.ts'
import { type Governance, isActive, mayRefuse } from './policy.ts'
import { recordAccess } from './session-record.ts'
import { makeSubject, nearMiss } from './subject.ts'
import { isEndForged } from './tampering.ts'
import { type Action, getActionNamed } from './trust.ts'

/** An operation as far as governance judges it. */
export interface GuardedOperation {
  id: string
  summary: string
  effect: 'read' | 'write' | 'destroy'
  /** It may be done without a task session. */
  unbound?: boolean
}

/** What is asked of the guard at the door. */
export interface Asked {
  row: GuardedOperation
  input: unknown
  action: Action
  /** Repository paths that it will write, as far as the input tells. */
  paths: readonly string[]
  /** Files that the input names to be written, relative to the folder: those in the output directory are free. */
  written?: readonly string[]
  /** It weakens what changes are judged by. */
  weakens?: boolean
  /** Others see what is done. */
  outward?: boolean
  /** The folder that is worked on. */
  folder: string
  /** The tool of an agent that is judged, with all that it would do; the operation and its input where left out. */
  tool?: { name: string; content: unknown; command: string | null; diff?: () => string | undefined }
  /** Its settings, where they were read already. */
  governance?: Governance
}

/** What was decided: it becomes part of the operation's context. */
export type Decided = Pick<GovernedContext, 'agent' | 'permit' | 'held'>

/**
 * The guard of a governed repository. Decides on the action and on the paths that the input names, and records it; FORBIDDEN or
 * APPROVAL_NEEDED where the work may not begin. `permit` decides on what turns out later. Where the guard itself fails, a policy that can
 * refuse refuses; one that only warns goes on and says so. The caller closes `context.governance`.
 */
export async function enforce(asked: Asked, context: GovernedContext): Promise<Decided> {
  const opened = await openOrGoOn(asked, context)
  if (!opened.governance) return opened.held ? { held: opened.held } : {}
  const { governance } = opened
  const { person, agent, method, credential } = governance.identity
  if (credential === 'unknown') context.notice(`Governance: ${describeUnknownCredential(agent)}.`)
  const place = { root: governance.root, folder: asked.folder, env: context.env }
  const outputs = person ? [] : await listGuardedOutputs(asked.written ?? [], place)
  // A build's script is no agent, whoever wrote the last commit: it writes its results where it likes, but for what is protected and for zones.
  const isScript = (method === 'none' || method === 'git') && actingAgent(context) === undefined
  const own = isScript ? keepInside(place, outputs) : includesWriting(asked.action) ? outputs : []
  const writes = isScript || own.length > 0 ? [] : outputs
  const isForged = isEndForged(governance)
  if (isForged && isLook(asked.row, asked.action) && writes.length + own.length === 0) return {}
  const decided: Decided = person || method === 'none' ? { agent: undefined } : { agent }
  try {
    ask(governance, context, asked, asked.action, [...new Set([...asked.paths, ...own])])
    // A report that is written over a file of the project is a change, however little the command changes otherwise.
    if (writes.length > 0)
      ask(governance, context, { ...asked, row: { ...asked.row, effect: 'write' } }, WRITE_ACTION, writes)
  } catch (error) {
    const held = toEngineError(error).code === 'STORE_UNREADABLE' ? await failedGate(asked, context, error) : undefined
    if (!held) throw error
    decided.held = held
  }
  decided.permit = async ({ action, paths, content, diff, outward = false }) => {
    const given = { input: asked.input, content }
    const tool = { name: asked.row.id, content: given, command: null, ...(diff && { diff: () => diff }) }
    ask(governance, context, { ...asked, tool, outward }, getActionNamed(action), paths)
  }
  return decided
}

async function openOrGoOn(
  { folder, action, governance: read }: Pick<Asked, 'folder' | 'action' | 'governance'>,
  context: GovernedContext,
): Promise<{ governance?: GovernanceSession; held?: string[] }> {
  const root = findRepositoryRoot(folder)
  const governance = read ?? (await loadConfig(root, { env: context.env })).governance
  if (!stateExists(root) && !isActive(governance) && readWitness(context.env, root) === undefined) return {}
  try {
    return { governance: await openGovernance(context, folder, governance) }
  } catch (error) {
    const held = await failedGate({ action }, context, error)
    if (held) return { held }
    const { message, hint } = toEngineError(error)
    if (mayRefuse(governance)) throw error
    context.notice(`Governance is not working: ${message} ${hint} Its policy is warn only, so the command continues.`)
    return {}
  }
}

/**
 * Why the gate fails because of records that cannot be read, as an answer rather than an error, whatever the settings say by now;
 * undefined where it is not the gate that was asked for.
 */
async function failedGate(
  { action }: Pick<Asked, 'action'>,
  context: GovernedContext,
  error: unknown,
): Promise<string[] | undefined> {
  const { message, hint, code } = toEngineError(error)
  if (action !== 'run_gate' || code === 'INTERRUPTED') return undefined
  await context.governance?.close()
  return [`the governance records cannot be read: ${message} ${hint}`.replace(/\.$/, '')]
}

/** Decides on one action and these paths, records the decision, and throws where it is not allowed. */
function ask(
  governance: GovernanceSession,
  context: GovernedContext,
  asked: Asked,
  action: Action,
  given: readonly string[],
): void {
  const { state, acting, identity } = governance
  const { row } = asked
  const { tool = { name: row.id, content: { input: asked.input }, command: null } } = asked
  const { name, content, command, diff }: NonNullable<Asked['tool']> = tool
  const whole = { tool: name, action, paths: given, content, command, directory: asked.folder }
  const bound = () => {
    const change = diff?.()
    return { subject: makeSubject(governance.root, whole), ...(change && { diff: change }) }
  }
  const outcome = state.write(acting, tx => {
    const asks = gatherFacts(governance, tx, tx.at, {
      action,
      unbound: row.unbound ?? false,
      looks: isLook(row, action),
      folder: asked.folder,
      paths: given,
    })
    const facts = { ...asks, weakens: asked.weakens ?? false, outward: asked.outward ?? false }
    const verdict = decide(facts)
    const approvals = verdict.decision === 'pending' ? settle(tx, verdict, governance, row, bound()) : undefined
    const decision = approvals?.every(({ consumed }) => consumed) ? 'allowed' : verdict.decision
    const grant =
      verdict.by_grant && decision !== 'refused' ? useGrant(tx, identity.agent, verdict.by_grant) : undefined
    if (governance.session)
      recordAccess(tx, governance.session.id, facts, {
        action,
        decision,
        approved: approvals !== undefined && decision === 'allowed',
      })
    if (isWorthAnEntry(asked, governance, decision, given)) {
      tx.audit({
        action,
        target: given.length > 0 ? given.join(' ') : row.id,
        decision,
        details: {
          operation: row.id,
          ...(verdict.opinions.length > 0 && {
            reasons: verdict.opinions.map(({ rule, reason }) => `${rule}: ${reason}`),
          }),
          ...(grant && { grant_id: grant.id }),
          ...(approvals && { approval_ids: approvals.map(({ id }) => id) }),
        },
      })
    } else if (tx.changes > 0) {
      tx.audit({ action, target: row.id, decision, details: { operation: row.id } })
    }
    const waiting = approvals?.filter(({ consumed }) => !consumed) ?? []
    return { verdict, decision, pending: waiting.map(({ id }) => id), near: waiting.map(({ near }) => near).join('') }
  })
  const reason = outcome.verdict.opinions.map(({ reason }) => reason).join('; ')
  if (outcome.decision === 'warned') context.notice(`Governance: ${reason}. Recorded; the command continues.`)
  if (outcome.decision === 'refused') {
    throw new EngineError('FORBIDDEN', `Governance refuses it: ${reason}.`, { hint: hintFor(outcome.verdict) })
  }
  if (outcome.decision === 'pending') {
    const ids = outcome.pending.join(', ')
    throw new EngineError('APPROVAL_NEEDED', `Approval required (${ids}): ${reason}.${outcome.near}`, {
      hint: `Wait with \`svc wait-approval ${outcome.pending[0]}\`, then do the same again.`,
    })
  }
}

/**
 * For each opinion that waits for a person: the approval of exactly this action, used up where it is given, asked for where
 * it is not; then with a sentence on one that comes near.
 */
function settle(
  tx: Transaction,
  { opinions }: Verdict,
  { identity, session }: GovernanceSession,
  row: GuardedOperation,
  bound: Pick<Ask, 'diff'> & { subject: Subject },
): { id: string; consumed: boolean; near: string }[] {
  const asks = opinions.map(
    ({ approval, reason }): Ask => ({
      type: approval!,
      title: `${row.summary.replace(/\.$/, '')}: ${reason}`,
      context: JSON.stringify(bound.subject),
      subject_digest: computeSubjectDigest(approval!, bound.subject),
      ...bound,
      requester: identity.agent,
      session_id: session?.id ?? null,
    }),
  )
  // All of them or none: what is used up must have served.
  const isGiven = asks.every(ask => findGivenApproval(tx, ask.subject_digest, identity.agent, tx.at))
  if (isGiven)
    return asks.map(ask => ({
      ...{ id: consumeApproval(tx, ask.subject_digest, identity.agent)!.id, consumed: true, near: '' },
    }))
  return asks.map(ask => {
    const near = nearMiss(tx, ask)
    return { id: requestApproval(tx, ask).id, consumed: false, near }
  })
}

/**
 * Scans, gates and changes are recorded, and whatever was not simply allowed. Reading is not, or the log would be of
 * little else; nor are the operations of governance, which tell more exactly what they did.
 */
function isWorthAnEntry(
  { row, action }: Asked,
  governance: GovernanceSession,
  decision: string,
  paths: readonly string[],
): boolean {
  if (decision !== 'allowed' || paths.length > 0) return true
  if (/^(governance|audit)\./.test(row.id)) return false
  return row.effect !== 'read' || (!governance.identity.person && (action === 'run_scan' || action === 'run_gate'))
}

/** Whether it changes nothing but what svc itself writes: a scan and a gate must go on, for the gate to tell of it. */
function isLook({ effect }: GuardedOperation, action: Action): boolean {
  return effect === 'read' || action === 'run_scan' || action === 'run_gate'
}

function hintFor({ opinions }: Verdict): string {
  const rules = new Set(opinions.map(({ rule }) => rule))
  if (rules.has('tampered')) return 'Ask a user to run `svc audit verify`.'
  if (rules.has('frozen')) return 'Ask a user to run `svc agent-unfreeze`.'
  if (rules.has('credential')) return 'Ask a user for a new credential (`svc agent-register`).'
  if (rules.has('binding')) return 'Bind a task first: `svc task-bind "<intent>" --path "src/**"`.'
  if (rules.has('path') && opinions.some(({ reason }) => reason.includes('outside the repository')))
    return 'Name a file in the output directory (out/) or elsewhere in the repository, or have a user do it.'
  if (rules.has('scope') || rules.has('path'))
    return 'Stay within the paths of the task, or have a user bind a task with more paths.'
  return 'Ask for the trust level, or for a grant with `svc request-grant`.'
}
