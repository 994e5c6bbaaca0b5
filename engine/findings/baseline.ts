import type { Finding } from '../base/records/finding.ts'
import { isOfRule } from '../base/records/rule-ids.ts'
import type { Notice } from '../base/records/run.ts'
import { BASELINE_PATH } from '../sources/config/paths.ts'

/** A finding that was there when the baseline was made. The place is for the person who reads the file. */
export interface BaselineEntry {
  fingerprint: string
  rule_id: string
  file: string
  line?: number
}

/** A rule that could not be evaluated in a file when the baseline was made; `*` for a file that could not be scanned to its end. */
export interface BaselineGap {
  rule_id: string
  file: string
}

/** The findings that a repository has accepted to live with for now. */
export interface Baseline {
  /** The file as it was read: git knows by it which commit wrote it. Absent where it was not read from a file. */
  content?: Uint8Array
  /** The commit that was checked out when an svc up to 0.1 wrote the file. */
  git_sha?: string
  /** Sorted by file, rule and fingerprint; no fingerprint twice. */
  entries: BaselineEntry[]
  /** What could not be evaluated then, sorted by file and rule; left out where there was nothing. */
  gaps?: BaselineGap[]
}

/** Whom a finding in a renamed file was, at the path that the file had when the baseline was made. */
export interface Former {
  file: string
  fingerprint: string
}

/** What the scan knows beside the findings. */
export interface BaselineView {
  /** By the finding's own fingerprint; only findings in renamed files. */
  former: ReadonlyMap<string, Former>
  /** Whether the rule had its look at the file, so that an entry without a finding is mended and not merely unseen. */
  looked: (entry: BaselineEntry) => boolean
  /** The scan covered the whole repository. */
  whole: boolean
  /** Whether any pack has the rule, active or not. */
  isRule: (rule_id: string) => boolean
}

/** Findings with `baseline` as the status of those held, and what became of the entries. */
export interface Held {
  /** In the order given. Suppressed findings stay suppressed: their reason and date decide. */
  findings: Finding[]
  /** Entries whose finding is gone. */
  stale: BaselineEntry[]
  notices: Notice[]
}

/**
 * Marks the open findings that the baseline holds. An entry holds a finding only where fingerprint, rule and file all agree (of a secret
 * the fingerprint alone: it follows the value),
 * so that nobody hides one finding behind the description of another. Findings that were given are not changed.
 */
export function applyBaseline(findings: readonly Finding[], baseline: Baseline, view: BaselineView): Held {
  const entries = new Map(baseline.entries.map(entry => [entry.fingerprint, entry]))
  const met = new Set<string>()
  const notices: Notice[] = []
  const judged = findings.map(finding => {
    const entry = entryOf(finding, entries, view.former)
    if (!entry) return finding
    met.add(entry.fingerprint)
    if (!isOne(entry, finding, view.former)) {
      notices.push(mismatch(entry, finding))
      return finding
    }
    return finding.status === 'open' ? { ...finding, status: 'baseline' as const } : finding
  })
  const unmet = baseline.entries.filter(({ fingerprint }) => !met.has(fingerprint))
  const unknown = unmet.filter(({ rule_id }) => !view.isRule(rule_id))
  const stale = unmet.filter(view.looked)
  notices.push(...unknownNotices(unknown))
  const mended = stale.filter(({ rule_id }) => view.isRule(rule_id)).length
  if (view.whole && mended > 0) {
    const are = mended === 1 ? '1 entry is' : `${mended} entries are`
    notices.push({
      kind: 'baseline_stale',
      file: BASELINE_PATH,
      detail: `${are} resolved; \`svc scan --update-baseline\` removes ${mended === 1 ? 'it' : 'them'}.`,
    })
  }
  return { findings: judged, stale, notices }
}

/** What making a baseline anew came to. */
export interface Updated {
  /** All that was open is held now. */
  findings: Finding[]
  entries: BaselineEntry[]
  /** Entries for what none held before. */
  added: number
  /** Entries that are gone. */
  pruned: number
  /** Entries that stay though their finding was not seen: the rule had no look at the file. */
  kept: number
}

/**
 * The entries that hold every finding that is open now, and those of before that this scan could not look at. What a
 * suppression covers is left to the suppression.
 */
