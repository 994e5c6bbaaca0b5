/** What a requirement can be; an obsolete one counts nowhere, a draft is shown and counts for no coverage. */
export const REQUIREMENT_STATUSES = ['draft', 'approved', 'obsolete'] as const
export type RequirementStatus = (typeof REQUIREMENT_STATUSES)[number]

export const REQUIREMENT_FORMATS = ['yaml', 'markdown', 'doorstop', 'strictdoc', 'reqif', 'csv'] as const
export type RequirementFormat = (typeof REQUIREMENT_FORMATS)[number]

/** Where a requirement comes from. */
export interface RequirementSource {
  provider: string
  key: string
  url?: string
  revision?: string
}

/** That somebody saw the code do what is required, and what the code was then (see `drift/digest.ts`). */
export interface Confirmation {
  /** ISO 8601. */
  at: string
  by: string
  digest: string
}

/** A requirement without its location: what is written, merged and compared. Lists are empty where nothing is said. */
export interface RequirementRecord {
  id: string
  title: string
  description?: string
  status: RequirementStatus
  level?: string
  /** Ids of the requirements that this one details. */
  parent: string[]
  source?: RequirementSource
  acceptance: string[]
  /** Globs of the files that implement it. */
  files: string[]
  /** Globs of the files that test it. */
  tests: string[]
  /** Controls as `framework:control`. */
  controls: string[]
  confirmed?: Confirmation
}

/** A requirement with the location that it was read at. */
export interface Requirement extends RequirementRecord {
  /** Repository-relative. */
  file: string
  /** From 1. */
  line: number
  format: RequirementFormat
}

/** What is wrong with a requirement or its file. */
export interface RequirementFault {
  kind: 'invalid' | 'duplicate' | 'unknown_parent'
  file: string
  /** From 1. */
  line: number
  /** The id that the fault is about, where there is one. */
  id?: string
  message: string
}

/** What one file has. */
export interface RequirementFile {
  requirements: Requirement[]
  faults: RequirementFault[]
}

/** Reads the requirements of one file. Pure; a file that cannot be read gives a fault and never an error. */
export type RequirementReader = (text: string, file: string) => RequirementFile | Promise<RequirementFile>

/** The requirements of a repository. */
export interface RequirementSet {
  /** By file and line. */
  requirements: Requirement[]
  /** The first of each id. */
  byId: ReadonlyMap<string, Requirement>
  faults: RequirementFault[]
  sources: { file: string; format: RequirementFormat; requirements: number }[]
}

const ID = /^[A-Za-z0-9_][A-Za-z0-9_.:~/#+-]{0,199}$/

/** Whether a text can be the id of a requirement. */
export function isRequirementId(text: string): boolean {
  return ID.test(text)
}

/** A record in which everything that is not said is empty. */
export function makeRecord(record: Pick<RequirementRecord, 'id' | 'title'> & Partial<RequirementRecord>) {
  const { description, level, source, confirmed } = record
  return {
    id: record.id,
    title: record.title,
    ...(description !== undefined && description !== '' && { description }),
    status: record.status ?? 'approved',
    ...(level !== undefined && level !== '' && { level }),
    parent: record.parent ?? [],
    ...(source && { source }),
    acceptance: record.acceptance ?? [],
    files: record.files ?? [],
    tests: record.tests ?? [],
    controls: record.controls ?? [],
    ...(confirmed && { confirmed }),
  } satisfies RequirementRecord
}

/** The record of a requirement, without its location. */
export function toRecord(requirement: RequirementRecord): RequirementRecord {
  return makeRecord(requirement)
}

/** The status that a word of another tool means; approved where it says nothing of the kind. */
export function mapStatus(word: string | undefined): RequirementStatus {
  const value = (word ?? '').trim().toLowerCase()
  if (/^(?:draft|proposed|new|open|in review|under review|to ?do|backlog)$/.test(value)) return 'draft'
  if (/^(?:obsolete|deprecated|rejected|removed|deleted|retired|withdrawn|inactive|superseded)$/.test(value))
    return 'obsolete'
  return 'approved'
}

/** The first line of a text as a title, cut at 200 characters. */
export function makeTitle(text: string): string {
  const line = text.trim().split('\n', 1)[0]!.trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

/**
 * Puts a requirement of another tool's file on the list: one without a title has its first words; one whose id cannot be an id, or that says
 * nothing, is a fault.
 */
export function addRequirement(
  into: RequirementFile,
  at: Pick<Requirement, 'file' | 'line' | 'format'>,
  record: { id: string; title: string } & Partial<RequirementRecord>,
): void {
  const { file, line } = at
  const id = record.id.trim()
  if (!isRequirementId(id)) {
    const message = id === '' ? 'A requirement has no id.' : 'The id has characters that an id cannot have.'
    into.faults.push({ kind: 'invalid', file, line, message })
    return
  }
  const title = makeTitle(record.title) || makeTitle(record.description ?? '')
  if (title === '') into.faults.push({ kind: 'invalid', file, line, id, message: `${id} has neither title nor text.` })
  else into.requirements.push({ ...makeRecord({ ...record, id, title }), ...at })
}
