import { findNearest } from '../../base/text/nearest.ts'
import { describeKind, findPlainKey, formatValue } from '../../base/text/words.ts'
import { isDate } from '../../findings/suppression-file.ts'

/** Something that a person vouches for: one entry of `.svc/evidence.yaml` (decisions "Assurance"). */
export interface EvidenceFields {
  /** `framework:control`, or `framework:obligation`; the framework's id may be shortened at a hyphen (`soc2:CC6.1`). */
  control: string
  title: string
  /** A file of the repository, relative to its root. Either this or `url`. */
  file?: string
  url?: string
  /** SHA-256 of the file as it was when it was added, in hexadecimal; written by svc. */
  sha256?: string
  /** Who vouches for it: a person's name. */
  owner: string
  /** ISO 8601 date of what the evidence shows. */
  observed_at: string
  /** ISO 8601 date, the last day on which it holds. */
  expires?: string
  note?: string
}

/** An entry with its line in the file, from 1. */
export interface EvidenceEntry extends EvidenceFields {
  line: number
}

/** In the order in which svc writes them. */
export const EVIDENCE_KEYS = [
  'control',
  'title',
  'file',
  'url',
  'sha256',
  'owner',
  'observed_at',
  'expires',
  'note',
] as const

const REQUIRED = ['control', 'title', 'owner', 'observed_at'] as const

/** What is wrong with an entry's value; empty where it is an `EvidenceFields`. */
export function findEntryFaults(entry: unknown): { key?: string; message: string }[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return [{ message: `An entry must be a map with ${EVIDENCE_KEYS.join(', ')}, but was ${describeKind(entry)}.` }]
  const faults = Object.entries(entry).flatMap(([key, value]) => {
    const message = findValueFault(key, value)
    return message === undefined ? [] : [{ key, message }]
  })
  for (const key of REQUIRED) if (!Object.hasOwn(entry, key)) faults.push({ key, message: `An entry has no ${key}.` })
  const { file, url, observed_at, expires } = entry as Partial<EvidenceFields>
  if (file === undefined && url === undefined)
    faults.push({ key: 'file', message: 'An entry has neither file nor url.' })
  if (file !== undefined && url !== undefined)
    faults.push({ key: 'url', message: 'An entry has both file and url: divide it into two.' })
  if (faults.length === 0 && expires !== undefined && expires < observed_at!)
    faults.push({ key: 'expires', message: `expires (${expires}) is before observed_at (${observed_at}).` })
  return faults
}

function findValueFault(key: string, value: unknown): string | undefined {
  if (!(EVIDENCE_KEYS as readonly string[]).includes(key)) {
    const meant = findNearest(key, EVIDENCE_KEYS)
    return `${findPlainKey(key) ?? 'This key'} is not a known key${meant ? `; did you mean ${meant}?` : `. Known: ${EVIDENCE_KEYS.join(', ')}.`}`
  }
  if (typeof value !== 'string' || value.trim() === '' || value.length > 1_000)
    return `${key} must be a string of 1 to 1,000 characters, but was ${formatValue(value)}.`
  if ((key === 'expires' || key === 'observed_at') && !isDate(value))
    return `${key} must be a date like 2027-01-31, but was ${formatValue(value)}.`
  if (key === 'sha256' && !/^[0-9a-f]{64}$/.test(value))
    return `sha256 must be 64 hexadecimal digits in lower case, but was ${formatValue(value)}.`
  if (key === 'control' && !/^[^\s:]+:\S.*$/.test(value))
    return `control must be framework:control, such as soc2-tsc-2017:CC6.1, but was ${formatValue(value)}.`
  if (key === 'url' && !/^https?:\/\/\S+$/.test(value))
    return `url must begin with https:// or http://, but was ${formatValue(value)}.`
  return undefined
}
