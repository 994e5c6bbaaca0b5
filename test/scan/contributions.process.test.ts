import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/base/records/finding.ts'
import external from '../../engine/external/contributor.ts'
import type { Contributor } from '../../engine/findings/contribution.ts'
import { findContributors, isContributorRule, startContributors } from '../../engine/scan/contributions.ts'
import { CONTRIBUTORS } from '../../engine/scan/contributors.gen.ts'
import { scan } from '../../engine/scan/scan.ts'
import { loadConfig } from '../../engine/sources/config/load.ts'
import { context } from '../made/call.ts'
import { repository } from '../made/project.ts'

/** A contributor that finds one thing in one file. */
function contributor(more: Partial<Contributor> = {}): Contributor {
  return {
    name: 'demo',
    asksForEveryFile: false,
    needsCheckout: () => false,
    applies: () => true,
    run: async ({ listing }) => ({
      findings: listing.files.filter(({ path }) => path === 'a.py').map(({ path }) => finding(path)),
      notEvaluated: [{ rule_id: 'demo:other', reason: 'scanner_failed', detail: 'not there' }],
      notices: [{ kind: 'external_not_run', file: 'a.py', detail: 'Looked at one file.' }],
    }),
    ...more,
  }
}

function finding(file: string): Finding {
  const at = { line: 1, column: 1, end_line: 1, end_column: 1 }
  const rule = { rule_id: 'demo:dated', pack_id: 'demo', title: 'Dated', message: 'Old.', remediation: 'Renew it.' }
  const kind = { severity: 'high', base_severity: 'high', category: 'dependency', language: 'python' } as const
  const rest = { confidence: 1, deterministic: true, is_obligation: false, in_test: false, status: 'open' } as const
  return {
    ...{ id: 'F-0', fingerprint: 'f'.repeat(32), file, snippet: 'x', controls: [], cwe: [], tags: [] },
    ...{ ...at, ...rule, ...kind, ...rest },
  }
}

async function scanWith(contributors: readonly Contributor[], signal = new AbortController().signal) {
  const root = repository({ 'a.py': 'x = 1\n', 'b.py': 'y = 2\n' })
  const config = await loadConfig(root)
  const files = ['a.py', 'b.py'].map(path => ({ path, size: 6, language: 'python', in_test: false }))
  const listing = { root, kind: 'git' as const, files, skipped: [] }
  const own = { ...context(root), signal }
  const selectFiles = (wants: (path: string) => boolean) => files.filter(({ path }) => wants(path))
  const request = { config, listing, selectFiles, scope: 'everything', dry_run: true }
  const contributing = startContributors(findContributors(config, {}, [], contributors), request, own)
  const contributions = contributing?.contributions
  return scan({ ...request, suppressions: [], contributions, jobs: 1, now: () => new Date() } as never, own)
}

describe('a contributor', () => {
  test("has its findings, gaps and notices in the scan's result like those of rules", async () => {
    const { findings, run } = await scanWith([contributor()])
    expect(findings.map(({ rule_id, file, status }) => [rule_id, file, status])).toEqual([
      ['demo:dated', 'a.py', 'open'],
    ])
    expect(run.counts.by_severity.high).toBe(1)
    expect(run.not_evaluated).toContainEqual({ rule_id: 'demo:other', reason: 'scanner_failed', detail: 'not there' })
    expect(run.notices).toContainEqual({ kind: 'external_not_run', file: 'a.py', detail: 'Looked at one file.' })
  })

  test('that fails is not evaluated, and fails nothing else', async () => {
    const broken = contributor({ name: 'broken', run: () => Promise.reject(new Error('no database')) })
    const { findings, run } = await scanWith([broken, contributor()])
    expect(findings).toHaveLength(1)
    expect(run.not_evaluated).toContainEqual({ rule_id: 'broken:*', reason: 'scanner_failed', detail: 'no database' })
  })

  test('is interrupted with the scan', async () => {
    const ending = new AbortController()
    const waiting = contributor({
      run: (_, { signal }) =>
        new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason), { once: true })),
    })
    const scanned = scanWith([waiting], ending.signal)
    setImmediate(() => ending.abort())
    await expect(scanned).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('that does not apply, or that the caller does without, is not asked', async () => {
    const config = await loadConfig(repository())
    expect(findContributors(config, {}, [], [contributor({ applies: () => false })])).toEqual([])
    expect(findContributors(config, {}, ['demo'], [contributor()])).toEqual([])
  })
})

test('a rule id with the name of a contributor is known: it can be suppressed, and stays in the baseline', () => {
  expect(isContributorRule('demo:dated', [contributor()])).toBe(true)
  for (const id of ['dated', 'other:dated', ':dated', 'demo'])
    expect(isContributorRule(id, [contributor()])).toBe(false)
})

test('other scanners are a contributor, and nothing is loaded for them where none is configured', async () => {
  expect(CONTRIBUTORS).toContain(external)
  expect(external.applies(await loadConfig(repository()), {})).toBe(false)
})
