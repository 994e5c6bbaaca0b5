import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type } from 'arktype'
import { build } from 'esbuild'
import type { FastifyInstance } from 'fastify'
import { createApi } from '../../api/server.ts'
import { EngineError } from '../../engine/base/errors.ts'
import { makeMetrics, makeUnmeasured } from '../../engine/base/records/file-metrics.ts'
import type { Finding } from '../../engine/base/records/finding.ts'
import type { FileRecord } from '../../engine/base/records/run.ts'
import { defineOperation, type Operation } from '../../engine/door/operation.ts'
import organization from '../../engine/ops/assure/org-dashboard.ts'
import runReport from '../../engine/ops/assure/run-report.ts'
import updateConfig from '../../engine/ops/config/update.ts'
import queryFindings from '../../engine/ops/findings/query.ts'
import showFinding from '../../engine/ops/findings/show.ts'
import suppressMany from '../../engine/ops/findings/suppress-many.ts'
import applyFix from '../../engine/ops/fixes/apply.ts'
import freeze from '../../engine/ops/governance/agent-freeze.ts'
import unfreeze from '../../engine/ops/governance/agent-unfreeze.ts'
import approvals from '../../engine/ops/governance/approvals.ts'
import approve from '../../engine/ops/governance/approve.ts'
import rollback from '../../engine/ops/governance/task-rollback.ts'
import agentsPage from '../../engine/ops/pages/agents.ts'
import architecturePage from '../../engine/ops/pages/architecture.ts'
import auditPage from '../../engine/ops/pages/audit.ts'
import compliancePage from '../../engine/ops/pages/compliance.ts'
import configurationPage from '../../engine/ops/pages/configuration.ts'
import dependenciesPage from '../../engine/ops/pages/dependencies.ts'
import evidencePage from '../../engine/ops/pages/evidence.ts'
import filesPage from '../../engine/ops/pages/files.ts'
import overviewPage from '../../engine/ops/pages/overview.ts'
import posturePage from '../../engine/ops/pages/posture.ts'
import providersPage from '../../engine/ops/pages/providers.ts'
import qualityPage from '../../engine/ops/pages/quality.ts'
import requirementsPage from '../../engine/ops/pages/requirements.ts'
import reviewPage from '../../engine/ops/pages/review.ts'
import rulesPage from '../../engine/ops/pages/rules.ts'
import secretsPage from '../../engine/ops/pages/secrets.ts'
import explainRule from '../../engine/ops/rules/explain.ts'
import live from '../../engine/ops/serve/live.ts'
import compareRuns from '../../engine/ops/store/compare.ts'
import showRun from '../../engine/ops/store/run.ts'
import listRuns from '../../engine/ops/store/runs.ts'
import trends from '../../engine/ops/store/trends.ts'
import { writeRun } from '../../engine/sources/store/write.ts'
import { copyStatic, dashboardOptions } from '../../scripts/dashboard.mjs'
import { run } from '../assure/fixture.ts'
import { repository } from '../made/git.ts'
import { manifestOf } from '../surfaces/rows.ts'
import { productModel } from './product.ts'

export interface DashboardServer {
  app: FastifyInstance
  base: string
  cwd: string
  /** The environment of whoever else works in the repository. */
  env: Record<string, string>
  /** Makes the scans that follow stay where they have told their first findings, until what it answers is called. */
  holdScans(): () => void
  close(): Promise<void>
}

let built: Promise<URL> | undefined

/** The dashboard as its sources are now. */
async function buildPages(): Promise<URL> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'))
  await build(dashboardOptions(folder))
  copyStatic(folder)
  return pathToFileURL(`${folder}/`)
}

