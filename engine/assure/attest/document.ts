import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Finding, SeverityCounts } from '../../base/records/finding.ts'
import type { Run } from '../../base/records/run.ts'
import { VERSION } from '../../base/version.ts'
import type { Notarization } from '../notary/client.ts'
import type { SecretKey } from './keys.ts'

/** The state of the work tree when the attestation was made, against the commit of the run. */
export type TreeState = 'clean' | 'modified' | 'unknown'

/** What is attested, before it is signed (spec "Attestation"). */
export interface Statement {
  type: 'svc-attestation'
  version: 1
  project: string
  generated_at: string
  tool_version: string
  run_id: string
  /** What was scanned: `everything`, or a narrower scope in words. */
  scope: string
  period: { started_at: string; finished_at: string }
  git_sha: string | null
  git_tree: string | null
  tree_state: TreeState
  packs_enabled: { id: string; version: string }[]
  /** SHA-256 over a line per finding, sorted: fingerprint, status, severity, rule id, separated by tabs. */
  findings_digest: string
  /** Open findings. */
  severity_counts: SeverityCounts
  finding_counts: { total: number; open: number; baseline: number; suppressed: number }
  gate_status: 'passed' | 'failed' | 'not_run'
  /** The run that the gate ran in, where that is an earlier one of the same tree. */
  gate_run_id?: string
  /** How much was looked at, so that no number stands without its population. */
  population: { files: number; skipped: number; partly: number; rules: number; not_evaluated: number }
}

/** The signed document, as it is in out/attestation.json. */
export type Attestation = Statement & {
  /** `hmac-sha256:<key id>:<HMAC of the canonical JSON of all other fields but notarization>`. */
  signature: string
  notarization?: Notarization
}

/** What the repository adds to the run. */
export interface Surroundings {
  git_tree: string | null
  tree_state: TreeState
  generated_at: Date
}

/** Makes the statement of a run. */
export function makeStatement(run: Run, findingsDigest: string, around: Surroundings): Statement {
  const { counts } = run
  const skipped = Object.values(counts.skipped).reduce((sum, count) => sum + count, 0)
  return {
    ...{ type: 'svc-attestation', version: 1, project: run.root_name },
    generated_at: around.generated_at.toISOString(),
    tool_version: VERSION,
    run_id: run.id,
    scope: run.scope,
    period: { started_at: run.started_at, finished_at: run.finished_at },
    git_sha: run.git_sha ?? null,
    git_tree: around.git_tree,
    tree_state: around.tree_state,
    packs_enabled: run.packs.map(({ id, version }) => ({ id, version })),
    findings_digest: findingsDigest,
    severity_counts: counts.by_severity,
    finding_counts: {
      total: counts.findings,
      open: counts.open,
      baseline: counts.baseline,
      suppressed: counts.suppressed,
    },
    gate_status: run.gate === undefined ? 'not_run' : run.gate.passed ? 'passed' : 'failed',
    ...(run.gate?.run_id !== undefined && { gate_run_id: run.gate.run_id }),
    population: {
      files: counts.files,
      skipped,
      partly: run.partly?.length ?? 0,
      rules: counts.rules,
      not_evaluated: new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size,
    },
  }
}

/** The digest of a run's findings, which anybody can recompute from findings.json (docs/attestation.md). */
export function digestFindings(
  findings: Iterable<Pick<Finding, 'fingerprint' | 'status' | 'severity' | 'rule_id'>>,
): string {
  const lines: string[] = []
  for (const { fingerprint, status, severity, rule_id } of findings)
    lines.push(`${fingerprint}\t${status}\t${severity}\t${rule_id}\n`)
  // By bytes: all four are ASCII.
  lines.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const hash = createHash('sha256')
  for (const line of lines) hash.update(line)
  return hash.digest('hex')
}

/** Signs a statement with the machine's secret: HMAC-SHA256 (RFC 2104) over its canonical JSON (RFC 8785). */
export function signStatement(statement: Statement, key: SecretKey): Attestation {
  return { ...statement, signature: `hmac-sha256:${key.id}:${computeMac(statement, key)}` }
}

/** What the signature of a document is worth: it holds, its key is not here, or it does not hold. */
export function checkSignature(
  { signature, notarization: _, ...statement }: Record<string, unknown>,
  secrets: readonly SecretKey[],
): 'holds' | 'unknown_key' | 'broken' {
  const [, id, mac] = /^hmac-sha256:([0-9a-f]{16}):([0-9a-f]{64})$/.exec(String(signature)) ?? []
  if (id === undefined || mac === undefined) return 'broken'
  const key = secrets.find(secret => secret.id === id)
  if (!key) return 'unknown_key'
  const expected = Buffer.from(computeMac(statement, key), 'hex')
  return timingSafeEqual(expected, Buffer.from(mac, 'hex')) ? 'holds' : 'broken'
}

/** SHA-256 of the canonical JSON of a signed document, without its notarization: what a notary is sent. */
export function digestAttestation({ notarization: _, ...document }: { notarization?: unknown }): string {
  return createHash('sha256').update(encodeCanonical(document)).digest('hex')
}

/** The text of the file: canonical JSON and a line feed. */
export function formatAttestation(attestation: Attestation): string {
  return `${encodeCanonical(attestation)}\n`
}

/** Canonical JSON (RFC 8785); throws for a string that is not well-formed Unicode. */
export function encodeCanonical(value: unknown): string {
  return canonicalize(value)!
}

function computeMac(statement: object, key: SecretKey): string {
  return createHmac('sha256', key.bytes).update(encodeCanonical(statement)).digest('hex')
}
