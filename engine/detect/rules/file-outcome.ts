import type { FileMetrics } from '../../base/records/file-metrics.ts'
import type { Severity } from '../../base/records/finding.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import type { FileClass, Skip } from '../../base/records/source-file.ts'
import type { InlineIgnore } from './inline.ts'
import type { Match } from './match.ts'
import type { ReleaseFacts } from './release-facts.ts'

/** A file to look at: its bytes are read, its language is known. */
export interface FileInput {
  path: string
  /** Name in the languages table, or `text`. */
  language: string
  in_test: boolean
  bytes: Uint8Array
  encoding?: string
  /** Who wrote it, where that lowers the weight of findings. */
  class?: FileClass
  /** Its metrics are counted, beside its lines. */
  measured?: true
  /** Which rules search it; all of them where left out. */
  reach?: Reach
  /** Functions of other files that free what a parameter points to, with the number of that: rules about memory then report only what is by these. */
  elsewhere?: ReadonlyMap<string, number>
}

/**
 * Detectors of secrets search every file. Of the other rules only the severe ones (`Limits.severe`) search a file of this reach:
 * all of these, or only those that need no parsing.
 */
export type Reach = 'severe' | 'severe_text'

export interface Limits {
  /** The last guard, far wider than what the counted limits allow: a textual rule that takes longer than this on a file is stopped. */
  rule_deadline_ms: number
  /** A file whose textual rules, or whose syntax rules, take longer than this has the remaining ones "not evaluated". */
  file_deadline_ms: number
  /** Larger files are not parsed; textual rules still run. */
  max_parse_bytes: number
  /** Key of the identity of secrets (engine/detect/secrets/identity.ts); the common one where left out. */
  secret_key?: string
  /** Severities that a file's class or shape hides from no rule: those that fail the gate, and always critical and high. */
  severe?: readonly Severity[]
  /** Notes say why a value is held to be a secret. */
  explain_secrets?: boolean
}

export interface RuleFailure {
  rule: number
  /** `calls_not_followed`: the rule was evaluated, each function by itself; a notice of the run and no gap in it. */
  reason: NotEvaluated['reason'] | 'calls_not_followed'
  detail?: string
}

/** How often a rule would have spoken in the code of a test, where it says nothing (`silent_in`). */
export interface Silence {
  rule: number
  count: number
}

/** Findings of a rule in a file that its own `exclude_files` names: set aside, counted, and each listed by its line. */
export interface Excluded {
  rule: number
  lines: number[]
}

/** What one file came to. */
export interface FileOutcome {
  pass: FileMetrics
  matches: Match[]
  /** Left out where there is none. */
  silenced?: Silence[]
  /** Left out where there is none. */
  excluded?: Excluded[]
  failures: RuleFailure[]
  ignores: InlineIgnore[]
  /** What other files need to know of it, and it of them. Left out where that is nothing. */
  releases?: ReleaseFacts
  skip?: Omit<Skip, 'path'>
  /** The file was parsed, so memory outside V8 was used. */
  parsed: boolean
}
