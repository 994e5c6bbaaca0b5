import type { Finding } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import { checkLockAddresses } from './lock-addresses.ts'
import { checkAgreement, checkDigests, checkInstallScripts } from './lock-content.ts'
import { checkExtraIndexes, checkGitDependencies, checkNames, checkPrivateNames } from './names.ts'
import type { MaliceSources, Suspicion } from './sources.ts'

const CHECKS = [
  checkNames,
  checkPrivateNames,
  checkExtraIndexes,
  checkGitDependencies,
  checkLockAddresses,
  checkDigests,
  checkAgreement,
  checkInstallScripts,
]

/** Signs of an attack by dependencies, and openings for one, as findings at the line of the manifest or lock file. */
export function findMalice(sources: MaliceSources): Finding[] {
  const findings = new Map<string, Finding>()
  for (const check of CHECKS)
    for (const one of check(sources)) {
      const finding = makeFinding(one)
      if (!findings.has(finding.fingerprint)) findings.set(finding.fingerprint, finding)
    }
  return [...findings.values()]
}

function makeFinding({
  rule,
  severity,
  title,
  message,
  remediation,
  cwe,
  file,
  line = 1,
  subject,
  confidence = 0.9,
}: Suspicion): Finding {
  const rule_id = `supply:${rule}`
  const fingerprint = computeFingerprint(rule_id, file, subject, 0)
  return {
    ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id, pack_id: 'supply' },
    ...{ title, message, remediation, severity, base_severity: severity, category: 'dependency', language: 'text' },
    ...{ tags: ['supply-chain'], cwe, controls: [], file, line, column: 1, end_line: line, end_column: 1 },
    ...{ snippet: subject, confidence, deterministic: true, is_obligation: false, in_test: false, status: 'open' },
  }
}
