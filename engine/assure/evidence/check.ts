import { listIds, matchFrameworks } from '../../sources/packs/find-framework.ts'
import type { Pack } from '../../sources/packs/pack.ts'
import { digestFile } from './digest.ts'
import type { EvidenceEntry } from './entry.ts'

/**
 * What an entry is worth. Only `valid` counts. `no_digest`: the file was named by hand, so nobody can tell whether it changed.
 * `not_yet`: observed on a day that has not come.
 */
export const EVIDENCE_STATES = [
  'valid',
  'expired',
  'changed',
  'missing',
  'no_digest',
  'not_yet',
  'unknown_control',
] as const
export type EvidenceState = (typeof EVIDENCE_STATES)[number]

/** An entry as it stands: which control or obligation it is for, and whether it holds. */
export interface CheckedEvidence extends EvidenceEntry {
  state: EvidenceState
  /** One sentence. */
  reason: string
  /** Id of the framework, where the entry names a known one. */
  framework?: string
  /** Id of the control, where it is known. */
  control_id?: string
  /** Set where the entry is for one obligation of the control only. */
  obligation?: string
}

/** Checks each entry against the repository's files and the packs; `today` is an ISO 8601 date in UTC. */
export function checkEvidence(
  root: string,
  entries: readonly EvidenceEntry[],
  packs: readonly Pack[],
  today: string,
): CheckedEvidence[] {
  return entries.map(entry => {
    const subject = findSubject(entry.control, packs)
    if ('unknown' in subject) return { ...entry, state: 'unknown_control', reason: subject.unknown }
    return { ...entry, ...subject, ...judgeEntry(root, entry, today) }
  })
}

function judgeEntry(root: string, entry: EvidenceEntry, today: string): Pick<CheckedEvidence, 'state' | 'reason'> {
  const { file, sha256, observed_at, expires } = entry
  if (expires !== undefined && expires < today) return { state: 'expired', reason: `It expired on ${expires}.` }
  if (observed_at > today) return { state: 'not_yet', reason: `It is dated ${observed_at}, which has not come.` }
  if (file === undefined) return { state: 'valid', reason: 'A link: svc does not fetch it.' }
  const digest = digestFile(root, file)
  if ('missing' in digest) return { state: 'missing', reason: `The file ${digest.missing}.` }
  if (sha256 === undefined)
    return { state: 'no_digest', reason: 'The entry has no sha256: record it with `svc evidence add`.' }
  if (digest.sha256 !== sha256) return { state: 'changed', reason: 'The file changed since it was added.' }
  return { state: 'valid', reason: 'The file is as it was when it was added.' }
}

type Subject = { framework: string; control_id: string; obligation?: string } | { unknown: string }

/**
 * The control that `framework:control` names. The framework is its id, or the beginning of one id up to a hyphen; the control is
 * an id of its pack, or that of an obligation.
 */
export function findSubject(name: string, packs: readonly Pack[]): Subject {
  const at = name.indexOf(':')
  const [wanted, part] = [name.slice(0, at), name.slice(at + 1)]
  const found = matchFrameworks(packs, wanted)
  if (found.length === 0) return { unknown: `There is no framework ${wanted}.` }
  if (found.length > 1) return { unknown: `${wanted} means several frameworks: ${listIds(found)}.` }
  const { framework, controls, obligations } = found[0]!
  if (controls.some(({ id }) => id === part)) return { framework: framework!.id, control_id: part }
  const obligation = obligations.find(({ id }) => id === part)
  if (obligation) return { framework: framework!.id, control_id: obligation.control, obligation: part }
  return { unknown: `${framework!.id} has no control ${part}.` }
}
