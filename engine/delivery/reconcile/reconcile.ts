import { type Contradiction, findContradictions, type TracedItem } from './contradictions.ts'
import { listClosed, listKeys, normalizeKey } from './keys.ts'
import { isClosed, type WorkItem } from './work-items.ts'

/** A commit of the history that is reconciled. */
export interface HistoryEntry {
  sha: string
  subject: string
  message: string
}

/** A finding, as far as reconciliation needs it. */
export interface OpenFinding {
  id: string
  fingerprint: string
  rule_id: string
  severity: string
  title: string
  file: string
  line: number
  /** The commit that wrote its line; absent where the line is not committed or git does not tell. */
  commit?: string
}

/** What is compared. */
export interface Compared {
  items: readonly WorkItem[]
  commits: readonly HistoryEntry[]
  /** Commits before those, which wrote lines with findings. */
  earlier?: readonly HistoryEntry[]
  findings: readonly OpenFinding[]
  branch?: string | undefined
  /** The commits are those of the default branch. */
  merged?: boolean
  /** Requirements that came from items, with their states by the trace. */
  requirements?: readonly TracedItem[]
}

export interface Reconciliation {
  items: number
  commits: number
  findings: number
  commits_without_item: { sha: string; subject: string }[]
  items_without_commit: { key: string; title: string; state: string }[]
  findings_without_item: Omit<OpenFinding, 'fingerprint' | 'commit'>[]
  closed_items_with_findings: { key: string; title: string; state: string; findings: string[] }[]
  contradictions: Contradiction[]
  /** Which item each linked commit names. */
  linked: { sha: string; items: string[] }[]
}

/**
 * Compares work items with commits and open findings. A commit has an item if its message names the item's key, the item lists it, or the
 * branch is one that the item lists or whose name has the key. A finding has an item if an open item's title names it, its fingerprint or its rule, or if a commit of
 * an open item wrote its line. A closed item has open findings by the same links. Same input, same answer.
 */
export function reconcile({
  items,
  commits,
  earlier = [],
  findings,
  branch,
  merged = false,
  requirements = [],
}: Compared): Reconciliation {
  const links = linkCommits(items, commits, branch)
  const shasOf = new Map<string, Set<string>>()
  for (const [sha, keys] of [...links, ...linkCommits(items, earlier, undefined)])
    for (const key of keys) {
      const known = shasOf.get(key)
      if (known) known.add(sha)
      else shasOf.set(key, new Set([sha]))
    }
  const withCommit = new Set([...links.values()].flatMap(keys => [...keys]))
  const index = new FindingIndex(findings)
  const findingsOf = new Map(items.map(item => [item.key, index.list(item, shasOf.get(item.key))]))
  const tracked = new Set(items.filter(item => !isClosed(item)).flatMap(({ key }) => findingsOf.get(key)!))
  const closed = items
    .filter(item => isClosed(item) && findingsOf.get(item.key)!.length > 0)
    .map(({ key, title, state }) => ({ key, title, state, findings: findingsOf.get(key)!.map(({ id }) => id) }))
  const named = commits.map(({ sha, message }) => ({
    ...{ sha, keys: [...listKeys(message)], closes: [...listClosed(message)] },
  }))
  return {
    items: items.length,
    commits: commits.length,
    findings: findings.length,
    commits_without_item: commits.filter(({ sha }) => !links.has(sha)).map(({ sha, subject }) => ({ sha, subject })),
    items_without_commit: items
      .filter(({ key, commits: own }) => !withCommit.has(key) && own.length === 0)
      .map(({ key, title, state }) => ({ key, title, state })),
    findings_without_item: findings
      .filter(finding => !tracked.has(finding))
      .map(({ fingerprint: _, commit: __, ...finding }) => finding),
    closed_items_with_findings: closed,
    contradictions: findContradictions({
      ...{ items, named, closed_with_findings: closed, requirements, merged, normalize: normalizeKey },
    }),
    linked: commits.flatMap(({ sha }) => {
      const keys = links.get(sha)
      return keys ? [{ sha, items: [...keys].sort() }] : []
    }),
  }
}

/** Shorter ids of commits are ambiguous. */
const SHORTEST = 7

function linkCommits(
  items: readonly WorkItem[],
  commits: readonly HistoryEntry[],
  branch: string | undefined,
): Map<string, Set<string>> {
  const byKey = new Map(items.map(({ key }) => [normalizeKey(key), key]))
  const byPrefix = new Map<string, string[]>()
  for (const { key, commits: own } of items)
    for (const sha of own) {
      const prefix = sha.slice(0, SHORTEST).toLowerCase()
      put(byPrefix, prefix, `${sha.toLowerCase()} ${key}`)
    }
  const ofBranch = items
    .filter(
      ({ key, branches }) =>
        branch !== undefined && (branches.includes(branch) || listKeys(branch).has(normalizeKey(key))),
    )
    .map(({ key }) => key)
  const links = new Map<string, Set<string>>()
  for (const { sha, message } of commits) {
    const keys = new Set<string>()
    for (const word of listKeys(message)) {
      const key = byKey.get(word)
      if (key !== undefined) keys.add(key)
    }
    for (const entry of byPrefix.get(sha.slice(0, SHORTEST)) ?? []) {
      const [prefix = '', key = ''] = entry.split(' ')
      if (sha.startsWith(prefix)) keys.add(key)
    }
    for (const key of ofBranch) keys.add(key)
    if (keys.size > 0) links.set(sha, keys)
  }
  return links
}

/** Findings by what an item's title can name, and by the commit that wrote their line. */
class FindingIndex {
  readonly #byWord = new Map<string, OpenFinding[]>()
  readonly #byCommit = new Map<string, OpenFinding[]>()

  constructor(findings: readonly OpenFinding[]) {
    for (const finding of findings) {
      for (const word of [finding.id, finding.fingerprint, finding.rule_id]) put(this.#byWord, word, finding)
      if (finding.commit !== undefined) put(this.#byCommit, finding.commit, finding)
    }
  }

  list({ title }: WorkItem, shas: Iterable<string> = []): OpenFinding[] {
    const words = new Set([...(title.match(/[\w:.-]{3,200}/g) ?? []), ...title.split(/\s+/)])
    const named = [...words].flatMap(word => this.#byWord.get(word) ?? [])
    return [...new Set([...named, ...[...shas].flatMap(sha => this.#byCommit.get(sha) ?? [])])]
  }
}

function put<T>(into: Map<string, T[]>, key: string, value: T): void {
  const list = into.get(key)
  if (list) list.push(value)
  else into.set(key, [value])
}
