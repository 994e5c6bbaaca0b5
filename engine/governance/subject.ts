import { relative, sep } from 'node:path'
import { canonical } from '../base/text/canonical.ts'
import type { Subject } from '../sources/state/records.ts'
import { computeSha256 } from '../sources/state/seal.ts'
import type { Reader } from '../sources/state/tables.ts'
import type { Ask } from './approvals.ts'
import { judgePath } from './paths.ts'
import type { Action } from './trust.ts'

/** An action with all that it would do. */
export interface WholeAction {
  /** The operation, or the agent's tool. */
  tool: string
  action: Action
  /** As the caller named them. */
  paths: readonly string[]
  /** All that is given to the tool. */
  content: unknown
  command: string | null
  /** Absolute. */
  directory: string
}

/** The parts of an action, each canonical: the same action has the same however its paths are written. */
export function makeSubject(root: string, { tool, action, paths, content, command, directory }: WholeAction): Subject {
  const named = paths.flatMap(path => {
    const judged = judgePath(root, directory, path)
    return 'paths' in judged ? judged.paths : [path]
  })
  return {
    tool,
    paths: [...new Set(named)].sort(),
    content: computeSha256(canonical({ action, content })),
    command,
    directory: relative(root, directory).split(sep).join('/') || '.',
  }
}

const PARTS = ['tool', 'paths', 'command', 'content', 'directory'] as const

/** The parts in which one action differs from another. */
export function listDifferingParts(one: Subject, other: Subject): string[] {
  return PARTS.filter(part => canonical(one[part]) !== canonical(other[part]))
}

/**
 * Why an approval that the requester has does not hold for this action, as a sentence: which parts differ, or that it was
 * used. Empty where there is none that comes near.
 */
export function nearMiss(reader: Reader, { type, subject, subject_digest, requester }: Ask): string {
  if (!subject) return ''
  const given = reader.find(
    'approvals',
    "type = ? AND requester = ? AND status IN ('approved', 'consumed') ORDER BY created_at DESC LIMIT 20",
    type,
    requester,
  )
  const used = given.find(approval => approval.subject_digest === subject_digest)
  if (used) return ` ${used.id} allowed it once, and was used.`
  const [near] = given
    .filter(({ status }) => status === 'approved')
    .flatMap(approval =>
      approval.subject ? [{ id: approval.id, parts: listDifferingParts(subject, approval.subject) }] : [],
    )
    .sort((a, b) => a.parts.length - b.parts.length)
  if (!near || near.parts.length === PARTS.length) return ''
  return ` ${near.id}, which is approved, allows another action: ${near.parts.join(', ')} ${near.parts.length === 1 ? 'differs' : 'differ'}.`
}
