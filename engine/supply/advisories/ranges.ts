import type { VersionOrder } from '../versions/order.ts'
import { findOrder } from '../versions/orders.ts'
import type { Affected, Range, RangeEvent } from './advisory.ts'
import { findLowerBounds, fulfills } from './requirements.ts'

/** Whether a version is affected. `unknown`: the version or the range cannot be compared. */
export type Verdict = 'affected' | 'unaffected' | 'unknown'

/**
 * Whether an advisory's entry is about a version, by the algorithm of the OSV schema ("Evaluation"): it is listed, or lies in a range. What
 * cannot be compared is unknown, unless something else says that the version is affected.
 */
export function judgeVersion(affected: Affected, version: string): Verdict {
  if (affected.versions.includes(version)) return 'affected'
  const order = findOrder(affected.ecosystem)
  const key = order?.parse(version)
  let verdict: Verdict = affected.ranges.length > 0 || affected.versions.length > 0 ? 'unaffected' : 'unknown'
  if (key === undefined) return 'unknown'
  for (const range of affected.ranges) {
    const one = judgeRange(range, order!, key, version, affected.ecosystem)
    if (one === 'affected') return one
    if (one === 'unknown') verdict = one
  }
  // The list is of use where ranges decide nothing; spelling apart, it is the same as them elsewhere.
  const hasRanges = affected.ranges.length > 0 && verdict !== 'unknown'
  return !hasRanges && affected.versions.some(listed => isSame(order!, listed, key)) ? 'affected' : verdict
}

/**
 * The versions that the entries name as fixed and that are newer than a version, the least first; those that any of the entries is about are
 * left out. Empty: there is no fix, or none that is known.
 */
export function findFixedVersions(entries: readonly Affected[], version: string): string[] {
  const order = entries[0] && findOrder(entries[0].ecosystem)
  const key = order?.parse(version)
  if (!order || key === undefined) return []
  const named = entries.flatMap(({ ranges, ecosystem }) => ranges.flatMap(range => listFixed(range, ecosystem)))
  const newer = [...new Set(named)].flatMap(one => {
    const parsed = order.parse(one)
    return parsed !== undefined && order.compare(parsed, key) > 0 ? [{ one, parsed }] : []
  })
  newer.sort((a, b) => order.compare(a.parsed, b.parsed))
  return newer.map(({ one }) => one).filter(one => entries.every(entry => judgeVersion(entry, one) !== 'affected'))
}

function isSame(order: VersionOrder, listed: string, key: unknown): boolean {
  const parsed = order.parse(listed)
  return parsed !== undefined && order.compare(parsed, key) === 0
}

function judgeRange(range: Range, order: VersionOrder, key: unknown, version: string, ecosystem: string): Verdict {
  return range.type === 'EXCEPT'
    ? judgeException(range, order, version, ecosystem)
    : judgeEvents(range.events, order, key)
}

function judgeException(
  { fixed, unaffected }: Extract<Range, { type: 'EXCEPT' }>,
  order: VersionOrder,
  version: string,
  ecosystem: string,
): Verdict {
  const answers = [...fixed, ...unaffected].map(one => fulfills(order, bareOperator(ecosystem), version, one))
  if (answers.includes(true)) return 'unaffected'
  return answers.includes(undefined) ? 'unknown' : 'affected'
}

interface Point {
  kind: 'introduced' | 'fixed' | 'last_affected'
  /** Undefined for "0", which is before every version. */
  key: unknown
}

function judgeEvents(events: readonly RangeEvent[], order: VersionOrder, key: unknown): Verdict {
  const points: Point[] = []
  const limits: unknown[] = []
  for (const event of events) {
    const [kind, version] = Object.entries(event)[0] as [Point['kind'] | 'limit', string]
    if (kind === 'limit' && version === '*') continue
    const parsed = kind === 'introduced' && version === '0' ? undefined : order.parse(version)
    if (parsed === undefined && !(kind === 'introduced' && version === '0')) return 'unknown'
    if (kind === 'limit') limits.push(parsed)
    else points.push({ kind, key: parsed })
  }
  if (limits.length > 0 && !limits.some(limit => order.compare(key, limit) < 0)) return 'unaffected'
  points.sort((a, b) => comparePoints(a, b, order))
  let isAffected = false
  for (const { kind, key: at } of points) {
    const compared = at === undefined ? 1 : order.compare(key, at)
    if (kind === 'introduced' && compared >= 0) isAffected = true
    else if (kind === 'fixed' && compared >= 0) isAffected = false
    else if (kind === 'last_affected' && compared > 0) isAffected = false
  }
  return isAffected ? 'affected' : 'unaffected'
}

/** By version; where a fix and an introduction share one, the introduction is the later word, since the range goes on. */
function comparePoints(a: Point, b: Point, order: VersionOrder): number {
  if (a.key === undefined || b.key === undefined) return Number(a.key !== undefined) - Number(b.key !== undefined)
  return order.compare(a.key, b.key) || Number(a.kind === 'introduced') - Number(b.kind === 'introduced')
}

function listFixed(range: Range, ecosystem: string): string[] {
  if (range.type === 'EXCEPT') return range.fixed.flatMap(one => findLowerBounds(one, bareOperator(ecosystem)))
  return range.events.flatMap(event => ('fixed' in event ? [event.fixed] : []))
}

function bareOperator(ecosystem: string): '^' | '=' {
  return ecosystem === 'crates.io' ? '^' : '='
}
