import type { ReportModel, ReportRule } from '../../engine/assure/report.ts'
import type { Finding, FindingStatus, Severity } from '../../engine/base/records/finding.ts'
import type { Run } from '../../engine/base/records/run.ts'

/** A rule with every field set. */
export function rule(id: string, over: Partial<ReportRule> = {}): ReportRule {
  return {
    id,
    pack_id: 'javascript',
    title: 'User input reaches eval',
    message: 'Whoever controls the text runs code in this process.',
    severity: 'critical',
    remediation: 'Parse the text as data:\n\n```js\nconst value = JSON.parse(text)\n```',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html'],
    cwe: ['CWE-95'],
    tags: ['injection'],
    controls: [{ framework: 'owasp-top-10', control: 'A03:2021' }],
    category: 'code',
    type: 'ast',
    ...over,
  }
}

/** An open finding of the rule. */
export function finding(of: ReportRule, file: string, line: number, over: Partial<Finding> = {}): Finding {
  return {
    id: `F-${of.id}-${file}-${line}`,
    fingerprint: `${of.id}:${file}:${line}`,
    rule_id: of.id,
    pack_id: of.pack_id,
    title: of.title,
    message: of.message,
    severity: of.severity,
    base_severity: of.severity,
    confidence: 1,
    deterministic: true,
    category: of.category ?? 'code',
    is_obligation: false,
    file,
    line,
    column: 3,
    end_line: line,
    end_column: 13,
    snippet: '  eval(body) // now',
    language: 'javascript',
    in_test: false,
    controls: [...of.controls],
    cwe: [...of.cwe],
    tags: [...of.tags],
    remediation: of.remediation,
    status: 'open',
    ...over,
  }
}

/** A run of these findings; what it skipped and did not evaluate is given by the test. */
export function run(findings: readonly Finding[], over: Partial<Run> = {}): Run {
  const open = findings.filter(each => each.status === 'open')
  const of = (status: FindingStatus) => findings.filter(each => each.status === status).length
  const severity = (wanted: Severity) => open.filter(each => each.severity === wanted).length
  return {
    id: '20260304T050607Z-1a2b3c',
    started_at: '2026-03-04T05:06:07.000Z',
    finished_at: '2026-03-04T05:06:09.500Z',
    duration_ms: 2500,
    tool_version: '0.1.0',
    root_name: 'storefront',
    git_sha: '0123456789abcdef0123456789abcdef01234567',
    branch: 'main',
    scope: 'everything',
    packs: [{ id: 'javascript', version: '1.0.0', rules: 12 }],
    packs_reason: 'JavaScript and Python were found.',
    counts: {
      files: 412,
      bytes: 1_300_000,
      lines: 48_210,
      skipped: {},
      languages: { javascript: 300, python: 112 },
      rules: 64,
      findings: findings.length,
      open: open.length,
      suppressed: of('suppressed'),
      baseline: of('baseline'),
      by_severity: {
        critical: severity('critical'),
        high: severity('high'),
        medium: severity('medium'),
        low: severity('low'),
        info: severity('info'),
      },
    },
    skipped: [],
    not_evaluated: [],
    notices: [],
    cache: { hits: 400, misses: 12 },
    rating: open.some(({ severity }) => severity === 'critical') ? 'E' : 'D',
    score: 87.46,
    ...over,
  }
}

/** A model of these findings and rules. */
export function model(
  findings: readonly Finding[],
  rules: readonly ReportRule[],
  over: Partial<Run> = {},
): ReportModel {
  return {
    run: run(findings, over),
    findings,
    rules: new Map(rules.map(each => [each.id, each])),
    frameworks: new Map([['owasp-top-10', { name: 'OWASP Top 10', version: '2021' }]]),
  }
}

/** What a hostile repository puts into file names, code and comments. */
export const HOSTILE = [
  '</script><script>window.hacked=1</script>',
  '<!--<script>',
  '"><img src=x onerror=window.hacked=1>',
  "javascript:window.hacked=1//'",
  ']]> & \u0000\u0001\u001b[31m \uFFFE \uD800 \u202Egnp.exe',
  'a\nb\r\nc\td',
  '=HYPERLINK("https://example.org","x")',
  '@someone #12 [x](https://example.org) `code` ``two`` | cell <b>bold</b> www.example.org',
] as const

/** Findings, skipped files and rules whose every text is hostile. */
export function hostileModel(): ReportModel {
  const rules = HOSTILE.map((text, index) =>
    rule(`hostile-${index}`, {
      title: text,
      message: text,
      remediation: text,
      references: [text, `https://example.org/${text}`],
      cwe: index === 0 ? [text] : ['CWE-79'],
      tags: [text],
      controls: [{ framework: text, control: text }],
    }),
  )
  const findings = rules.flatMap((each, index) => [
    finding(each, `src/${HOSTILE[index]}.js`, 1, { snippet: HOSTILE[index]!, fix: { edits: [edit(HOSTILE[index]!)] } }),
    finding(each, `src/${HOSTILE[index]}.js`, 9, {
      status: 'suppressed',
      suppression: { kind: 'inline', reason: HOSTILE[index]!, approved_by: HOSTILE[index]!, expires: '2027-01-01' },
    }),
  ])
  return model(findings, rules, {
    root_name: HOSTILE[0],
    branch: HOSTILE[2],
    packs_reason: HOSTILE[1],
    skipped: HOSTILE.map(path => ({ path, reason: 'binary', detail: path })),
    not_evaluated: HOSTILE.map(text => ({ rule_id: text, file: text, reason: 'timed_out', detail: text })),
    notices: HOSTILE.map(text => ({ kind: 'suppression_unused', file: text, line: 3, detail: text })),
  })
}

function edit(text: string) {
  return { start_line: 1, start_column: 1, end_line: 1, end_column: 2, text }
}
