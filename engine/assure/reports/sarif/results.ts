import type { Finding, Suppression } from '../../../finding.ts'
import { wellFormed } from '../../text.ts'
import { LEVELS, some } from './rules.ts'
import type { Taxonomies } from './taxonomies.ts'

/** A finding as run.results holds it (SARIF 2.1.0, 3.27). `hasBaseline`: other findings of the run are held by one. */
export function sarifResult(
  finding: Finding,
  ruleIndex: number,
  taxonomies: Taxonomies,
  hasBaseline: boolean,
): unknown {
  const taxa = taxonomies.of(finding)
  const baseline = baselineState(finding, hasBaseline)
  return {
    ruleId: wellFormed(finding.rule_id),
    ruleIndex,
    level: LEVELS[finding.severity],
    message: { text: some(finding.message, finding.title, finding.rule_id) },
    locations: [{ physicalLocation: { artifactLocation: artifact(finding.file), region: region(finding) } }],
    partialFingerprints: { 'svcFingerprint/v1': wellFormed(finding.fingerprint) },
    ...(finding.suppression && { suppressions: [suppression(finding.suppression)] }),
    ...(baseline && { baselineState: baseline }),
    ...(finding.fix && finding.fix.edits.length > 0 && { fixes: [fix(finding, finding.fix.edits)] }),
    ...(taxa.length > 0 && { taxa }),
    properties: properties(finding),
  }
}

/** A file of the repository, relative to its root. */
export function artifact(path: string): { uri: string; uriBaseId: string } {
  return { uri: uriOf(path), uriBaseId: '%SRCROOT%' }
}

/**
 * The path as a relative URI reference (RFC 3986): each segment percent-encoded, bytes that were not UTF-8 (\xNN in the
 * path) as the bytes they are. An empty path is the root itself.
 */
export function uriOf(path: string): string {
  const isEscaped = /\\x[89a-f][0-9a-f]/i.test(path)
  const encoded = path.split('/').map(segment => (isEscaped ? encodeEscaped(segment) : encode(segment)))
  return encoded.join('/') || '.'
}

function encodeEscaped(segment: string): string {
  return segment.replace(/\\x([0-9a-f]{2})|\\\\|[^\\]+|\\/gi, (part, byte) =>
    byte ? `%${byte.toUpperCase()}` : part === '\\\\' ? '%5C' : encode(part),
  )
}

function encode(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function region(finding: Finding): Record<string, unknown> {
  const startLine = Math.max(1, finding.line)
  const startColumn = Math.max(1, finding.column)
  const endLine = Math.max(startLine, finding.end_line)
  const endColumn = Math.max(endLine === startLine ? startColumn : 1, finding.end_column)
  return {
    startLine,
    startColumn,
    endLine,
    endColumn,
    ...(finding.snippet !== '' && { snippet: { text: wellFormed(finding.snippet) } }),
  }
}

function baselineState(finding: Finding, hasBaseline: boolean): string | undefined {
  if (finding.status === 'baseline') return 'unchanged'
  return hasBaseline && finding.status === 'open' ? 'new' : undefined
}

function suppression({ kind, reason, expires, approved_by }: Suppression): unknown {
  return {
    kind: kind === 'inline' ? 'inSource' : 'external',
    status: 'accepted',
    justification: wellFormed(reason),
    ...((expires || approved_by) && {
      properties: { ...(expires && { expires }), ...(approved_by && { approved_by: wellFormed(approved_by) }) },
    }),
  }
}

function fix(finding: Finding, edits: NonNullable<Finding['fix']>['edits']): unknown {
  return {
    description: { text: some(finding.remediation, finding.title, finding.rule_id) },
    artifactChanges: [
      {
        artifactLocation: artifact(finding.file),
        replacements: edits.map(edit => ({
          deletedRegion: {
            startLine: edit.start_line,
            startColumn: edit.start_column,
            endLine: edit.end_line,
            endColumn: edit.end_column,
          },
          insertedContent: { text: wellFormed(edit.text) },
        })),
      },
    ],
  }
}

function properties(finding: Finding): unknown {
  const { id, severity, base_severity, confidence, deterministic, category, language, in_test, zone, agent } = finding
  return {
    id: wellFormed(id),
    severity,
    ...(base_severity !== severity && { base_severity }),
    confidence,
    deterministic,
    category,
    language: wellFormed(language),
    in_test,
    ...(zone && { zone: wellFormed(zone) }),
    ...(agent && { agent: wellFormed(agent) }),
  }
}
