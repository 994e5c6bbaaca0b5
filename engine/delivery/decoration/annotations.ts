import { compareWorst } from '../../assure/model.ts'
import type { Finding } from '../../base/records/finding.ts'
import type { Annotation } from '../providers/provider.ts'

/** Annotations of one check; the rest is counted in its summary. */
export const MOST_ANNOTATIONS = 100

/** Annotations for open findings, most severe first, and how many there were no room for. */
export function makeAnnotations(findings: readonly Finding[]): { annotations: Annotation[]; left_out: number } {
  const open = findings.filter(({ status }) => status === 'open').sort(compareWorst)
  const annotations = open.slice(0, MOST_ANNOTATIONS).map(
    ({ file, line, end_line, severity, title, rule_id, message, remediation }): Annotation => ({
      path: file,
      line,
      end_line: Math.max(line, end_line),
      level: severity === 'critical' || severity === 'high' ? 'failure' : severity === 'info' ? 'notice' : 'warning',
      title: `${severity}: ${title}`,
      message: `${message}\n\n${remediation}\n\n${rule_id}`,
    }),
  )
  return { annotations, left_out: open.length - annotations.length }
}
