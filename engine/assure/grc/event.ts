import { createHash, randomUUID } from 'node:crypto'
import { EngineError } from '../../base/errors.ts'
import type { SeverityCounts } from '../../base/records/finding.ts'
import type { Run } from '../../base/records/run.ts'

/** Events that are pushed (spec "Events"). */
export const GRC_EVENTS = ['scan_complete', 'gate_passed', 'gate_failed', 'vuln_scan'] as const
export type GrcEventName = (typeof GRC_EVENTS)[number]

/** What is sent; docs/grc-event.schema.json is its schema. */
export interface GrcEvent {
  event: GrcEventName | 'test'
  /** The same for the same event of the same run, so that a receiver knows what it has. */
  id: string
  project: string
  generated_at: string
  run_id: string | null
  git_sha: string | null
  gate: 'passed' | 'failed' | 'not_run'
  /** The run that the gate ran in, where that is an earlier one of the same tree. */
  gate_run_id?: string
  summary: SeverityCounts & { new: number; baseline: number }
  compliance: {
    framework: string
    coverage: number | null
    met: number
    violated: number
    manual: number
    not_evaluated: number
  }[]
  vulnerabilities?: { total: number; source: string; generated_at: string | null }
  links: Record<string, string>
}

/** The parts of a stored vulnerability report that are pushed. */
export interface PushedVulnerabilities {
  vulnerable_count: number
  source: unknown
  generated_at?: string
}

/** Makes the event of a run. CONFLICT where the run's gate came to something else, or was not asked. */
export function makeEvent(
  name: GrcEventName,
  run: Run,
  project: string,
  vulnerabilities?: PushedVulnerabilities,
): GrcEvent {
  const gate = run.gate === undefined ? 'not_run' : run.gate.passed ? 'passed' : 'failed'
  if (name.startsWith('gate_') && name !== `gate_${gate}`)
    throw new EngineError(
      'CONFLICT',
      gate === 'not_run'
        ? `No gate ran on the tree of run ${run.id}.`
        : `The gate of run ${run.id} ${gate}, so there is no ${name}.`,
      { hint: gate === 'not_run' ? 'Run `svc gate` first.' : `Push --event gate_${gate}.` },
    )
  const { by_severity, open, baseline } = run.counts
  return {
    ...{ event: name, id: makeId(name, run.id, vulnerabilities?.generated_at ?? '') },
    ...{ project, generated_at: run.finished_at, run_id: run.id, git_sha: run.git_sha ?? null, gate },
    ...(run.gate?.run_id !== undefined && { gate_run_id: run.gate.run_id }),
    summary: { ...by_severity, new: open, baseline },
    compliance: (run.frameworks ?? []).map(({ id, coverage, counts, controls }) => ({
      ...{
        framework: id,
        coverage: coverage ?? null,
        met: counts.met,
        violated: counts.violated,
        manual: counts.manual,
      },
      not_evaluated: controls.filter(({ not_evaluated }) => not_evaluated.length > 0).length,
    })),
    ...(vulnerabilities && {
      vulnerabilities: {
        total: vulnerabilities.vulnerable_count,
        source: JSON.stringify(vulnerabilities.source),
        generated_at: vulnerabilities.generated_at ?? null,
      },
    }),
    links: {},
  }
}

/** An event that says that it is a test, with no figures of a run. */
export function makeTestEvent(project: string, now: Date): GrcEvent {
  return {
    ...{ event: 'test', id: randomUUID(), project, generated_at: now.toISOString() },
    ...{ run_id: null, git_sha: null, gate: 'not_run' },
    summary: { critical: 0, high: 0, medium: 0, low: 0, info: 0, new: 0, baseline: 0 },
    ...{ compliance: [], links: {} },
  }
}

/** A UUID (RFC 9562, version 8) of what was pushed. */
function makeId(...parts: string[]): string {
  const bytes = createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
