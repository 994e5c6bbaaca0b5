import type { FileMetrics } from './file-metrics.ts'
import { SEVERITIES, type Severity, type SeverityCounts } from './finding.ts'
import type { FrameworkResult } from './framework.ts'
import type { Ledger } from './ledger.ts'
import type { Rating } from './rating.ts'
import { resolveRuleId } from './rule-ids.ts'
import type { PartlyScanned, Skip, SkipReason } from './source-file.ts'

/** A rule that could not be evaluated, for one file or for all. Never counted as passed. */
export interface NotEvaluated {
  rule_id: string
  /** Left out where it holds for every file of the language. */
  file?: string
  reason:
    | 'no_grammar'
    | 'timed_out'
    | 'too_large_to_parse'
    /** The file nests deeper than syntax rules can follow. */
    | 'too_deep'
    /** More than a counted limit allows: candidate sites, steps of an analysis, matches. The detail names the limit. */
    | 'too_costly'
    | 'parse_failed'
    /** The grammar does not know what stands there, such as what macros make of C. */
    | 'not_understood'
    | 'rule_failed'
    | 'no_provider'
    /** What it asks about is not known here: no stored run, no commit, a version that another file sets. */
    | 'no_data'
    /** A contributor, such as another scanner that is configured, gave no result. */
    | 'scanner_failed'
    | 'scanner_not_run'
  detail?: string
}

/** What a rule found in the code of tests, where it says nothing (`silent_in`): neither findings nor clean. */
export interface SilentInTests {
  rule_id: string
  findings: number
  files: number
}

/** What a rule found in files that its own `exclude_files` name, and in code that a file of rules quotes (examples, patterns): set aside like a suppressed finding, and counted. */
export interface ExcludedByRule {
  rule_id: string
  findings: number
  files: number
  /** The first ones. */
  places: { file: string; line: number }[]
}

/** A finding that functions of other files disprove: they sanitize or validate the input that it comes of, or do not return it. */
export interface DroppedPlace {
  file: string
  line: number
  /** The functions that the input was passed to, by the names that lead to them; empty where the call cannot be named. */
  functions: { file: string; name: string }[]
}

/** The place, and the functions that disprove the finding: `app/views.py:5 (plain in app/texts.py)`. */
export function formatDropped({ file, line, functions }: DroppedPlace): string {
  const names = functions.map(({ file: of, name }) => `${name} in ${of}`).join(', ')
  return `${file}:${line}${names ? ` (${names})` : ''}`
}

/** What a rule reported in files by themselves, and does not report since functions of other files are known: counted like a suppressed finding. */
export interface DroppedAcrossFiles {
  rule_id: string
  findings: number
  files: number
  /** The first ones. */
  places: DroppedPlace[]
}

/**
 * What rules of low confidence report (`review`): places that a reviewer decides on. They are no findings: the gate, the score and controls
 * know nothing of them.
 */
export interface ToReview {
  rule_id: string
  title: string
  severity: Severity
  /** Below that of every finding. */
  confidence: number
  findings: number
  files: number
  /** The first ones. */
  places: { file: string; line: number }[]
}

/** How many places a reviewer decides on. */
export function countToReview(entries: readonly Pick<ToReview, 'findings'>[] = []): number {
  return entries.reduce((sum, { findings }) => sum + findings, 0)
}

/** The confidence of what a reviewer decides on. */
export const REVIEW_CONFIDENCE = 0.3

const BROKEN_OFF = new Set(['timed_out', 'rule_failed', 'parse_failed', 'crashed', 'too_deep', 'too_costly'])

/**
 * Whether a rule or a file was given up midway: it may have been about to find something, and a file made to break rules off must pass nothing. What a
 * grammar does not understand is a known limit: macros make it so in every larger program of C. A grammar that cannot be loaded is no gap of a file: the
 * gate fails on it by itself.
 */
export function isBrokenOff(reason: string): boolean {
  return BROKEN_OFF.has(reason)
}

/** A gap by its file and rule; `*` for a file that was not scanned to its end. */
export function makeGapKey({ file = '', rule_id }: Pick<NotEvaluated, 'file' | 'rule_id'>): string {
  return `${file}\0${resolveRuleId(rule_id)}`
}

/** What a scan gave up midway, each as a gap: rules in a file, and files that were not scanned to their end. */
export function brokenOffIn({
  not_evaluated,
  skipped,
  partly = [],
}: Pick<Run, 'not_evaluated' | 'skipped' | 'partly'>): Pick<NotEvaluated, 'file' | 'rule_id'>[] {
  const files = [...skipped, ...partly].filter(({ reason }) => isBrokenOff(reason))
  return [
    ...not_evaluated.filter(({ reason }) => isBrokenOff(reason)),
    ...files.map(({ path }) => ({ file: path, rule_id: '*' })),
  ]
}

