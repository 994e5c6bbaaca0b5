import type { Severity } from '../../base/records/finding.ts'
import { diffParts, isWorse, type KeyChange, type PackDiff, type Part, type PartChange, type PartKind } from './diff.ts'
import type { ControlMap, Pack } from './pack.ts'
import { WORDING } from './rule-trace.ts'

/** What a change of a pack means for whoever must comply. */
export const GAP_KINDS = ['new', 'strengthened', 'relaxed', 'removed', 'reworded'] as const
export type GapKind = (typeof GAP_KINDS)[number]

/** One requirement that is not what it was. */
export interface Gap {
  gap: GapKind
  kind: PartKind
  id: string
  title: string
  /** What changed, each in a sentence; empty for what is new or removed as a whole. */
  reasons: string[]
}

type Direction = 'stricter' | 'looser' | 'wording'

/** Keys of rules that change nothing of what is found; any other may, and then more code may be under it. */
const TOLD = new Set([...WORDING, 'match', 'clean', 'fix'])

/**
 * What a newer version of a pack asks beyond the older one, and what it no longer asks. A change that asks more in one
 * respect and less in another counts as strengthened, since somebody has to act on it; both reasons are given. A change of
 * a pattern counts as strengthened too: code that passed may not pass now, and nothing short of a scan tells.
 */
export function findGaps(before: Pack, after: Pack): Gap[] {
  const { added, removed, changed }: Omit<PackDiff, 'head'> = diffParts(before, after)
  const whole = (gap: GapKind) => (part: Part) => ({ gap, ...part, reasons: [] })
  return [...added.map(whole('new')), ...changed.map(judged), ...removed.map(whole('removed'))].sort(
    (a, b) => GAP_KINDS.indexOf(a.gap) - GAP_KINDS.indexOf(b.gap),
  )
}

function judged({ kind, id, title, changes }: PartChange): Gap {
  const found = changes.flatMap(change => judge(kind, change))
  const has = (direction: Direction) => found.some(each => each.direction === direction)
  const gap: GapKind = has('stricter') ? 'strengthened' : has('looser') ? 'relaxed' : 'reworded'
  return { gap, kind, id, title, reasons: found.map(({ reason }) => reason) }
}

interface Judgement {
  direction: Direction
  reason: string
}

function judge(kind: PartKind, change: KeyChange): Judgement[] {
  if (kind === 'rule') return [ofRule(change)]
  if (kind === 'control') return change.key === 'maps' ? ofMaps(change) : [ofControl(change)]
  return [ofObligation(change)]
}

function ofRule({ key, before, after }: KeyChange): Judgement {
  if (key === 'severity') {
    const direction = isWorse(after as Severity, before as Severity) ? 'stricter' : 'looser'
    return { direction, reason: `severity from ${String(before)} to ${String(after)}` }
  }
  if (key === 'languages' || key === 'exclude_files' || key === 'files') return ofReach(key, before, after)
  if (key === 'canary')
    return after === undefined
      ? { direction: 'stricter', reason: 'no longer a canary: runs by default' }
      : { direction: 'looser', reason: 'canary: runs only where canary rules are turned on' }
  if (key === 'silent_in')
    return after === undefined
      ? { direction: 'stricter', reason: 'it speaks in the code of tests' }
      : { direction: 'looser', reason: 'it is silent in the code of tests' }
  if (key === 'unless_cited')
    return after === undefined
      ? { direction: 'stricter', reason: 'it reports findings in code that cites a standard' }
      : { direction: 'looser', reason: 'it sets findings aside in code that cites a standard' }
  if (key === 'review')
    return after === undefined
      ? { direction: 'stricter', reason: 'no longer to review: reports findings' }
      : { direction: 'looser', reason: 'to review: reports no findings' }
  if (TOLD.has(key)) return { direction: 'wording', reason: `its ${key}` }
  return { direction: 'stricter', reason: `what it finds (${key})` }
}

/** Lists of where a rule looks: more is stricter, save for what is left out; no `files` at all means everywhere. */
function ofReach(key: string, before: unknown, after: unknown): Judgement {
  const old = (before ?? []) as string[]
  const now = (after ?? []) as string[]
  const more = now.filter(each => !old.includes(each))
  const fewer = old.filter(each => !now.includes(each))
  const everywhere = (list: string[]) => (key === 'files' && list.length === 0) || list.includes('any')
  const reason = `${key}: ${[...more.map(each => `+${each}`), ...fewer.map(each => `-${each}`)].join(', ') || 'order'}`
  if (more.length + fewer.length === 0) return { direction: 'wording', reason }
  if (key === 'exclude_files') return { direction: fewer.length > 0 ? 'stricter' : 'looser', reason }
  if (everywhere(now) !== everywhere(old)) return { direction: everywhere(now) ? 'stricter' : 'looser', reason }
  return { direction: more.length > 0 ? 'stricter' : 'looser', reason }
}

function ofControl({ key, before, after }: KeyChange): Judgement {
  if (key !== 'kind') return { direction: 'wording', reason: `its ${key}` }
  return {
    direction: after === 'organizational' ? 'stricter' : 'looser',
    reason: `what can show it, from ${String(before)} to ${String(after)}`,
  }
}

/** Rules, CWE numbers and tags that bear on a control: with more of them more code can violate it. */
function ofMaps({ before, after }: KeyChange): Judgement[] {
  const old = selectors(before)
  const now = selectors(after)
  const more = now.filter(each => !old.includes(each))
  const fewer = old.filter(each => !now.includes(each))
  if (more.length + fewer.length === 0) return [{ direction: 'wording', reason: 'its mappings' }]
  return [
    ...(more.length > 0 ? [{ direction: 'stricter' as const, reason: `more bears on it: ${more.join(', ')}` }] : []),
    ...(fewer.length > 0
      ? [{ direction: 'looser' as const, reason: `no longer bears on it: ${fewer.join(', ')}` }]
      : []),
  ]
}

function selectors(maps: unknown): string[] {
  return [
    ...new Set(((maps ?? []) as ControlMap[]).flatMap(map => [...map.rules, ...map.cwe, ...(map.tags ?? [])])),
  ].sort()
}

function ofObligation({ key, before, after }: KeyChange): Judgement {
  if (key === 'evidence') return { direction: 'stricter', reason: 'the evidence that is asked for' }
  if (key === 'control')
    return { direction: 'stricter', reason: `its control, from ${String(before)} to ${String(after)}` }
  if (key !== 'files') return { direction: 'wording', reason: `its ${key}` }
  const old = (before ?? []) as string[]
  const now = (after ?? []) as string[]
  const fewer = old.filter(each => !now.includes(each))
  return {
    direction: fewer.length > 0 ? 'stricter' : now.length > old.length ? 'looser' : 'wording',
    reason: 'the files that can be the evidence',
  }
}
