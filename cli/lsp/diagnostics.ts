import type { Diagnostic, DiagnosticSeverity, Range } from 'vscode-languageserver/node'
import type { CheckedPlace } from '../../engine/base/records/document-check.ts'
import type { Finding, Severity } from '../../engine/base/records/finding.ts'
import { findKey } from '../../engine/base/records/rule-ids.ts'
import { FindingPlaces, type OpenText } from './open-text.ts'

/** A finding and where it is in the editor's text. */
export interface Shown {
  finding: Finding
  range: Range
}

/** Error, warning, information and hint of the protocol. */
const SEVERITY: Record<Severity, DiagnosticSeverity> = { critical: 1, high: 1, medium: 2, low: 3, info: 4 }

/** Findings with their ranges, in the order of a scan. */
export function locateFindings(findings: readonly Finding[], open: OpenText): Shown[] {
  if (findings.length === 0) return []
  const places = new FindingPlaces(open.text)
  return findings.map(finding => ({ finding, range: toRange(finding, places, open) }))
}

type Stretch = Pick<Finding, 'line' | 'column' | 'end_line' | 'end_column'>

/** A stretch of lines and columns from 1 as a range of the protocol. */
export function toRange({ line, column, end_line, end_column }: Stretch, places: FindingPlaces, open: OpenText): Range {
  return open.rangeOf(places.offset(line, column), places.offset(end_line, end_column))
}

/** Open findings as diagnostics; those that are suppressed or in the baseline are counted by a code lens. */
export function toDiagnostics(shown: readonly Shown[], open: OpenText, { checker, path }: CheckedPlace): Diagnostic[] {
  const places = new FindingPlaces(open.text)
  return shown.flatMap(({ finding, range }) => {
    if (finding.status !== 'open') return []
    const href = checker.describe(findKey(finding))?.href
    const steps = finding.flow?.filter(({ file }) => file === path) ?? []
    const diagnostic: Diagnostic = {
      range,
      severity: SEVERITY[finding.severity],
      source: 'svc',
      code: finding.rule_id,
      ...(href !== undefined && { codeDescription: { href } }),
      message: `${finding.title}\n${finding.message}`,
      ...(steps.length > 0 && {
        relatedInformation: steps.map(step => ({
          location: { uri: open.uri, range: toRange(step, places, open) },
          message: step.label,
        })),
      }),
      data: { id: finding.id, fingerprint: finding.fingerprint },
    }
    return [diagnostic]
  })
}

/** Whether two ranges share a character, or touch. */
export function overlaps(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start)
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character)
}
