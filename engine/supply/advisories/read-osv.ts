import type { Severity } from '../../base/records/finding.ts'
import type { Advisory, Affected, Range, RangeEvent, SeverityVector } from './advisory.ts'

/** Why a record is no advisory that can be matched; for a person, with the record's id where it has one. */
export class AdvisoryFault extends Error {
  override name = 'AdvisoryFault'
}

const RATINGS: Record<string, Severity> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MODERATE: 'medium',
  MEDIUM: 'medium',
  LOW: 'low',
}
const EVENTS = ['introduced', 'fixed', 'last_affected', 'limit'] as const
/** References and a summary of this length are enough to find the rest. */
const MOST_REFERENCES = 5
const MOST_SUMMARY = 300

type Fields = Record<string, unknown>

/**
 * Reads one record of the OSV format (schema 1.0 to 1.7). What does not decide whether a package is affected may be missing or odd; what does
 * is checked, since an advisory that is half read would call a vulnerable package safe. Throws AdvisoryFault.
 */
export function readOsv(record: unknown): Advisory {
  const fields = asFields(record) ?? refuse('The record is no JSON object')
  const id = asText(fields.id) ?? refuse('The record has no id')
  if (fields.affected !== undefined && !Array.isArray(fields.affected)) refuse(`${id}: "affected" is no list`)
  const details = asText(fields.details)
  const own = asFields(fields.database_specific)
  const published = asText(fields.published)
  const withdrawn = asText(fields.withdrawn)
  const rating = RATINGS[(asText(own?.severity) ?? '').toUpperCase()]
  return {
    id,
    aliases: textsOf(fields.aliases),
    summary: (asText(fields.summary) ?? details?.split('\n', 1)[0] ?? '').slice(0, MOST_SUMMARY),
    modified: asText(fields.modified) ?? '',
    ...(published !== undefined && { published }),
    ...(withdrawn !== undefined && { withdrawn }),
    severity: readSeverity(fields.severity),
    ...(rating !== undefined && { rating }),
    cwe: textsOf(own?.cwe_ids),
    references: readReferences(fields.references),
    affected: ((fields.affected as unknown[] | undefined) ?? []).flatMap(one => readAffected(one, id)),
  }
}

/** A package of the advisory; none where it is about git commits alone. */
function readAffected(value: unknown, id: string): Affected[] {
  const fields = asFields(value) ?? refuse(`${id}: an entry of "affected" is no object`)
  const named = asFields(fields.package)
  if (named === undefined) return []
  const ecosystem = asText(named.ecosystem) ?? refuse(`${id}: a package has no ecosystem`)
  const name = asText(named.name) ?? refuse(`${id}: a package has no name`)
  if (fields.ranges !== undefined && !Array.isArray(fields.ranges)) refuse(`${id}: "ranges" of ${name} is no list`)
  if (fields.versions !== undefined && !Array.isArray(fields.versions))
    refuse(`${id}: "versions" of ${name} is no list`)
  const severity = readSeverity(fields.severity)
  const imports = listOf(asFields(fields.ecosystem_specific)?.imports).flatMap(one => asText(asFields(one)?.path) ?? [])
  return [
    {
      ecosystem,
      name,
      ranges: listOf(fields.ranges).flatMap(range => readRange(range, `${id}: ${name}`)),
      versions: textsOf(fields.versions),
      ...(severity.length > 0 && { severity }),
      ...(imports.length > 0 && { imports }),
    },
  ]
}

function readRange(value: unknown, place: string): Range[] {
  const fields = asFields(value) ?? refuse(`${place}: a range is no object`)
  if (fields.type === 'GIT') return []
  if (fields.type !== 'SEMVER' && fields.type !== 'ECOSYSTEM')
    refuse(`${place}: a range has the unknown type ${JSON.stringify(fields.type)}`)
  if (!Array.isArray(fields.events)) refuse(`${place}: a range has no events`)
  const events = (fields.events as unknown[]).map(event => readEvent(event, place))
  if (!events.some(event => 'introduced' in event)) refuse(`${place}: a range is introduced nowhere`)
  return [{ type: fields.type as 'SEMVER' | 'ECOSYSTEM', events }]
}

function readEvent(value: unknown, place: string): RangeEvent {
  const fields = asFields(value)
  const kinds = EVENTS.filter(kind => fields?.[kind] !== undefined)
  const version = kinds.length === 1 ? asText(fields![kinds[0]!]) : undefined
  if (version === undefined) refuse(`${place}: an event must have one of ${EVENTS.join(', ')}`)
  return { [kinds[0]!]: version } as unknown as RangeEvent
}

function readSeverity(value: unknown): SeverityVector[] {
  return listOf(value).flatMap(one => {
    const type = asText(asFields(one)?.type)
    const score = asText(asFields(one)?.score)
    return type === undefined || score === undefined ? [] : [{ type, score }]
  })
}

/** The advisory's own page first, then others, web addresses only. */
function readReferences(value: unknown): string[] {
  const all = listOf(value).flatMap(one => {
    const url = asText(asFields(one)?.url)
    return url !== undefined && /^https?:\/\//.test(url) ? [{ url, first: asFields(one)?.type === 'ADVISORY' }] : []
  })
  const urls = [...all.filter(({ first }) => first), ...all.filter(({ first }) => !first)].map(({ url }) => url)
  return [...new Set(urls)].slice(0, MOST_REFERENCES)
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): string[] {
  return listOf(value).flatMap(one => asText(one) ?? [])
}

function refuse(message: string): never {
  throw new AdvisoryFault(message)
}