/** A dashboard over a real store. The scan is played: three steps, and it stores a run of its own. */
export async function startDashboard({
  runs = 0,
  key,
  readOnly,
  files,
}: {
  runs?: number
  key?: string
  readOnly?: boolean
  /** Files of a real git repository; without them there is a folder that only looks like one. */
  files?: Record<string, string>
} = {}): Promise<DashboardServer> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-dashboard-')))
  const cwd = join(home, 'repo')
  if (files) repository(cwd, files)
  else mkdirSync(join(cwd, '.git'), { recursive: true })
  const own = { HOME: home, XDG_STATE_HOME: join(home, 'state') }
  const out = join(cwd, 'out')
  for (let n = 0; n < runs; n++) await storeRun(out, n, runs)
  let held = Promise.resolve()
  const scan = playedScan(out, () => held)
  const operations = [
    ...[listRuns, showRun, trends, compareRuns, queryFindings, showFinding, suppressMany, runReport, live],
    ...[overviewPage, rulesPage, explainRule, scan],
    ...[agentsPage, auditPage, configurationPage, providersPage, organization, approvals, approve, updateConfig],
    ...[freeze, unfreeze, rollback, applyFix],
    ...[compliancePage, dependenciesPage, filesPage, secretsPage, architecturePage, evidencePage, posturePage],
    ...[qualityPage, requirementsPage, reviewPage],
  ]
  const { rows, schemas } = manifestOf(operations as unknown as Operation<never, never>[])
  built ??= buildPages()
  const app = createApi({
    dashboard: await built,
    rows,
    schemas,
    cwd,
    env: { GUARD_RATE_LIMIT_ENABLED: 'false', ...own },
    notice: text => console.error(text),
    host: '127.0.0.1',
    key,
    readOnly,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    base: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    cwd,
    env: own,
    holdScans() {
      let release = () => {}
      held = new Promise(resolve => {
        release = resolve
      })
      return release
    },
    async close() {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

const DAY = 86_400_000
const START = Date.parse('2026-02-02T09:30:00Z')

/** A history in which findings are mended, with one bad day; the last run is the product's own. */
export async function storeRun(out: string, n: number, of: number): Promise<void> {
  const { run: base, findings } = productModel()
  const age = of - 1 - n
  const more = Array.from({ length: age * 3 + (n === of - 4 ? 25 : 0) }, (_, at): Finding => {
    const like = findings[at % findings.length]!
    return {
      ...like,
      id: `${like.id}-${at}`,
      fingerprint: `${like.fingerprint}-${at}`,
      line: 1000 + at,
      status: 'open',
    }
  })
  const all = [...findings, ...more]
  const started = new Date(START + n * DAY)
  const stamp = started.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  await writeRun(
    out,
    {
      ...base,
      ...run(all),
      id: `${stamp}-00000${n % 10}`,
      started_at: started.toISOString(),
      finished_at: new Date(+started + 2500).toISOString(),
      packs_reason: base.packs_reason,
      skipped: base.skipped,
      not_evaluated: base.not_evaluated,
      notices: base.notices,
      to_review: [
        {
          ...{ rule_id: 'check-before-use', title: 'File checked before it is used', severity: 'low', confidence: 0.3 },
          ...{
            findings: 12,
            files: 1,
            places: Array.from({ length: 11 }, (_, at) => ({ file: 'src/<b>.py', line: at + 1 })),
          },
        },
      ],
      counts: { ...run(all).counts, skipped: { binary: 38, undecodable: 1, too_large: 1 } },
      score: Math.max(20, 87.46 - more.length * 0.4),
    },
    all,
    filesOf(findings),
  )
}

/** The files that have findings, as a scan would have measured them; of one that is no program, nothing but its size. */
function filesOf(findings: readonly Finding[]): FileRecord[] {
  return [...new Set(findings.map(({ file }) => file))].map((path, at) => ({
    ...(at === 0 ? makeUnmeasured() : makeMetrics(() => 10 + at)),
    ...{ path, language: path.split('.').at(-1)!, bytes: 900 + at * 40, lines: 30 + at * 4 },
    findings: findings.filter(({ file }) => file === path).length,
  }))
}

function playedScan(out: string, held: () => Promise<void>) {
  return defineOperation({
    id: 'scan.stream',
    summary: 'Scan.',
    effect: 'write',
    cli: null,
    rest: 'POST /api/run-scan-stream',
    mcp: null,
    streams: true,
    input: type({ '+': 'reject' }),
    output: type({ run_id: 'string', total: 'number' }),
    async run(_, { emit, signal, cwd }) {
      if (cwd.includes('broken')) throw new EngineError('CONFIG_INVALID', 'There is no key foo.')
      const { run: last, findings } = productModel()
      const aborted = once(signal, 'abort').then(() => signal.throwIfAborted())
      // Where it is aborted, that is told by whatever step it is at.
      aborted.catch(() => {})
      emit({ type: 'started', run_id: 'new', files: 412 })
      for (const [step, done] of [100, 250, 412].entries()) {
        for (const finding of findings.slice(step * 15, step * 15 + 15)) emit({ type: 'finding', finding })
        emit({
          type: 'progress',
          progress: { phase: 'scan', done, total: 412, bytes: done * 3100, findings: step * 15 + 15 },
        })
        await setTimeout(50, undefined, { signal })
        await Promise.race([held(), aborted])
      }
      const started_at = new Date().toISOString()
      const id = `${started_at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-abcdef`
      await writeRun(out, { ...last, ...run(findings), id, started_at }, findings, [])
      return { run_id: id, total: findings.length }
    },
    text: () => '',
  })
}
