import { computeGenesis, type Head, parseHead } from '../sources/state/chain.ts'
import type { AuditEntry } from '../sources/state/entry.ts'
import type { AuditKey } from '../sources/state/key.ts'
import { checkIntegrity, computeSha256 } from '../sources/state/seal.ts'

/** What was done to a log. */
export const FAULT_KINDS = [
  'edited',
  'deleted',
  'reordered',
  'truncated',
  'duplicated',
  'unknown_key',
  'forged_head',
  'anchor_mismatch',
  'replaced',
  'records_changed',
  'witness_changed',
  'clock',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** The first thing that is wrong with a log. */
export interface ChainFault {
  kind: FaultKind
  /** Sequence number of the first bad entry, or of the one that should be there. */
  seq: number
  message: string
}

/** What was found. Without a fault, every entry is as it was written, in its place, and none is missing. */
export interface Verified {
  entries: number
  /** 0 for an empty log. */
  first_seq: number
  last_seq: number
  fault?: ChainFault
}

/** A log as it lies before us. */
export interface Log {
  /** The sealed texts in their order; called again where something is wrong. */
  texts: () => Iterable<string>
  /** The signed head as stored; undefined where it is missing. */
  head: string | undefined
}

/** A point of the log that was noted elsewhere. */
export type Mark = Pick<Head, 'log_id' | 'seq' | 'hash'>

/** Details of the entry that retention leaves behind for those that it removed. */
interface Checkpoint {
  removed_through: number
  hash: string
}

type Keys = ReadonlyMap<string, AuditKey>

/**
 * Verifies a log: each entry's signature, its place, its link to the one before, the head, and where given that the log
 * still has the entry of each mark. Names the first fault and its kind. The work is linear, and memory does not grow with
 * the log unless something is wrong.
 */
export function verifyLog(log: Log, keys: Keys, marks: readonly Mark[] = []): Verified {
  const headIntegrity = log.head === undefined ? 'broken' : checkIntegrity(log.head, keys)
  const head = headIntegrity === 'holds' ? parseHead(log.head!) : undefined
  const wanted = new Map(marks.map(mark => [mark.seq, mark]))
  const found = new Map<number, string>()
  const checkpoints: Checkpoint[] = []
  let entries = 0
  let first: AuditEntry | undefined
  let last = 0
  let hash = ''
  const result = (fault?: ChainFault): Verified => ({
    entries,
    first_seq: first?.seq ?? 0,
    last_seq: last,
    ...(fault && { fault }),
  })

  for (const text of log.texts()) {
    const expected = first === undefined ? undefined : last + 1
    const integrity = checkIntegrity(text, keys)
    if (integrity !== 'holds') return result(brokenEntry(log, entries, expected ?? 1, text, integrity))
    const entry = JSON.parse(text) as AuditEntry
    if (expected !== undefined && entry.seq !== expected) return result(misplaced(log, keys, entries, expected, entry))
    if (expected !== undefined && entry.prev_hash !== hash) {
      return result({
        kind: 'edited',
        seq: last,
        message: `Entry ${last} is not the one that entry ${entry.seq} was written after.`,
      })
    }
    first ??= entry
    last = entry.seq
    hash = computeSha256(text)
    entries++
    if (wanted.has(last)) found.set(last, hash)
    if (entry.action === 'audit.checkpoint') checkpoints.push(entry.details as unknown as Checkpoint)
  }

  const fault =
    beginning(log, keys, first, head, checkpoints) ??
    ending(headIntegrity, head, last, hash) ??
    marked(marks, found, head, first, last, checkpoints)
  return result(fault)
}

/** An entry whose signature does not hold: changed, or signed anew by somebody who also mended the links around it. */
function brokenEntry(
  log: Log,
  index: number,
  expected: number,
  text: string,
  integrity: 'unknown_key' | 'broken',
): ChainFault {
  const seq = seqOf(text) ?? expected
  if (integrity === 'unknown_key')
    return { kind: 'unknown_key', seq, message: `Entry ${seq} is signed with an unknown key.` }
  const next = at(log, index + 1)
  const linked = next !== undefined && prevHashOf(next) === computeSha256(text)
  return linked
    ? {
        kind: 'unknown_key',
        seq,
        message: `Entry ${seq} is signed with another key under the name of a known one, and so are the entries after it.`,
      }
    : { kind: 'edited', seq, message: `Entry ${seq} was changed after it was signed.` }
}

/** A sound entry that is not the next one: there twice, in another's place, or after a gap. */
function misplaced(log: Log, keys: Keys, index: number, expected: number, entry: AuditEntry): ChainFault {
  const { seq } = entry
  const others = [...log.texts()].map((text, place) => ({ text, place })).filter(({ place }) => place !== index)
  const holder = (wanted: number) =>
    others.find(({ text }) => seqOf(text) === wanted && checkIntegrity(text, keys) === 'holds')
  const twin = holder(seq)
  if (twin && (twin.place < index || holder(expected) === undefined))
    return { kind: 'duplicated', seq, message: `Entry ${seq} is there more than once.` }
  if (seq < expected || holder(expected))
    return {
      kind: 'reordered',
      seq: Math.min(seq, expected),
      message: `Entry ${seq} is in the position of entry ${expected}.`,
    }
  const gap = seq - 1 === expected ? `Entry ${expected} is` : `Entries ${expected} to ${seq - 1} are`
  return { kind: 'deleted', seq: expected, message: `${gap} missing.` }
}

/** Whether the log begins where logs begin, or after what a checkpoint says was removed. */
function beginning(
  log: Log,
  keys: Keys,
  first: AuditEntry | undefined,
  head: Head | undefined,
  checkpoints: readonly Checkpoint[],
): ChainFault | undefined {
  if (first === undefined) return undefined
  if (first.seq === 1) {
    if (head === undefined || first.prev_hash === computeGenesis(head.log_id)) return undefined
    return { kind: 'replaced', seq: 1, message: 'Entry 1 is the beginning of another log.' }
  }
  const proven = checkpoints.some(
    ({ removed_through, hash }) => removed_through === first.seq - 1 && hash === first.prev_hash,
  )
  if (proven || head?.first_seq === first.seq) return undefined
  if ([...log.texts()].some((text, place) => place > 0 && seqOf(text) === 1 && checkIntegrity(text, keys) === 'holds'))
    return { kind: 'reordered', seq: 1, message: `Entry ${first.seq} is in the position of entry 1.` }
  return {
    kind: 'deleted',
    seq: 1,
    message: `${first.seq === 2 ? 'Entry 1 is' : `Entries 1 to ${first.seq - 1} are`} missing, and no checkpoint records their removal.`,
  }
}

/** Whether the log ends where its signed head says. */
function ending(
  integrity: 'holds' | 'unknown_key' | 'broken',
  head: Head | undefined,
  last: number,
  hash: string,
): ChainFault | undefined {
  const seq = Math.max(last, 1)
  if (integrity === 'unknown_key')
    return { kind: 'unknown_key', seq, message: 'The head of the log is signed with an unknown key.' }
  if (head === undefined)
    return { kind: 'forged_head', seq, message: 'The head of the log is missing, or does not bear its signature.' }
  if (head.seq > last) {
    const gone = head.seq === last + 1 ? `Entry ${head.seq} is` : `Entries ${last + 1} to ${head.seq} are`
    return { kind: 'truncated', seq: last + 1, message: `${gone} truncated at the end.` }
  }
  if (head.seq < last || (last > 0 && head.hash !== hash))
    return {
      kind: 'forged_head',
      seq,
      message: `The head of the log is that of entry ${head.seq}, but the log ends with another.`,
    }
  return undefined
}

/** Whether the log still has what was noted of it elsewhere. */
function marked(
  marks: readonly Mark[],
  found: ReadonlyMap<number, string>,
  head: Head | undefined,
  first: AuditEntry | undefined,
  last: number,
  checkpoints: readonly Checkpoint[],
): ChainFault | undefined {
  for (const { log_id, seq, hash } of [...marks].sort((a, b) => a.seq - b.seq)) {
    if (seq === 0) continue
    if (head && log_id !== head.log_id)
      return { kind: 'replaced', seq: 1, message: `This is another log than the one of which entry ${seq} was noted.` }
    if (seq > last)
      return {
        kind: 'truncated',
        seq: last + 1,
        message: `The log had ${seq} entries and was rolled back to ${last}.`,
      }
    const here = found.get(seq) ?? checkpoints.find(({ removed_through }) => removed_through === seq)?.hash
    if (here === hash) continue
    const removed = here === undefined && first !== undefined && seq < first.seq
    return removed
      ? {
          kind: 'anchor_mismatch',
          seq,
          message: `Entry ${seq}, which was noted, has been removed by retention: verify the archive that was written then.`,
        }
      : { kind: 'anchor_mismatch', seq, message: `Entry ${seq} or one before it is not what it was when it was noted.` }
  }
  return undefined
}

function at({ texts }: Log, index: number): string | undefined {
  let place = 0
  for (const text of texts()) if (place++ === index) return text
  return undefined
}

/** The last fields of an entry's text; a greedy beginning passes over what `details` may hold. */
const TAIL = /^.*,"prev_hash":"([0-9a-f]{64})","seq":(\d+),"surface":"[a-z]+","target":/s

/** What an entry that is perhaps broken says its number is. */
function seqOf(text: string): number | undefined {
  const found = TAIL.exec(text)
  return found ? Number(found[2]) : undefined
}

function prevHashOf(text: string): string | undefined {
  return TAIL.exec(text)?.[1]
}
