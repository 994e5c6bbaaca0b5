import type { ControlState, StateCounts } from '../../base/records/framework.ts'
import { VERSION } from '../../base/version.ts'
import type { AssessedFramework, Assessment } from '../controls/assessment.ts'
import { describeAttestation, describeEvidence, describeScan, type EvidenceItem } from '../controls/provenance.ts'

/** The evidence of one framework as data (decisions "Assurance"). */
export interface EvidencePackage {
  framework: string
  edition: string
  generated_at: string
  tool_version: string
  run_id: string
  git_sha: string | null
  /** How many controls are in each state. */
  coverage: StateCounts
  /** met / (met + violated) in percent; null where neither is there. */
  coverage_percent: number | null
  complete: boolean
  caveats: string[]
  controls: PackageControl[]
}

export interface PackageControl {
  id: string
  title: string
  state: ControlState
  reason: string
  rules: { id: string; evaluated: boolean; open: number; suppressed: number }[]
  /** Fingerprints of the findings that violate it or were accepted. */
  findings: string[]
  evidence: EvidenceItem[]
}

/** The evidence package of an assessed framework. */
export function makeEvidencePackage(assessment: Assessment, framework: AssessedFramework): EvidencePackage {
  const { run, generated_at } = assessment
  const scan = describeScan(assessment)
  const attestation = describeAttestation(assessment)
  return {
    framework: framework.id,
    edition: framework.edition,
    generated_at,
    tool_version: VERSION,
    run_id: run.id,
    git_sha: run.git_sha ?? null,
    coverage: framework.counts,
    coverage_percent: framework.coverage ?? null,
    complete: framework.complete,
    caveats: framework.caveats,
    controls: framework.controls.map(control => ({
      id: control.id,
      title: control.title,
      state: control.state,
      reason: control.reason,
      rules: control.rules.map(({ id, outcome, open, suppressed }) => ({
        id,
        evaluated: outcome === 'evaluated',
        open,
        suppressed,
      })),
      findings: control.findings.map(({ fingerprint }) => fingerprint),
      evidence: [
        // A run that did not look at the control is no evidence of it.
        ...(control.checked > 0 || control.findings.length > 0 ? [scan, ...attestation] : []),
        ...control.evidence.map(describeEvidence),
      ],
    })),
  }
}
