import type { Finding, FlowStep, Suppression } from '../../../base/records/finding.ts'
import { encodePath } from '../../../base/text/path-name.ts'
import { replaceLoneSurrogates } from '../../../base/text/visible.ts'
import { joinSome, LEVELS } from './rules.ts'
import type { Taxonomies } from './taxonomies.ts'

/** A finding as run.results holds it (SARIF 2.1.0, 3.27). `hasBaseline`: other findings of the run are held by one. */
export function toSarifResult(
  finding: Finding,
  ruleIndex: number,
  taxonomies: Taxonomies,
  hasBaseline: boolean,
): unknown {
  const taxa = taxonomies.of(finding)
  const baseline = baselineState(finding, hasBaseline)
  return {
    ruleId: replaceLoneSurrogates(finding.rule_id),
    ruleIndex,
    level: LEVELS[finding.severity],
    message: { text: joinSome(finding.message, finding.title, finding.rule_id) },
    locations: [{ physicalLocation: { artifactLocation: toArtifactLocation(finding.file), ...regions(finding) } }],
    partialFingerprints: { 'svcFingerprint/v1': replaceLoneSurrogates(finding.fingerprint) },
    ...(finding.suppression && { suppressions: [suppression(finding.suppression)] }),
    ...(baseline && { baselineState: baseline }),
    ...(finding.fix && finding.fix.edits.length > 0 && { fixes: [fix(finding, finding.fix.edits)] }),
    ...(finding.flow && finding.flow.length > 0 && { codeFlows: [codeFlow(finding.flow)] }),
    ...(taxa.length > 0 && { taxa }),
    properties: properties(finding),
  }
}

/** A file of the repository, relative to its root. */
export function toArtifactLocation(path: string): { uri: string; uriBaseId: string } {
  return { uri: toUri(path), uriBaseId: '%SRCROOT%' }
}

/** The path as a relative URI reference (RFC 3986), the bytes of its name percent-encoded. An empty path is the root itself. */
export function toUri(path: string): string {
  if (/^[A-Za-z0-9._~/-]+$/.test(path)) return path
  let uri = ''
  for (const byte of encodePath(path)) {
    const character = String.fromCharCode(byte)
    uri += /[A-Za-z0-9._~/-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return uri || '.'
}

/** What matched and the lines it stands in (3.29.4, 3.29.5); the snippet holds the first lines of a long match. */
function regions(finding: Finding): { region: unknown; contextRegion?: unknown } {
  const startLine = Math.max(1, finding.line)
  const startColumn = Math.max(1, finding.column)
  const endLine = Math.max(startLine, finding.end_line)
  const endColumn = Math.max(endLine === startLine ? startColumn : 1, finding.end_column)
  const region = { startLine, startColumn, endLine, endColumn }
  if (finding.snippet === '') return { region }
  const lines = finding.snippet.split('\n')
  const last = endLine - startLine
  if (lines[last] !== undefined) lines[last] = lines[last].slice(0, endColumn - 1)
  lines[0] = lines[0]!.slice(startColumn - 1)
  return {
    region: { ...region, snippet: { text: replaceLoneSurrogates(lines.join('\n')) } },
    contextRegion: { startLine, endLine, snippet: { text: replaceLoneSurrogates(finding.snippet) } },
  }
}

/** The way of input to the finding's place, as a thread flow (3.36, 3.37). */
function codeFlow(flow: readonly FlowStep[]): unknown {
  return {
    threadFlows: [
      {
        locations: flow.map(({ file, line, column, end_line, end_column, label }) => ({
          location: {
            physicalLocation: {
              artifactLocation: toArtifactLocation(file),
              region: { startLine: line, startColumn: column, endLine: end_line, endColumn: end_column },
            },
            message: { text: joinSome(label, 'passes here') },
          },
        })),
      },
    ],
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
    justification: replaceLoneSurrogates(reason),
    ...((expires || approved_by) && {
      properties: {
        ...(expires && { expires }),
        ...(approved_by && { approved_by: replaceLoneSurrogates(approved_by) }),
      },
    }),
  }
}

function fix(finding: Finding, edits: NonNullable<Finding['fix']>['edits']): unknown {
  return {
    description: { text: joinSome(finding.remediation, finding.title, finding.rule_id) },
    artifactChanges: [
      {
        artifactLocation: toArtifactLocation(finding.file),
        replacements: edits.map(edit => ({
          deletedRegion: {
            startLine: edit.start_line,
            startColumn: edit.start_column,
            endLine: edit.end_line,
            endColumn: edit.end_column,
          },
          insertedContent: { text: replaceLoneSurrogates(edit.text) },
        })),
      },
    ],
  }
}

function properties(finding: Finding): unknown {
  const {
    id,
    severity,
    base_severity,
    confidence,
    deterministic,
    category,
    also,
    language,
    in_test,
    file_class,
    zone,
    agent,
  } = finding
  return {
    id: replaceLoneSurrogates(id),
    severity,
    ...(base_severity !== severity && { base_severity }),
    confidence,
    deterministic,
    category,
    ...(also && { also: also.map(replaceLoneSurrogates) }),
    language: replaceLoneSurrogates(language),
    in_test,
    ...(file_class && { file_class }),
    ...(zone && { zone: replaceLoneSurrogates(zone) }),
    ...(agent && { agent: replaceLoneSurrogates(agent) }),
  }
}
