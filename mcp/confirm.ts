import type { InputRequest, InputRequiredResult } from '@modelcontextprotocol/server'
import { escapeInvisibleLine } from '../engine/base/text/visible.ts'
import { inputRequired } from './library.ts'
import { cutText } from './size.ts'

/**
 * Questions to the person at the client. An answer permits nothing: a client may answer by itself. What needs an approval is done only where
 * the governance records hold one for exactly this action, given at a terminal or in the dashboard.
 */
const CONFIRM = 'confirm'
const APPROVAL = 'approval'
/** Bytes of a question. */
const QUESTION_BYTES = 1500

/** What the client has answered so far, by the question's key. */
export type Answers = Readonly<Record<string, unknown>> | undefined

/** The question that a call must be confirmed by, before it begins; undefined where it needs none or has an answer. */
export function askBefore(tool: string, input: Readonly<Record<string, unknown>>, answers: Answers) {
  if (answers && (CONFIRM in answers || APPROVAL in answers)) return undefined
  if (tool !== 'rollback_task' || input.dry_run === true) return undefined
  const session = escapeInvisibleLine(String(input.id).slice(0, 100))
  const what =
    input.undo === true ? `Undo the rollback of ${session}` : `Roll back the working tree to the start of ${session}`
  return ask(CONFIRM, `${what}? Your answer does not replace an approval that the policy requires.`)
}

/** The question that waits for an approval; undefined where it was asked already, so that a client which always agrees ends. */
export function askForApproval(reason: string, answers: Answers) {
  if (answers && APPROVAL in answers) return undefined
  const how = 'A reviewer approves it with `svc approve` at a terminal, or in the dashboard.'
  const then = 'Confirm here afterwards to repeat the call; this answer approves nothing by itself.'
  return ask(APPROVAL, `${escapeInvisibleLine(reason.slice(0, QUESTION_BYTES / 2))} ${how} ${then}`)
}

/** Whether the person has said no to something. */
export function isDeclined(answers: Answers): boolean {
  return [CONFIRM, APPROVAL].some(key => {
    const answer = answers?.[key] as { action?: unknown } | null | undefined
    return answer !== undefined && answer?.action !== 'accept'
  })
}

/** The approval that an answer waits for: of a rollback, or of a requested grant. */
export function findPending(output: Record<string, unknown>): string | undefined {
  const { outcome, approval_id, grant } = output as { outcome?: string; approval_id?: string; grant?: Pending }
  if (outcome === 'pending') return approval_id
  return grant?.status === 'pending' ? (grant.approval_id ?? undefined) : undefined
}

interface Pending {
  status?: string
  approval_id?: string | null
}

function ask(key: string, question: string): InputRequiredResult {
  const message = cutText(question, QUESTION_BYTES)
  const request: InputRequest = inputRequired.elicit({
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: {} },
  })
  return inputRequired({ inputRequests: { [key]: request } })
}
