import { formatCount } from '../../base/text/words.ts'
import { listIds, matchFrameworks } from '../../sources/packs/find-framework.ts'
import type { Pack } from '../../sources/packs/pack.ts'
import { type Digest, digestFile, MOST_EVIDENCE_BYTES } from './digest.ts'
import type { EvidenceEntry } from './entry.ts'

/**
 * What an entry is worth. Only `valid` counts. `no_digest`: the file was named by hand, so nobody can tell whether it changed.
 * `not_yet`: observed on a day that has not come. `not_checked`: beyond what is checked of one file, so that nobody knows.
 */
export const EVIDENCE_STATES = [
  'valid',
  'expired',
  'changed',
  'missing',
  'no_digest',
  'not_yet',
  'unknown_control',
  'not_checked',
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

/** How evidence is judged. */
export interface CheckOptions {
  /** An ISO 8601 date in UTC. */
  today: string
  signal: AbortSignal
  /** The most bytes that are read of all files together. */
  most_bytes?: number
}

/** Entries that are checked; what stands below them does not count. */
const MOST_ENTRIES = 2_000

type Judgement = Pick<CheckedEvidence, 'state' | 'reason'>

/** Checks each entry against the repository's files and the packs. Each file is read once; entries and bytes are limited. */
export async function checkEvidence(
  root: string,
  entries: readonly EvidenceEntry[],
  packs: readonly Pack[],
  { today, signal, most_bytes = MOST_EVIDENCE_BYTES }: CheckOptions,
): Promise<CheckedEvidence[]> {
  const subjects = new Map<string, Subject>()
  const digests = new Map<string, Digest>()
  let read = 0
  const digest = async (file: string): Promise<Digest> => {
    const known = digests.get(file)
    if (known) return known
    const made = await digestFile(root, file, { signal, most: most_bytes - read })
    if ('bytes' in made) read += made.bytes
    digests.set(file, made)
    return made
  }
  const checked: CheckedEvidence[] = []
  for (const [index, entry] of entries.entries()) {
    signal.throwIfAborted()
    if (index >= MOST_ENTRIES) {
      const reason = `Only the first ${formatCount(MOST_ENTRIES, 'entry', 'entries')} are checked.`
      checked.push({ ...entry, state: 'not_checked', reason })
      continue
    }
    const subject = subjects.get(entry.control) ?? findSubject(entry.control, packs)
    subjects.set(entry.control, subject)
    if ('unknown' in subject) checked.push({ ...entry, state: 'unknown_control', reason: subject.unknown })
    else checked.push({ ...entry, ...subject, ...(await judgeEntry(entry, today, digest)) })
  }
  return checked
}

async function judgeEntry(
  entry: EvidenceEntry,
  today: string,
  digestOf: (file: string) => Promise<Digest>,
): Promise<Judgement> {
  const { file, sha256, observed_at, expires } = entry
  if (expires !== undefined && expires < today) return { state: 'expired', reason: `It expired on ${expires}.` }
  if (observed_at > today) return { state: 'not_yet', reason: `It is dated ${observed_at}, which has not come.` }
  if (file === undefined) return { state: 'valid', reason: 'A link: svc does not fetch it.' }
  const digest = await digestOf(file)
  if ('missing' in digest) return { state: 'missing', reason: `The file ${digest.missing}.` }
  if (sha256 === undefined)
    return { state: 'no_digest', reason: 'The entry has no sha256: record it with `svc evidence add`.' }
  if ('too_large' in digest)
    return { state: 'not_checked', reason: 'The files of all entries together are too large: link to it with url.' }
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
