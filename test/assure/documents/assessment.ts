import { assessFrameworks } from '../../../engine/assure/controls/assess.ts'
import type { Assessment } from '../../../engine/assure/controls/assessment.ts'
import { type CheckedEvidence, EVIDENCE_STATES } from '../../../engine/assure/evidence/check.ts'
import type { Finding } from '../../../engine/base/records/finding.ts'
import type { Run } from '../../../engine/base/records/run.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import type { Pack } from '../../../engine/sources/packs/pack.ts'
import { finding, HOSTILE, rule, run } from '../fixture.ts'

const SOME = ['owasp-top-10-2021', 'soc2-tsc-2017', 'hipaa-security-rule']

/** An assessment of these frameworks over findings, owners and files with hostile names, and evidence of each state. */
export function hostileAssessment(
  frameworks: readonly Pack[] = loadBuiltinPacks().filter(({ id }) => SOME.includes(id)),
): Assessment {
  const findings = HOSTILE.map((text, at) =>
    finding(rule(`hostile-${at}`, { cwe: ['CWE-79'] }), `src/${text}.js`, 1, {
      ...{ title: text, fingerprint: `${at}${text}` },
      ...(at === 3 && { status: 'suppressed' as const, suppression: { kind: 'inline', reason: text } }),
    }),
  )
  const subject = run(findings, {
    root_name: HOSTILE[0],
    skipped: HOSTILE.map(path => ({ path, reason: 'binary' as const })),
    not_evaluated: HOSTILE.map(text => ({ rule_id: text, file: text, reason: 'timed_out' as const })),
  })
  const evidence = frameworks.flatMap(({ framework, controls }) =>
    EVIDENCE_STATES.map((state, at) => ({
      ...{ control: `${framework!.id}:${controls[at]!.id}`, title: HOSTILE[at]!, owner: HOSTILE[5], line: 1 },
      ...{ file: `docs/${HOSTILE[6]} ü${at}.pdf`, sha256: 'ab'.repeat(32) },
      ...{ observed_at: '2026-01-01', expires: '2027-01-01', note: HOSTILE[2] },
      ...{ state, reason: 'It is so.', framework: framework!.id, control_id: controls[at]!.id },
    })),
  )
  return assessmentOf(subject, findings, frameworks, evidence)
}

/** The assessment of these findings and this evidence, with every rule that svc has. */
export function assessmentOf(
  subject: Run,
  findings: readonly Finding[],
  frameworks: readonly Pack[],
  evidence: CheckedEvidence[],
): Assessment {
  const rules = loadBuiltinPacks().flatMap(pack => pack.rules)
  return {
    run: subject,
    generated_at: subject.finished_at,
    digests: { findings: '0'.repeat(64), run: '1'.repeat(64) },
    frameworks: assessFrameworks({
      ...{ run: subject, findings, packs: frameworks, rules, evidence, hadFrameworks: true },
      files: [{ path: 'src/a.js', language: 'javascript' }],
      configured: new Set(rules.map(({ id }) => id)),
      versions: new Map(loadBuiltinPacks().map(({ id, version }) => [id, version])),
    }),
    findings,
    evidence,
    attestation: { sha256: '2'.repeat(64), generated_at: subject.finished_at },
  }
}
