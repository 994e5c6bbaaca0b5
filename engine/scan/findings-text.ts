import { REASONS } from '../assure/model.ts'
import type { Finding } from '../base/records/finding.ts'
import { resolveRuleId } from '../base/records/rule-ids.ts'
import type { Run } from '../base/records/run.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import type { UnknownOrigin } from './snippet/unknown-schema.ts'
import type { Unsearched } from './unsearched-schema.ts'

/** The files of a run that are skipped, and those that were scanned partly. */
export function listUnsearched({ skipped, partly = [] }: Pick<Run, 'skipped' | 'partly'>): Unsearched {
  const listed = (state: 'skipped' | 'partly', files: Run['skipped'] | NonNullable<Run['partly']>) =>
    files.map(({ path, reason, detail }) => ({ path, state, reason, ...(detail !== undefined && { detail }) }))
  return [...listed('skipped', skipped), ...listed('partly', partly)]
}

/** Findings for a coding agent: place, reason and remedy of each; then what could not be evaluated, and sinks that values of unknown origin reach: neither is a pass. */
export function formatFindings(
  findings: readonly Finding[],
  notEvaluated: readonly { rule_id: string; reason: string }[] = [],
  unsearched: Unsearched = [],
  unknownOrigins: readonly UnknownOrigin[] = [],
): string {
  const missed = notEvaluated.map(({ rule_id, reason }) => `Not evaluated: ${rule_id} (${reason}).`)
  const unknown = unsearched.map(({ path, state, reason, detail }) => {
    const why = REASONS[reason as keyof typeof REASONS] ?? reason
    return `${state === 'skipped' ? 'Skipped' : 'Partly scanned'}: ${escapeInvisibleLine(path)} (${why}${detail === undefined ? '' : `: ${escapeInvisibleLine(detail)}`}).`
  })
  const origins = unknownOrigins.map(({ line, column, message }) => `Unknown: line ${line}:${column}: ${message}`)
  return [findings.length === 0 ? 'No findings.' : listed(findings), ...missed, ...unknown, ...origins].join('\n')
}

function listed(findings: readonly Finding[]): string {
  return findings
    .map(finding => {
      const held = finding.status === 'open' ? '' : ` (${finding.status})`
      return `${escapeInvisibleLine(finding.file)}:${finding.line}:${finding.column} ${finding.severity} ${finding.rule_id}${formatAliases(finding)}${held}: ${finding.message}${formatTrace(finding)}\n  Fix: ${finding.remediation.trim().replaceAll('\n', '\n  ')}`
    })
    .join('\n')
}

/** The other rules that report the same secret, in parentheses; empty where there are none. */
export function formatAliases({ also = [] }: Pick<Finding, 'also'>): string {
  // The key of a form is no other rule.
  const others = also.filter(id => resolveRuleId(id) === id)
  return others.length === 0 ? '' : ` (also ${others.join(', ')})`
}

/** The places that input comes by, a line each; empty for a finding without any. */
export function formatTrace({ flow = [], file }: Pick<Finding, 'flow' | 'file'>, indent = '  '): string {
  return flow
    .map(
      step =>
        `\n${indent}${step.file === file ? 'line ' : `${escapeInvisibleLine(step.file)}:`}${step.line}: ${step.label}`,
    )
    .join('')
}
