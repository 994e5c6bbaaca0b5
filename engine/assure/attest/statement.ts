import { VERSION } from '../../base/version.ts'
import { type Attestation, digestAttestation } from './document.ts'

/** Type of our own predicate (docs/attestation.md). */
export const PREDICATE = 'urn:svc:attestation:1'
/** Type of a SLSA verification summary. */
export const VSA_PREDICATE = 'https://slsa.dev/verification_summary/v1'
const STATEMENT = 'https://in-toto.io/Statement/v1'

/** An in-toto statement, version 1. */
export interface InTotoStatement {
  _type: typeof STATEMENT
  subject: { name: string; digest: Record<string, string> }[]
  predicateType: string
  predicate: Record<string, unknown>
}

/**
 * The subjects of an attestation: the findings, and the commit with its tree where that is what was scanned. A tree that had other
 * content, or of which that is not known, is no subject: nothing is attested of it.
 */
function listSubjects({ project, git_sha, git_tree, tree_state, findings_digest }: Attestation) {
  const subject: InTotoStatement['subject'] = [{ name: 'findings', digest: { sha256: findings_digest } }]
  if (tree_state === 'clean' && git_sha !== null && git_tree !== null)
    subject.unshift({ name: project, digest: { gitCommit: git_sha, gitTree: git_tree } })
  return subject
}

/** The in-toto statement of a document: the same facts, and the digest that ties them to it. */
export function makeInToto(attestation: Attestation): InTotoStatement {
  const { signature: _, notarization: __, ...facts } = attestation
  return {
    _type: STATEMENT,
    subject: listSubjects(attestation),
    predicateType: PREDICATE,
    predicate: { ...facts, attestation_sha256: digestAttestation(attestation) },
  }
}

/** The gate's result as a SLSA verification summary; for a run whose gate was asked. */
export function makeVerificationSummary(
  attestation: Attestation,
  policyDigest: string,
  resourceUri: string,
): InTotoStatement {
  const passed = attestation.gate_status === 'passed'
  return {
    _type: STATEMENT,
    subject: listSubjects(attestation),
    predicateType: VSA_PREDICATE,
    predicate: {
      verifier: { id: 'urn:svc:gate', version: { svc: VERSION } },
      timeVerified: attestation.period.finished_at,
      resourceUri,
      policy: { uri: 'urn:svc:gate-policy', digest: { sha256: policyDigest } },
      inputAttestations: [{ uri: 'attestation.json', digest: { sha256: digestAttestation(attestation) } }],
      verificationResult: passed ? 'PASSED' : 'FAILED',
      verifiedLevels: [passed ? 'SVC_GATE_PASSED' : 'FAILED'],
    },
  }
}
