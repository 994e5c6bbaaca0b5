import type { Run } from '../../base/records/run.ts'
import { formatCount } from '../../base/text/words.ts'
import { VERSION } from '../../base/version.ts'
import type { CheckedEvidence } from '../evidence/check.ts'
import type { Assessment } from './assessment.ts'

/** What an auditor asks of a piece of evidence: over what, when, by what, from what, giving what, and who vouches. */
export interface Provenance {
  /** What was examined, what was left out included. */
  population: string
  /** ISO 8601 times. */
  period: { from: string; to: string }
  tool: string
  input: string
  output: string
  /** The person who vouches; null for what a program observed. */
  person: string | null
}

/** One piece of evidence of an evidence package. */
export interface EvidenceItem {
  kind: 'scan' | 'human' | 'attestation' | 'audit'
  /** A file, a link, or what the run stored. */
  source: string
  sha256: string | null
  observed_at: string
  expires: string | null
  title: string
  /** `valid`, or why it does not count. */
  state: string
  provenance: Provenance
}

/** The run as a piece of evidence. */
export function describeScan({ run, digests }: Pick<Assessment, 'run' | 'digests'>): EvidenceItem {
  return {
    kind: 'scan',
    source: `history/${run.id}/findings.parquet`,
    sha256: digests.findings,
    observed_at: run.finished_at,
    expires: null,
    title: `Scan ${run.id}`,
    state: 'valid',
    provenance: describeRun(run, digests),
  }
}

/** The signed statement of the run as a piece of evidence; none where there is none. */
export function describeAttestation({ run, digests, attestation }: Assessment): EvidenceItem[] {
  if (!attestation) return []
  const { sha256, generated_at } = attestation
  const { population, period, tool } = describeRun(run, digests)
  return [
    {
      ...{ kind: 'attestation' as const, source: 'attestation.json', sha256, observed_at: generated_at, expires: null },
      ...{ title: `Attestation of ${run.id}`, state: 'not verified' },
      provenance: {
        ...{ population, period, tool, input: `run ${run.id}` },
        ...{ output: 'a signed statement; verify it with `svc attest --verify`', person: null },
      },
    },
  ]
}

/** Population, period, tool, input and output of a run. */
export function describeRun(run: Run, digests: Assessment['digests']): Provenance {
  const { counts } = run
  const partly = run.partly?.length ?? 0
  const missing = new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size
  return {
    population: `${formatCount(counts.files, 'file')} scanned with ${formatCount(counts.rules, 'rule')}; ${formatCount(run.skipped.length, 'file')} skipped, ${formatCount(partly, 'file')} partly scanned, ${formatCount(missing, 'rule')} not evaluated on at least one file`,
    period: { from: run.started_at, to: run.finished_at },
    tool: `svc ${run.tool_version}`,
    input: `${run.git_sha === undefined ? 'working tree without a commit' : `working tree at commit ${run.git_sha}`}; packs ${run.packs.map(({ id, version }) => `${id} ${version}`).join(', ')}`,
    output: `${formatCount(counts.findings, 'finding')} (${counts.open} open, ${counts.baseline} in the baseline, ${counts.suppressed} suppressed); run.json sha256:${digests.run}`,
    person: null,
  }
}

/** An entry of the evidence file as a piece of evidence. */
export function describeEvidence(entry: CheckedEvidence): EvidenceItem {
  const source = entry.file ?? entry.url!
  return {
    kind: 'human',
    source,
    sha256: entry.sha256 ?? null,
    observed_at: entry.observed_at,
    expires: entry.expires ?? null,
    title: entry.title,
    state: entry.state,
    provenance: {
      population: entry.note ?? `as “${entry.title}” states`,
      period: { from: entry.observed_at, to: entry.expires ?? entry.observed_at },
      tool: `recorded with svc ${VERSION}`,
      input: source,
      output: entry.reason,
      person: entry.owner,
    },
  }
}
