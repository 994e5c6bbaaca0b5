import type { ControlResult, ControlState, StateCounts } from '../../base/records/framework.ts'
import type { ControlKind } from '../../base/records/rule.ts'
import type { Run } from '../../base/records/run.ts'
import type { FindingFacts } from '../../sources/store/finding-facts.ts'
import type { CheckedEvidence } from '../evidence/check.ts'

/** What a run did with a rule that bears on a control. */
export type RuleOutcome = 'evaluated' | 'not_evaluated' | 'no_files'

/** A rule that bears on a control, and what it found of it. */
export interface AssessedRule {
  id: string
  title: string
  pack_id: string
  outcome: RuleOutcome
  /** Findings that are open or in the baseline. */
  open: number
  suppressed: number
}

/** One control with all that stands behind its state. */
export interface AssessedControl extends Omit<ControlResult, 'because' | 'findings'> {
  meaning: string
  kind: ControlKind
  state: ControlState
  /** One sentence or more. */
  reason: string
  rules: AssessedRule[]
  /** Of its weaknesses, accepted ones included, in the order of the run. */
  findings: readonly FindingFacts[]
  /** What people attached to it, valid or not. */
  evidence: CheckedEvidence[]
}

/** A framework as a run and the evidence of people show it. */
export interface AssessedFramework {
  id: string
  /** With the edition. */
  name: string
  edition: string
  source?: string
  pack_id: string
  pack_version: string
  /** Whether the run evaluated it; otherwise it was computed afterwards from what the run stored. */
  recorded: boolean
  controls_total?: number
  counts: StateCounts
  /** met / (met + violated) in percent, rounded down to one decimal; absent where neither is there. */
  coverage?: number
  /** Whether every control is met, or not applicable, and the pack carries every control. Nothing else may read as complete. */
  complete: boolean
  controls: AssessedControl[]
  /** What a reader must know of this framework's figures, each a sentence. */
  caveats: string[]
}

/** All data of the compliance documents; a document reads nothing else. */
export interface Assessment {
  run: Run
  /** ISO 8601: SOURCE_DATE_EPOCH, else the end of the run. */
  generated_at: string
  /** SHA-256 of the run's findings.parquet and run.json. */
  digests: { findings: string; run: string }
  frameworks: AssessedFramework[]
  /** Every finding of the run, in its order. */
  findings: readonly FindingFacts[]
  /** Every entry of the evidence file, in order; those of no assessed framework too. */
  evidence: CheckedEvidence[]
  /** Newer runs that cannot be read, each in a sentence; the frameworks' caveats have them too. */
  omitted?: readonly string[]
  /** The signed statement of the run, where the output directory has one of this run; its signature is not verified here. */
  attestation?: AttestationFile
}

/** What is known of out/attestation.json without its key. */
export interface AttestationFile {
  sha256: string
  /** ISO 8601. */
  generated_at: string
}
