import { rankSeverity, type Severity } from '../../base/records/finding.ts'
import type { Control, Obligation, Pack } from './pack.ts'
import { isWritten, toWrittenRule, type WrittenRule } from './pack-file.ts'

/** What packs are made of, as a difference names it. */
export const PART_KINDS = ['rule', 'control', 'obligation'] as const
export type PartKind = (typeof PART_KINDS)[number]

/** A key that says something else than before; undefined is where it said nothing. */
export interface KeyChange {
  key: string
  before?: unknown
  after?: unknown
}

/** A rule, control or obligation that was changed. */
export interface PartChange {
  kind: PartKind
  id: string
  title: string
  changes: KeyChange[]
}

export interface Part {
  kind: PartKind
  id: string
  title: string
}

/** How one pack differs from another. */
export interface PackDiff {
  /** Keys of the pack itself: version, name, description, languages, … */
  head: KeyChange[]
  added: Part[]
  removed: Part[]
  changed: PartChange[]
}

/** The parts of a pack that differences are told of. */
type Parts = Pick<Pack, 'rules' | 'controls' | 'obligations'>

/** What is different in `after`, detectors of secrets apart, which no pack file holds; lists are sorted by kind and id, so the answer depends on nothing but the packs. */
export function diffPacks(before: Pack, after: Pack): PackDiff {
  const parts = diffParts(before, after)
  const headOf = ({ rules: _rules, controls: _controls, obligations: _obligations, ...head }: Pack) => head
  return { head: listKeyChanges(headOf(before), headOf(after)), ...parts }
}

/** The same without the packs' own keys. */
export function diffParts(before: Parts, after: Parts): Omit<PackDiff, 'head'> {
  const old = partsOf(before)
  const now = partsOf(after)
  const added: Part[] = []
  const removed: Part[] = []
  const changed: PartChange[] = []
  for (const [key, part] of now) {
    const was = old.get(key)
    if (!was) added.push(part.part)
    else {
      const changes = listKeyChanges(was.data, part.data)
      if (changes.length > 0) changed.push({ ...part.part, changes })
    }
  }
  for (const [key, part] of old) if (!now.has(key)) removed.push(part.part)
  return { added: sorted(added), removed: sorted(removed), changed: sorted(changed) }
}

/** Whether nothing is different. */
export function isSame({ head, added, removed, changed }: PackDiff): boolean {
  return head.length + added.length + removed.length + changed.length === 0
}

/** Keys whose values differ, in the order of their names. Order counts in lists. */
export function listKeyChanges(before: object, after: object): KeyChange[] {
  const old = before as Record<string, unknown>
  const now = after as Record<string, unknown>
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .sort()
    .filter(key => stable(old[key]) !== stable(now[key]))
    .map(key => ({
      key,
      ...(old[key] !== undefined && { before: old[key] }),
      ...(now[key] !== undefined && { after: now[key] }),
    }))
}

/** Whether a severity is worse than another. */
export function isWorse(a: Severity, b: Severity): boolean {
  return rankSeverity(a) < rankSeverity(b)
}

interface Written {
  part: Part
  data: WrittenRule | Control | Obligation
}

function partsOf({ rules, controls, obligations }: Parts): Map<string, Written> {
  const found = new Map<string, Written>()
  const add = (kind: PartKind, id: string, title: string, data: Written['data']) =>
    found.set(`${kind} ${id}`, { part: { kind, id, title }, data })
  for (const rule of rules.filter(isWritten)) add('rule', rule.id, rule.title, toWrittenRule(rule))
  for (const control of controls) add('control', control.id, control.title, control)
  for (const obligation of obligations) add('obligation', obligation.id, obligation.title, obligation)
  return found
}

function sorted<T extends Part>(parts: T[]): T[] {
  const rank = ({ kind }: Part) => PART_KINDS.indexOf(kind)
  return parts.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

/** JSON with sorted keys. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
