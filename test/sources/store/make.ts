import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeMetrics } from '../../../engine/base/records/file-metrics.ts'
import type { Finding } from '../../../engine/base/records/finding.ts'
import { countBySeverity } from '../../../engine/base/records/finding.ts'
import type { FileRecord, Run } from '../../../engine/base/records/run.ts'

/** A finding with every required field; `n` makes it distinct. */
export function finding(n: number, over: Partial<Finding> = {}): Finding {
  return {
    id: `F-${n}`,
    fingerprint: `fp-${n}`,
    rule_id: 'py-eval',
    pack_id: 'python-security',
    title: 'Text is run as code',
    message: 'Whoever controls the text controls the program.',
    severity: 'high',
    base_severity: 'high',
    confidence: 1,
    deterministic: true,
    category: 'code',
    is_obligation: false,
    file: `src/f${String(n).padStart(6, '0')}.py`,
    line: 3,
    column: 5,
    end_line: 3,
    end_column: 12,
    snippet: 'eval(x)',
    language: 'python',
    in_test: false,
    controls: [{ framework: 'owasp-top-10', control: 'A03:2021' }],
    cwe: ['CWE-95'],
    tags: ['injection'],
    remediation: 'Use ast.literal_eval.',
    status: 'open',
    ...over,
  }
}

/** The run that found these. */
export function run(id: string, findings: readonly Finding[], over: Partial<Run> = {}): Run {
  const open = findings.filter(({ status }) => status === 'open')
  return {
    id,
    started_at: `2025-01-01T00:00:${id.slice(-2)}.000Z`,
    finished_at: `2025-01-01T00:01:${id.slice(-2)}.000Z`,
    duration_ms: 60_000,
    tool_version: '0.1.0',
    root_name: 'project',
    scope: 'everything',
    packs: [{ id: 'python-security', version: '1.0.0', rules: 12 }],
    packs_reason: 'Python was found.',
    counts: {
      files: 2,
      bytes: 100,
      lines: 10,
      skipped: { binary: 1 },
      languages: { python: 2 },
      rules: 12,
      findings: findings.length,
      open: open.length,
      suppressed: findings.filter(({ status }) => status === 'suppressed').length,
      baseline: findings.filter(({ status }) => status === 'baseline').length,
      by_severity: countBySeverity(open),
    },
    skipped: [{ path: 'logo.png', reason: 'binary' }],
    not_evaluated: [],
    notices: [],
    cache: { hits: 0, misses: 2 },
    ...over,
  }
}

export function file(path: string): FileRecord {
  return { path, language: 'python', bytes: 50, ...makeMetrics(() => 1), lines: 5, longest_line: 20, findings: 1 }
}

/** An out folder in a new temporary folder that goes away with the test; `name` is the repository folder's name. */
export async function outFolder(name = 'project'): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'svc-store-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  return join(base, name, 'out')
}
