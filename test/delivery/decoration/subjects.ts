import type { Finding, Severity } from '../../../engine/base/records/finding.ts'
import type { Subject } from '../../../engine/delivery/decoration/subject.ts'
import { decide } from '../../../engine/gate/decide.ts'

/** A finding on a line of a file, open where nothing else is said. */
export function finding(line: number, more: Partial<Finding> = {}): Finding {
  const severity: Severity = more.severity ?? 'high'
  return {
    ...{
      id: `f${line}`,
      fingerprint: `fp${line}`,
      rule_id: 'js-eval-dynamic',
      pack_id: 'javascript',
      title: 'Code injection: dynamic eval',
    },
    ...{
      message: 'An attacker can run code.',
      severity,
      base_severity: severity,
      confidence: 1,
      deterministic: true,
      category: 'code' as const,
    },
    ...{
      is_obligation: false,
      file: 'app.js',
      line,
      column: 1,
      end_line: line,
      end_column: 9,
      snippet: `eval(${line})`,
      language: 'javascript',
    },
    ...{
      in_test: false,
      controls: [],
      cwe: [],
      tags: [],
      remediation: 'Do not evaluate input.',
      status: 'open' as const,
    },
    ...more,
  }
}

/** A judged scan with these findings. */
export function subject(findings: Finding[], more: Partial<Subject> = {}): Subject {
  const decision = decide(findings, {
    evaluated: 1,
    failOn: () => ['critical', 'high'],
    root: ['critical', 'high'],
    rating: 'D',
  })
  return {
    ...{ project: 'acme/shop', decision, findings, sha: '2222222222222222222222222222222222222222' },
    run: { id: 'run-1', tool_version: '1.0.0', not_evaluated: [] },
    blocking: findings.filter(({ status, severity }) => status === 'open' && ['critical', 'high'].includes(severity)),
    ...more,
  }
}
