/** Severities, worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

export const CATEGORIES = [
  'code',
  'secret',
  'dependency',
  'license',
  'architecture',
  'policy',
  'documentation',
  'drift',
] as const
export type Category = (typeof CATEGORIES)[number]

export const STATUSES = ['open', 'suppressed', 'baseline'] as const
export type FindingStatus = (typeof STATUSES)[number]

/** Where a match stands in its file; decides the confidence of textual rules. */
export const CONTEXTS = ['code', 'test', 'comment', 'string'] as const
export type Context = (typeof CONTEXTS)[number]

/** Confidence by context (spec "Finding"). */
export const CONFIDENCE: Record<Context, number> = { code: 1, test: 0.7, comment: 0.5, string: 0.4 }

/** A control of a framework that a finding bears on. */
export interface ControlRef {
  framework: string
  control: string
}

/** One replacement in the finding's file: lines and columns from 1, the end exclusive, columns in UTF-16 units. */
export interface FixEdit {
  start_line: number
  start_column: number
  end_line: number
  end_column: number
  text: string
}

/** A place on the way of input to where it does harm. Lines and columns as in the finding. */
export interface FlowStep {
  file: string
  line: number
  column: number
  end_line: number
  end_column: number
  /** What happens there, in a few words. */
  label: string
}

export interface Suppression {
  kind: 'inline' | 'file'
  reason: string
  expires?: string
  approved_by?: string
}

/** A finding as it is stored, shown and sent everywhere (decisions "Findings"). Optional fields are left out, never null. */
export interface Finding {
  id: string
  fingerprint: string
  rule_id: string
  /**
   * Of a secret the ids of the less specific rules that report the same location; of a rule in several languages the key of the form that
   * found it. A suppression by any of them covers the finding.
   */
  also?: string[]
  /** Fingerprints that those rules give the location, where they differ: a baseline entry with one of them covers the finding. */
  also_fingerprints?: string[]
  pack_id: string
  title: string
  message: string
  severity: Severity
  /** Severity before rescoring or zone escalation. */
  base_severity: Severity
  confidence: number
  deterministic: boolean
  category: Category
  is_obligation: boolean
  /** Repository-relative, forward slashes; bytes that are not UTF-8 stand as \xNN. */
  file: string
  /** From 1. Columns count UTF-16 units from 1; the end is exclusive. */
  line: number
  column: number
  end_line: number
  end_column: number
  snippet: string
  language: string
  in_test: boolean
  /** Of a file that attributes mark as generated or vendored. */
  file_class?: 'generated' | 'vendored'
  zone?: string
  controls: ControlRef[]
  cwe: string[]
  tags: string[]
  remediation: string
  fix?: { edits: FixEdit[] }
  /** Where the rule follows input: the way from its source to the place of the finding. */
  flow?: FlowStep[]
  status: FindingStatus
  suppression?: Suppression
  agent?: string
}

/** 0 for critical … 4 for info. */
export function rankSeverity(severity: Severity): number {
  return SEVERITIES.indexOf(severity)
}

export type SeverityCounts = Record<Severity, number>

/** How many of each severity, every severity present. */
export function countBySeverity(findings: Iterable<{ severity: Severity }>): SeverityCounts {
  const counts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const { severity } of findings) counts[severity]++
  return counts
}

/** Where a finding is, and of which rule. */
type Located = Pick<Finding, 'file' | 'line' | 'column' | 'end_line' | 'end_column' | 'rule_id'>

/** The one order in which findings are listed: path (by code unit), place, rule. It depends on nothing but the findings. */
export function compareFindings(a: Located, b: Located): number {
  return (
    (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
    a.line - b.line ||
    a.column - b.column ||
    (a.rule_id < b.rule_id ? -1 : a.rule_id > b.rule_id ? 1 : 0) ||
    a.end_line - b.end_line ||
    a.end_column - b.end_column
  )
}
