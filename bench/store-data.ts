import { makeMetrics } from '../engine/base/records/file-metrics.ts'
import type { Finding } from '../engine/base/records/finding.ts'
import { countBySeverity, SEVERITIES } from '../engine/base/records/finding.ts'
import type { FileRecord, Run } from '../engine/base/records/run.ts'
import { makeRunId } from '../engine/sources/store/run-id.ts'

/** Findings as a scan gives them, about 1 KB each. Run `shift` shares all but 500 with the run before: most findings stay. */
export function makeFindings(count: number, shift: number): Finding[] {
  // Through JSON, so that every text is flat memory as a scanner's would be, and no tree of concatenations.
  return Array.from({ length: count }, (_, i) => JSON.parse(JSON.stringify(makeFinding(i + shift * 500))) as Finding)
}

function makeFinding(n: number): Finding {
  const severity = SEVERITIES[(n * 7) % 5]!
  const suppressed = n % 23 === 0
  return {
    id: `F-${n.toString(16).padStart(12, '0')}`,
    fingerprint: Math.imul(n, 2_654_435_761).toString(16).replace('-', 'f').padStart(8, '0').repeat(4),
    rule_id: `python-sql-injection-${n % 150}`,
    pack_id: 'python-security',
    title: `SQL text is built from a value (${n % 150})`,
    message: 'Whoever controls the value can read and change every row that the connection may touch.',
    severity,
    base_severity: severity,
    confidence: [1, 0.7, 0.5, 0.4][n % 4]!,
    deterministic: n % 4 === 0,
    category: 'code',
    is_obligation: false,
    file: `src/module_${String(Math.floor(n / 6)).padStart(7, '0')}/handlers.py`,
    line: (n % 6) * 40 + 1,
    column: 5,
    end_line: (n % 6) * 40 + 1,
    end_column: 66,
    snippet: `    cursor.execute("SELECT * FROM account WHERE id = '" + value_${n} + "'")`,
    language: 'python',
    in_test: n % 4 === 1,
    controls: [
      { framework: 'owasp-top-10-2021', control: 'A03:2021' },
      { framework: 'pci-dss-4.0', control: '6.2.4' },
    ],
    cwe: ['CWE-89'],
    tags: ['injection', 'sql'],
    remediation: 'Give the value as a parameter: cursor.execute("SELECT * FROM account WHERE id = %s", (value,)).',
    status: suppressed ? 'suppressed' : 'open',
    ...(suppressed && { suppression: { kind: 'inline', reason: 'the value is a constant' } as const }),
  }
}

export function makeFiles(count: number): FileRecord[] {
  return Array.from({ length: count }, (_, n) => ({
    path: `src/module_${String(n).padStart(7, '0')}/handlers.py`,
    language: 'python',
    bytes: 4000 + ((n * 37) % 9000),
    ...makeMetrics(() => n % 40),
    lines: 100 + (n % 400),
    longest_line: 60 + (n % 60),
    findings: n % 3,
  }))
}

/** The record of the n-th run, a day after the one before. */
export function makeRun(n: number, findings: readonly Finding[]): Run {
  const at = new Date(Date.UTC(2025, 0, 1 + n))
  const open = findings.filter(({ status }) => status === 'open')
  return {
    id: makeRunId(at),
    started_at: at.toISOString(),
    finished_at: at.toISOString(),
    duration_ms: 12_000,
    tool_version: '0.1.0',
    root_name: 'bench',
    scope: 'everything',
    packs: [{ id: 'python-security', version: '1.0.0', rules: 150 }],
    packs_reason: 'Python was found.',
    counts: {
      files: 4000,
      bytes: 30_000_000,
      lines: 900_000,
      skipped: {},
      languages: { python: 4000 },
      rules: 150,
      findings: findings.length,
      open: open.length,
      suppressed: findings.length - open.length,
      baseline: 0,
      by_severity: countBySeverity(open),
    },
    skipped: [],
    not_evaluated: [],
    notices: [],
    cache: { hits: 0, misses: 4000 },
    score: 60 + (n % 20),
  }
}
