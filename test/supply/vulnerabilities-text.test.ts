import { expect, test } from 'vitest'
import { formatVulnerabilities } from '../../engine/supply/advisories/text.ts'
import type { NotEvaluatedPackages, VulnerabilityReport } from '../../engine/supply/advisories/vulnerability.ts'
import { view } from '../made/call.ts'

/** A report of nine dependencies of which the API told nothing, for this reason. */
const unknown = (reason: NotEvaluatedPackages['reason'], detail: string): VulnerabilityReport => ({
  generated_at: '2026-01-01T00:00:00Z',
  vulnerable_count: 0,
  total_dependencies: 9,
  evaluated: 0,
  by_severity: { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 },
  vulnerabilities: [],
  not_evaluated: [{ reason, detail, count: 9, packages: ['express@4.17.1 (npm)'] }],
  unread_manifests: [],
  manifests: 1,
  source: { kind: 'api', location: 'https://api.osv.dev', as_of: '', stale: 0, faults: [] },
  notices: [],
})

test('an API that gave no answer is named, and no dependency is said to lack a version', () => {
  const text = formatVulnerabilities(unknown('source_failed', 'ENOTFOUND: getaddrinfo ENOTFOUND api.osv.dev'), view)
  expect(text).toContain('https://api.osv.dev gave no answer')
  expect(text).not.toContain('no dependency has a known version')
})

test('where no dependency was evaluated, nothing is said to have no vulnerabilities', () => {
  const text = formatVulnerabilities(unknown('no_version', 'no lock file says the version'), view)
  expect(text).toContain('Vulnerabilities are not known: none of 9 dependencies was evaluated.')
  expect(text).not.toContain('No known vulnerabilities')
  expect(text).toContain('no dependency has a known version')
})
