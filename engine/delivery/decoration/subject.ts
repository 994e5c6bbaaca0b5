import type { Finding } from '../../base/records/finding.ts'
import type { Run } from '../../base/records/run.ts'
import type { GateDecision } from '../../gate/decide.ts'

/** What a pull request is told about: a judged scan. */
export interface Subject {
  /** Constant for a repository: marks and the check's name have it. */
  project: string
  decision: GateDecision
  run: Pick<Run, 'id' | 'tool_version' | 'not_evaluated'>
  /** Every finding of the run, suppressed and baselined ones too. */
  findings: readonly Finding[]
  /** Findings that fail the gate. */
  blocking: readonly Finding[]
  /** The commit that was judged. */
  sha: string
  /** Coverage of requirements, where the repository has some. */
  coverage?: { covered: number; total: number; uncovered: readonly string[] }
}
