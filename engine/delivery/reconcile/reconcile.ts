import { isClosed, type WorkItem } from './work-items.ts'

/** A commit of the history that is reconciled. */
export interface HistoryEntry {
  sha: string
  subject: string
  message: string
  /** Paths that it changed. */
  files: readonly string[]
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
}

export interface Reconciliation {
  items: number
  commits: number
  findings: number
  commits_without_item: { sha: string; subject: string }[]
  items_without_commit: { key: string; title: string; state: string }[]
  findings_without_item: Omit<OpenFinding, 'fingerprint'>[]
  closed_items_with_findings: { key: string; title: string; state: string; findings: string[] }[]
  /** Which item each linked commit names. */
  linked: { sha: string; items: string[] }[]
}

/**
 * Compares work items with commits and open findings. A commit has an item if its message names the item's key, the item lists it, or the
 * branch is one that the item lists or whose name has the key. A finding has an item if an open item's title names it, its fingerprint or its rule, or if a commit of
 * an open item changed its file. A closed item has open findings by the same links. Same input, same answer.
 */
export function reconcile(
  items: readonly WorkItem[],
  commits: readonly HistoryEntry[],
  findings: readonly OpenFinding[],
  branch: string | undefined,
): Reconciliation {
  const links = linkCommits(items, commits, branch)
  const filesOf = new Map<string, Set<string>>()
  for (const { files, sha } of commits)
    for (const key of links.get(sha) ?? []) {
      const known = filesOf.get(key) ?? new Set()
      filesOf.set(key, known)
      for (const file of files) known.add(file)
    }
  const withCommit = new Set([...links.values()].flatMap(keys => [...keys]))
  const index = new FindingIndex(findings)
  const findingsOf = new Map(items.map(item => [item.key, index.list(item, filesOf.get(item.key))]))
  const tracked = new Set(items.filter(item => !isClosed(item)).flatMap(({ key }) => findingsOf.get(key)!))
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
      .map(({ fingerprint: _, ...finding }) => finding),
    closed_items_with_findings: items
      .filter(item => isClosed(item) && findingsOf.get(item.key)!.length > 0)
      .map(({ key, title, state }) => ({ key, title, state, findings: findingsOf.get(key)!.map(({ id }) => id) })),
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

/** `#12`, `AB#12` and `PROJ-12` in any case; a number alone is none. */
function listKeys(text: string): Set<string> {
  const found = new Set<string>()
  for (const [key] of text
    .slice(0, 20_000)
    .matchAll(/(?:[A-Za-z][A-Za-z0-9_]{0,30})?#\d{1,9}|[A-Za-z][A-Za-z0-9_]{0,30}-\d{1,9}/g))
    found.add(normalizeKey(key))
  return found
}

/** A number alone is written with `#` in messages. */
function normalizeKey(key: string): string {
  return (/^\d+$/.test(key) ? `#${key}` : key).toLowerCase()
}

/** Findings by what an item's title can name, and by their file. */
class FindingIndex {
  readonly #byWord = new Map<string, OpenFinding[]>()
  readonly #byFile = new Map<string, OpenFinding[]>()

  constructor(findings: readonly OpenFinding[]) {
    for (const finding of findings) {
      for (const word of [finding.id, finding.fingerprint, finding.rule_id]) put(this.#byWord, word, finding)
      put(this.#byFile, finding.file, finding)
    }
  }

  list({ title }: WorkItem, files: Iterable<string> = []): OpenFinding[] {
    const words = title.match(/[\w:.-]{3,200}/g) ?? []
    const named = words.flatMap(word => this.#byWord.get(word) ?? [])
    return [...new Set([...named, ...[...files].flatMap(file => this.#byFile.get(file) ?? [])])]
  }
}

function put<T>(into: Map<string, T[]>, key: string, value: T): void {
  const list = into.get(key)
  if (list) list.push(value)
  else into.set(key, [value])
}
