import type { ReportModel } from '../../engine/assure/report.ts'
import type { Finding } from '../../engine/base/records/finding.ts'
import { finding, model, rule } from '../assure/fixture.ts'

/** A run as a team would see it: six rules, three languages, all statuses, things skipped and not evaluated. */
export function productModel(): ReportModel {
  const evaluation = rule('js-eval-of-input')
  const sql = rule('py-sql-concatenation', {
    pack_id: 'python',
    title: 'SQL statement built from text',
    message: 'A value that holds SQL changes the statement, so an attacker reads or alters any row.',
    severity: 'high',
    remediation:
      'Pass values as parameters:\n\n```python\ncursor.execute("SELECT * FROM users WHERE id = %s", (user_id,))\n```',
    cwe: ['CWE-89'],
  })
  const hash = rule('py-weak-hash', {
    pack_id: 'python',
    title: 'Password hashed with MD5',
    message: 'MD5 is computed billions of times a second, so stolen hashes are reversed.',
    severity: 'medium',
    remediation: 'Use `hashlib.scrypt`:\n\n    key = hashlib.scrypt(password, salt=salt, n=2**14, r=8, p=1)',
    cwe: ['CWE-327', 'CWE-916'],
    controls: [
      { framework: 'owasp-top-10', control: 'A02:2021' },
      { framework: 'pci-dss', control: '8.3.2' },
    ],
  })
  const tls = rule('go-tls-skip-verify', {
    pack_id: 'go',
    title: 'TLS certificate is not checked',
    message: 'Anybody on the path can read and change the traffic.',
    severity: 'high',
    remediation: 'Leave `InsecureSkipVerify` out, and give the client the private CA in `RootCAs`.',
    cwe: ['CWE-295'],
  })
  const todo = rule('any-security-todo', {
    pack_id: 'generic',
    title: 'A comment postpones a security check',
    message: 'What was postponed is often forgotten.',
    severity: 'low',
    remediation: 'Do it, or write an issue and name it.',
    cwe: [],
    controls: [],
    references: [],
    type: 'regex',
  })
  const findings: Finding[] = [
    finding(evaluation, 'web/src/routes/preview.js', 41, {
      snippet: '  const render = eval(request.body.template)',
      column: 18,
      end_column: 45,
      fix: {
        edits: [
          { start_line: 41, start_column: 18, end_line: 41, end_column: 45, text: 'compile(request.body.template)' },
        ],
      },
    }),
    finding(evaluation, 'web/src/console.js', 7, {
      snippet: '  eval(body) // now',
      in_test: false,
      zone: 'auth',
      base_severity: 'high',
    }),
    finding(sql, 'services/orders/db.py', 118, {
      language: 'python',
      snippet: '    cursor.execute(\n        "SELECT * FROM orders WHERE customer = \'" + name + "\'"\n    )',
      column: 5,
      end_line: 120,
      end_column: 6,
    }),
    ...[12, 77, 140].map(line =>
      finding(sql, 'services/users/queries.py', line, {
        language: 'python',
        snippet: '    return db.query("DELETE FROM sessions WHERE id = " + session_id)',
        column: 12,
        end_column: 69,
      }),
    ),
    finding(tls, 'cmd/proxy/client.go', 33, {
      language: 'go',
      snippet: '\t\tInsecureSkipVerify: true,',
      column: 3,
      end_column: 27,
    }),
    finding(hash, 'services/users/tests/test_login.py', 15, {
      language: 'python',
      in_test: true,
      confidence: 0.7,
      snippet: '    digest = hashlib.md5(password).hexdigest()',
      column: 14,
      end_column: 35,
    }),
    finding(hash, 'services/users/login.py', 52, {
      language: 'python',
      status: 'suppressed',
      suppression: { kind: 'inline', reason: 'only a cache key', approved_by: 'dana' },
      snippet: '    key = hashlib.md5(path).hexdigest()',
      column: 11,
      end_column: 28,
    }),
    finding(hash, 'services/legacy/auth.py', 8, {
      language: 'python',
      status: 'baseline',
      snippet: '    h = hashlib.md5(p)',
    }),
    ...Array.from({ length: 34 }, (_, index) =>
      finding(todo, `web/src/pages/page-${String(index).padStart(2, '0')}.js`, index + 3, {
        confidence: 0.5,
        snippet: '// TODO: check the token here',
        column: 1,
        end_column: 30,
      }),
    ),
  ]
  return model(findings, [evaluation, sql, hash, tls, todo], {
    packs: ['generic', 'go', 'javascript', 'python', 'secrets'].map((id, index) => ({
      id,
      version: '1.2.0',
      rules: 8 + index * 5,
    })),
    packs_reason: 'JavaScript, Python and Go were found; OWASP Top 10 and secrets are always on.',
    skipped: [
      ...Array.from({ length: 38 }, (_, index) => ({ path: `web/public/img-${index}.png`, reason: 'binary' as const })),
      { path: 'web/public/vendor.js', reason: 'undecodable' },
      { path: 'data/dump.sql', reason: 'too_large', detail: '18 MB; the limit is 5 MB' },
    ],
    not_evaluated: [
      { rule_id: 'cobol-open-dataset', reason: 'no_grammar', detail: 'cobol' },
      { rule_id: 'js-eval-of-input', file: 'web/src/generated/schema.js', reason: 'timed_out', detail: '2 s' },
    ],
    notices: [
      {
        kind: 'suppression_expired',
        file: '.svc/suppressions.yaml',
        line: 12,
        detail: 'py-weak-hash for services/legacy/** expired on 2026-01-31.',
      },
    ],
  })
}
