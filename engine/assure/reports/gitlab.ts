import type { Finding, Severity } from '../../base/records/finding.ts'
import { escapeInvisibleLine, replaceLoneSurrogates } from '../../base/text/visible.ts'
import type { ReportModel } from '../model.ts'

/** GitLab's words for svc's severities; both scales have five steps. */
const SEVERITY: Record<Severity, 'blocker' | 'critical' | 'major' | 'minor' | 'info'> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
}

/**
 * GitLab's code quality report: one JSON array, an object a finding. It has no place for findings that are held, so those
 * that are suppressed or in the baseline are not in it, and none for what was not looked at.
 */
export function* renderGitlab({ findings }: ReportModel): Iterable<string> {
  yield '['
  let comma = '\n'
  for (const finding of findings) {
    if (finding.status !== 'open') continue
    yield `${comma}${JSON.stringify(violation(finding))}`
    comma = ',\n'
  }
  yield '\n]\n'
}

/** The fields that GitLab reads. It takes a fingerprint that it has seen before for the same violation. */
function violation(finding: Finding): object {
  const { rule_id, fingerprint, severity, file, line, message, title } = finding
  return {
    description: escapeInvisibleLine(message.trim() || title.trim() || rule_id),
    check_name: replaceLoneSurrogates(rule_id),
    fingerprint: replaceLoneSurrogates(fingerprint),
    severity: SEVERITY[severity],
    location: { path: replaceLoneSurrogates(file) || '.', lines: { begin: Math.max(1, line) } },
  }
}
