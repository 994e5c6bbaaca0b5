import type { StateCounts } from '../../base/records/framework.ts'
import type { AssessedFramework, Assessment } from '../controls/assessment.ts'
import { renderBadge } from './badge.ts'
import { describeCoverage } from './wording.ts'

/**
 * What an organization shows to everyone: counts, dates, names of public standards, and how to verify. No path, code, finding, rule, control,
 * person, branch, commit or name of the repository is in it, whatever the run has.
 */
export interface TrustCenter {
  organization: string
  generated_at: string
  /** When the scan ended. */
  scanned_at: string
  tool: string
  population: { files: number; skipped: number; rules: number; not_evaluated: number }
  gate: 'passed' | 'failed' | 'not_run'
  /** The run that the gate ran in, where that is an earlier one of the same tree. */
  gate_run_id?: string
  frameworks: TrustFramework[]
  /** How many documents people vouch for, and for how many of them it holds. */
  evidence: { total: number; valid: number }
  attestation: TrustAttestation | null
  statement: string
}

export interface TrustFramework {
  /** Name and edition of the standard. */
  name: string
  source: string | null
  counts: StateCounts
  /** met / (met + violated) in percent; null where neither is there. */
  coverage: number | null
  /** The figures in a sentence, with the manual controls beside the percentage. */
  summary: string
  complete: boolean
  /** Controls of the whole framework, where the pack says how many. */
  controls_total: number | null
  /** When it was evaluated last. */
  evaluated_at: string
  /** SVG. */
  badge: string
}

/** A signed statement of the run that can be asked for. */
export interface TrustAttestation {
  sha256: string
  generated_at: string
}

const STATEMENT =
  'Figures are those of an automated scan and of documents that people vouch for. They are no certificate. Coverage is the share of the controls that were met among those met or violated; manual controls and controls that were not evaluated are stated beside it.'

/** The public summary of an assessment. */
export function makeTrustCenter(assessment: Assessment, organization: string): TrustCenter {
  const { run, frameworks, generated_at, evidence, attestation } = assessment
  return {
    organization,
    generated_at,
    scanned_at: run.finished_at,
    tool: `svc ${run.tool_version}`,
    population: {
      files: run.counts.files,
      skipped: run.skipped.length,
      rules: run.counts.rules,
      not_evaluated: new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size,
    },
    gate: run.gate === undefined ? 'not_run' : run.gate.passed ? 'passed' : 'failed',
    ...(run.gate?.run_id !== undefined && { gate_run_id: run.gate.run_id }),
    frameworks: frameworks.map(framework => summarize(framework, run.finished_at)),
    evidence: { total: evidence.length, valid: evidence.filter(({ state }) => state === 'valid').length },
    attestation: attestation ? { sha256: attestation.sha256, generated_at: attestation.generated_at } : null,
    statement: STATEMENT,
  }
}

function summarize(framework: AssessedFramework, evaluated_at: string): TrustFramework {
  const { name, source, counts, coverage, complete, controls_total } = framework
  const tone = complete ? 'complete' : counts.violated > 0 ? 'violated' : 'partial'
  const figures = coverage === undefined ? 'not judged' : `${coverage} % of ${counts.met + counts.violated}`
  return {
    name,
    source: source ?? null,
    counts,
    coverage: coverage ?? null,
    summary: describeCoverage(framework),
    complete,
    controls_total: controls_total ?? null,
    evaluated_at,
    badge: renderBadge(name, `${figures}, ${counts.manual} manual, ${counts.not_evaluated} not evaluated`, tone),
  }
}
