import { isClosed, type WorkItem } from './work-items.ts'

/** Two places that cannot both be right. */
export interface Contradiction {
  kind:
    | 'closed_with_findings'
    | 'closed_but_not_covered'
    | 'open_but_covered'
    | 'open_but_closed_by_commit'
    | 'unknown_item'
  /** The work item, as the commit or requirement writes it. */
  key: string
  /** A sentence for a reader. */
  detail: string
  /** What stands against it: findings, commits or requirements by their ids. */
  against: string[]
}

/** A requirement with the item that it came from, and what the trace says of it. */
export interface TracedItem {
  id: string
  key: string
  state: string
}

/** What contradictions are looked for in. */
export interface Evidence {
  items: readonly WorkItem[]
  /** Keys of items, as they are compared, that each commit's message names. */
  named: readonly { sha: string; keys: readonly string[]; closes: readonly string[] }[]
  closed_with_findings: readonly { key: string; state: string; findings: readonly string[] }[]
  requirements: readonly TracedItem[]
  /** The commits are those of the default branch, so what they say is done. */
  merged: boolean
  normalize(key: string): string
}

/** Contradictions between items, commits, findings and requirements; the same input gives the same list. */
export function findContradictions(evidence: Evidence): Contradiction[] {
  const { items, closed_with_findings, requirements, normalize } = evidence
  const byKey = new Map(items.map(item => [normalize(item.key), item]))
  const found: Contradiction[] = closed_with_findings.map(({ key, state, findings }) => ({
    ...{ kind: 'closed_with_findings' as const, key, against: [...findings] },
    detail: `the work item is ${state}, and findings of it are open`,
  }))
  for (const { id, key, state } of requirements) {
    const item = byKey.get(normalize(key))
    if (!item) continue
    if (isClosed(item) && state !== 'covered')
      found.push({
        ...{ kind: 'closed_but_not_covered', key: item.key, against: [id] },
        detail: `the work item is ${item.state}, and its requirement is ${state}`,
      })
    if (!isClosed(item) && state === 'covered')
      found.push({
        ...{ kind: 'open_but_covered', key: item.key, against: [id] },
        detail: `the work item is ${item.state}, and its requirement is covered`,
      })
  }
  return [...found, ...findInCommits(evidence, byKey)]
}

/** What commits say of items that are open, or that there are not. */
function findInCommits(
  { items, named, merged, normalize }: Evidence,
  byKey: ReadonlyMap<string, WorkItem>,
): Contradiction[] {
  const prefixes = new Set(items.map(({ key }) => prefixOf(normalize(key))))
  const closing = new Map<string, string[]>()
  const unknown = new Map<string, string[]>()
  for (const { sha, keys, closes } of named) {
    // A key of another tracker, or the number of a pull request, is none of ours.
    for (const key of keys)
      if (!byKey.has(key) && prefixes.has(prefixOf(key)) && prefixOf(key) !== '#') put(unknown, key, sha)
    for (const key of closes) {
      const item = byKey.get(key)
      if (merged && item && !isClosed(item)) put(closing, item.key, sha)
    }
  }
  return [
    ...[...closing].map(
      ([key, against]): Contradiction => ({
        ...{ kind: 'open_but_closed_by_commit', key, against },
        detail: 'a commit of the default branch says that it closes the work item, and it is open',
      }),
    ),
    ...[...unknown].map(
      ([key, against]): Contradiction => ({
        ...{ kind: 'unknown_item', key: key.toUpperCase(), against },
        detail: 'a commit names the work item, and there is none of this key',
      }),
    ),
  ]
}

/** What keys of one project have in common: `proj-`, `ab#`, `#`. */
function prefixOf(key: string): string {
  return key.replace(/\d+$/, '')
}

function put(into: Map<string, string[]>, key: string, value: string): void {
  const list = into.get(key)
  if (list) list.push(value)
  else into.set(key, [value])
}