/** Something that a person should know of the repository's own settings or of another scanner's results. */
export interface Notice {
  kind:
    | 'suppression_expired'
    | 'suppression_unused'
    | 'suppression_invalid'
    | 'baseline_stale'
    | 'baseline_unknown'
    | 'baseline_mismatch'
    | 'baseline_renames'
    | 'cache_refused'
    | 'cache_not_kept'
    | 'shards_not_authenticated'
    | 'external_outside'
    | 'external_excluded'
    | 'external_unplaced'
    | 'external_defect'
    | 'external_not_run'
    /** Policies that need the whole repository, where a part of it was scanned. */
    | 'policies_not_run'
    /** A part of the repository was scanned, of which the import graph says nothing. */
    | 'architecture_not_checked'
    /** A part of the repository was scanned, which cannot show that a requirement or its code is missing. */
    | 'requirements_not_traced'
    /** Code that calls so much that each function was analyzed by itself. */
    | 'calls_not_followed'
    /** Names that rules ask for whose values files differ about, or that were not looked up. */
    | 'values_not_looked_up'
    /** A part of the repository was scanned, of whose other files nothing is known. */
    | 'other_files_not_followed'
    /** A rule or a file was stopped by the clock: what the run says of it may differ on another machine. */
    | 'stopped_by_clock'
    /** A source file of the change that could not be searched (gate.unread). */
    | 'unread_file'
    | 'own_libraries'
  file: string
  line?: number
  detail: string
}

/** The gate's decision as a run records it. */
export interface GateOutcome {
  passed: boolean
  reasons: string[]
  /** SHA-256 of the canonical JSON (RFC 8785) of the gate's settings that it was decided by; absent in runs of programs that did not record it. */
  policy_sha256?: string
  /** The run that the gate ran in, where that is an earlier one of the same tree. Never stored. */
  run_id?: string
}

/** The record of one scan: out/run.json and history/<run-id>/run.json (decisions "Findings"). */
export interface Run {
  id: string
  /** ISO 8601, UTC. */
  started_at: string
  finished_at: string
  /** Its time in the order of runs, where one that was there before it has a later start: one of the two clocks was wrong, the order is not. */
  follows?: string
  duration_ms: number
  tool_version: string
  root_name: string
  git_sha?: string
  branch?: string
  agent?: string
  /** What was scanned: everything, or a narrowed scope in words (`staged`, `range main..HEAD`, `changed_files`). */
  scope: string
  packs: { id: string; version: string; rules: number }[]
  /** One sentence: which packs were chosen and why. */
  packs_reason: string
  /** Packs that the configuration disables though their languages are present; left out where there are none. */
  packs_disabled?: string[]
  counts: RunCounts
  /** How many files are in which state; absent in runs of programs that did not count it. */
  ledger?: Ledger
  skipped: Skip[]
  /** Files that only some detectors searched; absent in runs of programs that did not tell. */
  partly?: PartlyScanned[]
  not_evaluated: NotEvaluated[]
  /** How many of them, and of the files that were not scanned to their end, are in the baseline or were there before the change. */
  known_gaps?: number
  /** By rule; absent in runs of programs that did not count it. */
  silent_in_tests?: SilentInTests[]
  /** By rule; absent in runs of programs that did not count it. */
  excluded_by_rule?: ExcludedByRule[]
  /** By rule; absent in runs of programs that did not count it. */
  dropped_across_files?: DroppedAcrossFiles[]
  /** By rule, most severe first; absent in runs of programs that had no such rules. */
  to_review?: ToReview[]
  notices: Notice[]
  cache: { hits: number; misses: number }
  /** What became of the controls of the frameworks that are on; absent where only a part of the repository was looked at. */
  frameworks?: FrameworkResult[]
  /** What the gate decided on this run, where it ran. */
  gate?: GateOutcome
  /** By the most severe finding that is not suppressed; absent in runs of programs that did not rate. */
  rating?: Rating
  /** Compliance score 0–100 over the rules that could apply; absent where no rule was evaluated. */
  score?: number
}

export interface RunCounts {
  files: number
  bytes: number
  lines: number
  skipped: Partial<Record<SkipReason, number>>
  languages: Record<string, number>
  rules: number
  findings: number
  open: number
  suppressed: number
  baseline: number
  /** Open findings. */
  by_severity: SeverityCounts
  /** Findings in the baseline; absent where there are none, and in runs of programs that did not count them. */
  baseline_by_severity?: SeverityCounts
}

/** Findings that are not suppressed, those of the baseline among them, by severity, as the rating counts them. */
export function countUnsuppressed(counts: Pick<RunCounts, 'by_severity' | 'baseline_by_severity'>): SeverityCounts {
  const sum = { ...counts.by_severity }
  for (const severity of SEVERITIES) sum[severity] += counts.baseline_by_severity?.[severity] ?? 0
  return sum
}

/** A scanned file as it is stored in files.parquet. */
export interface FileRecord extends FileMetrics {
  path: string
  language: string
  bytes: number
  findings: number
}

/** Gives the text that `make` would, by a name, for rules as they are and for `rest`, which is all else that decides it; in UTF-8, as it is kept and written. */
export type RuleTexts = (name: string, rest: string, make: () => string) => Uint8Array
