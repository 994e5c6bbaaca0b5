import type { Finding, FindingStatus, Severity } from '../base/records/finding.ts'
import { rankSeverity } from '../base/records/finding.ts'
import type { ShownCheck } from './check.ts'

/** What a provider said of a credential: it works, it does not, or neither could be found out. */
export type Liveness = 'live' | 'dead' | 'unknown'

/** Where a secret stands. */
export interface Place {
  file: string
  line: number
  column: number
  end_line: number
  end_column: number
  /** The lines, the secret masked. */
  snippet: string
  rule_id: string
  /** Ids of the less specific rules that report it too. */
  also?: string[]
  confidence: number
  status: FindingStatus
  /** Why it is held to be a secret, where that was asked for. */
  reasons?: string
  /** How the value is written where that is not as it is: `encoded: base64`, `written as: parts`. */
  written?: string
  /** Of a history: the commit that brought it to this file, who wrote that, and when (ISO 8601). */
  commit?: string
  author?: string
  date?: string
}

/** One credential, however often it stands somewhere. */
export interface Secret {
  /** The keyed hash of its value (engine/detect/secrets/identity.ts). */
  id: string
  /** The most specific of the rules that report its locations. */
  rule_id: string
  /** Ids of the others. */
  also?: string[]
  title: string
  severity: Severity
  confidence: number
  /** At most the first and last four characters; nothing of a short one. */
  masked: string
  /** Open where any of its places is. */
  status: FindingStatus
  remediation: string
  places: Place[]
  /** Of a history: whether the value still stands in a file of the commit checked out. */
  at_head?: boolean
  /** What this run was told; there where providers were asked. */
  liveness?: Liveness
  /** The provider that can be asked, where there is one. */
  provider?: string
  /** What providers have said before, or now; absent where nobody has asked. */
  checked?: ShownCheck
}

/** A finding with what only a history knows of it. */
export type Found = Finding & Pick<Place, 'commit' | 'author' | 'date'> & { at_head?: boolean }

const STATUS_ORDER: readonly FindingStatus[] = ['open', 'baseline', 'suppressed']

/** The findings' secrets: worst, then surest first; the places of each in the findings' order. */
export function listSecrets(findings: readonly Found[]): Secret[] {
  const byId = new Map<string, Secret>()
  for (const finding of findings) {
    const place = placeOf(finding)
    const known = byId.get(finding.fingerprint)
    if (!known) {
      byId.set(finding.fingerprint, {
        id: finding.fingerprint,
        rule_id: finding.rule_id,
        title: finding.title,
        severity: finding.severity,
        confidence: finding.confidence,
        masked: maskedOf(finding),
        status: finding.status,
        remediation: finding.remediation,
        places: [place],
        ...(finding.at_head !== undefined && { at_head: finding.at_head }),
      })
      continue
    }
    known.places.push(place)
    const isNamedBetter = isGeneric(known.rule_id) && !isGeneric(finding.rule_id)
    if (isNamedBetter) {
      const { rule_id, title, remediation, severity } = finding
      Object.assign(known, { rule_id, title, remediation, severity })
    } else if (
      isGeneric(known.rule_id) === isGeneric(finding.rule_id) &&
      rankSeverity(finding.severity) < rankSeverity(known.severity)
    )
      known.severity = finding.severity
    known.confidence = Math.max(known.confidence, finding.confidence)
    if (STATUS_ORDER.indexOf(finding.status) < STATUS_ORDER.indexOf(known.status)) known.status = finding.status
    if (finding.at_head) known.at_head = true
  }
  for (const secret of byId.values()) {
    const ids = secret.places.flatMap(({ rule_id, also = [] }) => [rule_id, ...also])
    const also = [...new Set(ids)].filter(id => id !== secret.rule_id)
    if (also.length > 0) secret.also = also
  }
  return [...byId.values()].sort(
    (a, b) =>
      rankSeverity(a.severity) - rankSeverity(b.severity) ||
      b.confidence - a.confidence ||
      (a.places[0]!.file < b.places[0]!.file ? -1 : a.places[0]!.file > b.places[0]!.file ? 1 : 0) ||
      a.places[0]!.line - b.places[0]!.line ||
      (a.id < b.id ? -1 : 1),
  )
}

/** Whether a rule reports values by what stands around them, and knows no provider. */
function isGeneric(rule_id: string): boolean {
  return rule_id.startsWith('secret-generic-')
}

function placeOf(finding: Found): Place {
  const { file, line, column, end_line, end_column, snippet, rule_id, also, confidence, status } = finding
  const { commit, author, date } = finding
  const place: Place = {
    file,
    line,
    column,
    end_line,
    end_column,
    snippet,
    rule_id,
    ...(also && { also }),
    confidence,
    status,
  }
  const written = /\(((?:encoded|written as): \w+)(?:; model: .*)?\)$/.exec(finding.message)?.[1]
  if (written !== undefined) place.written = written
  const reasons = /\((?:[\w ]+: \w+; )?(model: .*)\)$/.exec(finding.message)?.[1]
  if (reasons !== undefined) place.reasons = reasons
  if (commit !== undefined) Object.assign(place, { commit, author, date })
  return place
}

/** What of the value may be shown: what the masked snippet shows of it. */
function maskedOf({ snippet, line, column, end_line, end_column }: Finding): string {
  const [first = ''] = snippet.split('\n')
  const shown = first.slice(column - 1, line === end_line ? end_column - 1 : undefined).replace(/…$/, '')
  return shown === '' ? '********' : shown.length > 24 ? `${shown.slice(0, 4)}…${shown.slice(-4)}` : shown
}
