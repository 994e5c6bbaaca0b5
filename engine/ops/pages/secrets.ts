import { type } from 'arktype'
import { FindingType, SeverityType } from '../../base/records/finding-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { showCheck, sortLiveFirst } from '../../secrets/check.ts'
import { ShownCheckType } from '../../secrets/check-schema.ts'
import { readChecks } from '../../secrets/kept-checks.ts'
import { findProvider } from '../../secrets/verify.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { loadBuiltinRules } from '../../sources/packs/load.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { FirstSeenType } from '../../sources/store/run-schema.ts'

/** Findings of secrets on the page; what is past them is counted. */
const MOST = 1000

const Secret = type({
  fingerprint: 'string',
  rule_id: 'string',
  title: 'string',
  severity: SeverityType,
  remediation: type('string').describe('how to revoke it'),
  'first_seen?': FirstSeenType,
  'provider?': type('string').describe('the provider that can be asked whether it is live'),
  'checked?': ShownCheckType.describe('what the provider said last; absent if it was never asked'),
  places: FindingType.pick('id', 'file', 'line', 'snippet', 'status', 'confidence', 'in_test').array(),
})

const Data = type({
  run_id: 'string',
  secrets: Secret.array().describe('live secrets first, then by severity'),
  total: type('number.integer').describe('findings of secrets, each place counted'),
  checks: type("'kept' | 'missing' | 'unreadable'").configure(
    {
      description:
        'kept (results of `svc secrets --verify`), missing (never verified here) or unreadable (altered, or of another user, machine or repository)',
    },
    'self',
  ),
  command: type('string').describe('the command that asks the providers'),
})

/** The secrets of the latest run, each once with all its places. What providers have said adds to them, and removes or lowers none. */
export default defineOperation({
  id: 'pages.secrets',
  summary: 'Return the secrets page: each secret of the latest run with its places.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/secrets',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: sectionType(Data),

  run: (_input, context) =>
    readSection({ reason: 'This repository has not been scanned yet.', command: 'svc scan' }, () =>
      runWithStore(context, async store => {
        const page = await store.findings('latest', { category: 'secret', sort: 'severity', limit: MOST })
        const rows = await store.query(page.run_id, { filter: { category: ['secret'] }, limit: MOST })
        const seen = new Map(rows.findings.map(({ fingerprint, first_seen }) => [fingerprint, first_seen]))
        const rules = new Map(loadBuiltinRules().map(rule => [rule.id, rule]))
        const kept = readChecks(findRepositoryRoot(context.cwd), context.env)
        const now = Date.now()
        const secrets = new Map<string, typeof Secret.infer>()
        for (const { fingerprint, rule_id, title, severity, remediation, ...place } of page.findings) {
          const first_seen = seen.get(fingerprint)
          const check = kept.checks.get(fingerprint)
          const secret = secrets.get(fingerprint) ?? {
            ...{ fingerprint, rule_id, title, severity, remediation, places: [] },
            ...(first_seen && { first_seen }),
            ...(check && { checked: showCheck(check, now) }),
          }
          const provider = findProvider(rules.get(rule_id))
          if (provider) secret.provider ??= provider
          const { id, file, line, snippet, status, confidence, in_test } = place
          secret.places.push({ id, file, line, snippet, status, confidence, in_test })
          secrets.set(fingerprint, secret)
        }
        return {
          run_id: page.run_id,
          secrets: sortLiveFirst([...secrets.values()]),
          total: page.total,
          checks: kept.state,
          command: 'svc secrets --verify',
        }
      }),
    ),

  text: ({ state }) => `secrets: ${state}`,
})
