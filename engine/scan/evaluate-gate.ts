import type { GateDecision, GateFailure } from '../gate/decide.ts'
import { decideOn } from '../gate/verdict.ts'
import type { GovernedContext } from '../governance/context.ts'
import type { Performed } from './perform.ts'

/** What a gate was asked for, beside the scan that it decides on. */
export interface GateRequest {
  /** The change that is judged, if not the working tree. */
  staged?: boolean
  git_range?: string
  /** Contents that were sent are no change of the repository. */
  files?: object
  /** Request a human approval if the gate fails, and wait for it, at most so many seconds. */
  require_approval?: boolean
  approval_timeout?: number
}

/** The gate's answer with what people were asked. */
export type EvaluatedGate = GateDecision & { approval_id?: string }

/**
 * The whole gate on a scan that was just done: its findings and what could not be evaluated, design decisions that are pending, and what
 * governance says. Every command that has a gate asks this, so that none passes what another fails.
 */
export async function evaluateGate(
  performed: Performed,
  request: GateRequest,
  context: GovernedContext,
): Promise<EvaluatedGate> {
  const judged = decideOn(performed)
  const reviewed = { ...judged, ...(await addDesignReview(judged, request, performed, context)) }
  return { ...reviewed, ...(await addGovernance(reviewed, request, performed, context)) }
}

/** The exit code of a gate: pending design decisions have one of their own, where nothing else fails it. */
export function getGateExit({ passed, failures }: Pick<GateDecision, 'passed' | 'failures'>): 0 | 1 | 2 {
  if (passed) return 0
  return failures.every(({ kind }) => kind === 'design_review') ? 2 : 1
}

/** The decision with what the design review makes of it, where the configuration requires acknowledgments. */
async function addDesignReview(
  { passed, reasons, failures }: GateDecision,
  { files, staged = false, git_range }: GateRequest,
  { config }: Performed,
  context: GovernedContext,
): Promise<Pick<GateDecision, 'passed' | 'reasons' | 'failures'>> {
  if (files || !config.governance.design_review.require_acknowledgment) return { passed, reasons, failures }
  const { findDesignFailure } = await import('../review/design/gate.ts')
  const change = { staged, ...(git_range !== undefined && { git_range }) }
  const failure = await findDesignFailure(change, config, context)
  if (failure === undefined) return { passed, reasons, failures }
  return { passed: false, reasons: [...reasons, failure.message], failures: [...failures, failure] }
}

/** What governance makes of the decision, where the repository is governed or a person is to be asked. */
async function addGovernance(
  { passed, reasons, failures }: GateDecision,
  { require_approval = false, approval_timeout: seconds }: GateRequest,
  { findings, run }: Performed,
  context: GovernedContext,
): Promise<Pick<EvaluatedGate, 'passed' | 'reasons' | 'failures' | 'approval_id'>> {
  if (!context.governance && !context.held && !require_approval) return { passed, reasons, failures }
  const { listGovernanceReasons, humanVerdict } = await import('../governance/gate-hold.ts')
  const all = [...reasons, ...(await listGovernanceReasons(context))]
  const asked = { findings, git_sha: run.git_sha, require_approval, ...(seconds !== undefined && { seconds }) }
  const verdict = await humanVerdict({ passed: all.length === 0, reasons: all }, asked, context)
  if (verdict.passed) return { ...verdict, failures: [] }
  const added = verdict.reasons.filter(reason => !reasons.includes(reason))
  return { ...verdict, failures: [...failures, ...added.map(makeGovernanceFailure)] }
}

/** A reason of governance; where it ends with its own way out, in brackets, that is what resolves it. */
function makeGovernanceFailure(message: string): GateFailure {
  return {
    kind: 'governance',
    message,
    resolve:
      / \(([^()]*`svc [^()]*)\)$/.exec(message)?.[1] ??
      'A reviewer lists pending requests with `svc approvals` and answers with `svc approve <id>`',
  }
}