export function updateBaseline(
  findings: readonly Finding[],
  before: Baseline | undefined,
  view: BaselineView,
): Updated {
  const old = new Map((before?.entries ?? []).map(entry => [entry.fingerprint, entry]))
  const met = new Set<string>()
  const next = new Map<string, BaselineEntry>()
  const added = new Set<string>()
  const judged = findings.map(finding => {
    if (finding.status === 'suppressed') return finding
    const { fingerprint, rule_id, file, line } = finding
    const entry = entryOf(finding, old, view.former)
    if (entry) met.add(entry.fingerprint)
    else added.add(fingerprint)
    next.set(fingerprint, { fingerprint, rule_id, file, line })
    return { ...finding, status: 'baseline' as const }
  })
  const unseen = [...old.values()].filter(
    entry => !met.has(entry.fingerprint) && !next.has(entry.fingerprint) && !view.looked(entry),
  )
  for (const entry of unseen) next.set(entry.fingerprint, entry)
  return {
    findings: judged,
    entries: [...next.values()].sort(compareEntries),
    added: added.size,
    pruned: old.size - met.size - unseen.length,
    kept: unseen.length,
  }
}

/** Open findings that no entry holds under their own fingerprint, where some entry has no finding: one may be the other, renamed. */
export function mayBeRenamed(
  findings: readonly Finding[],
  { entries }: Baseline,
): { files: Set<string>; from: Set<string> } {
  const known = new Set(entries.map(({ fingerprint }) => fingerprint))
  const found = new Set(findings.map(({ fingerprint }) => fingerprint))
  const from = new Set(entries.flatMap(({ fingerprint, file }) => (found.has(fingerprint) ? [] : [file])))
  const files = new Set<string>()
  if (from.size > 0) {
    for (const { status, fingerprint, file } of findings)
      if (status !== 'suppressed' && !known.has(fingerprint)) files.add(file)
  }
  return { files, from }
}

/** The order in which entries are written; lines have no part in it, since they move. */
export function compareEntries(a: BaselineEntry, b: BaselineEntry): number {
  return compare(a.file, b.file) || compare(a.rule_id, b.rule_id) || compare(a.fingerprint, b.fingerprint)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function entryOf(
  { fingerprint, also_fingerprints = [] }: Finding,
  entries: ReadonlyMap<string, BaselineEntry>,
  former: ReadonlyMap<string, Former>,
): BaselineEntry | undefined {
  const alias = also_fingerprints.find(each => entries.has(each))
  return entries.get(fingerprint) ?? entries.get(former.get(fingerprint)?.fingerprint ?? '') ?? entries.get(alias ?? '')
}

/**
 * A secret is known by its value's keyed hash: it is the same one wherever it stands, and whichever detector finds it, also where another
 * detector takes more or less of the text for the value.
 */
function isOne(entry: BaselineEntry, finding: Finding, former: ReadonlyMap<string, Former>): boolean {
  return (
    (finding.category === 'secret' &&
      [finding.fingerprint, ...(finding.also_fingerprints ?? [])].includes(entry.fingerprint)) ||
    (isOfRule(finding, entry.rule_id) && isAt(entry.file, finding, former))
  )
}

function isAt(file: string, finding: Finding, former: ReadonlyMap<string, Former>): boolean {
  return file === finding.file || file === former.get(finding.fingerprint)?.file
}

function mismatch(entry: BaselineEntry, finding: Finding): Notice {
  return {
    kind: 'baseline_mismatch',
    file: BASELINE_PATH,
    detail: `The entry ${entry.fingerprint} names ${entry.rule_id} in ${entry.file}, but its finding is ${finding.rule_id} in ${finding.file}; the entry has no effect.`,
  }
}

/** Entries that no scan of svc can have written here: of rules that no pack has. */
function unknownNotices(entries: readonly BaselineEntry[]): Notice[] {
  const byRule = new Map<string, number>()
  for (const { rule_id } of entries) byRule.set(rule_id, (byRule.get(rule_id) ?? 0) + 1)
  return [...byRule].map(([rule, count]) => ({
    kind: 'baseline_unknown',
    file: BASELINE_PATH,
    detail: `${count === 1 ? '1 entry names' : `${count} entries name`} the rule ${rule}, which is in no pack; \`svc scan --update-baseline\` removes ${count === 1 ? 'it' : 'them'}.`,
  }))
}
