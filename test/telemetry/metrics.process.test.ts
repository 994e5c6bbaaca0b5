import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../engine/door/schemas.ts'
import { openFolderObjects } from '../../engine/fleet/store/folder-objects.ts'
import { putLatest } from '../../engine/fleet/store/latest.ts'
import { writeRun } from '../../engine/sources/store/write.ts'
import { formatExposition } from '../../engine/telemetry/exposition.ts'
import { readFleetFigures } from '../../engine/telemetry/fleet.ts'
import { folder } from '../made/folder.ts'
import { ROOT, textOf } from '../root.ts'
import { file, finding, run } from '../sources/store/make.ts'
import { problem, startServer } from '../surfaces/rest/server-under-test.ts'

const PROMTOOL = process.env.SVC_PROMTOOL ?? 'promtool'
const hasPromtool = spawnSync(PROMTOOL, ['--version']).status === 0
const ROWS = OPERATIONS.filter(({ id }) => ['serve.metrics', 'doctor.version'].includes(id))
const KEY = 'k'.repeat(40)

/** The value of a sample, by its name with labels as they are written. */
function readSample(text: string, sample: string): number | undefined {
  const line = text.split('\n').find(each => each.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

async function readMetrics(cwd: string, env: Record<string, string> = {}): Promise<string> {
  const { base } = await startServer({
    rows: ROWS,
    schemas: loadSchemas,
    cwd,
    key: KEY,
    env: { ...env, XDG_CACHE_HOME: folder() },
  })
  expect((await problem(await fetch(`${base}/metrics`))).status).toBe(401)
  await fetch(`${base}/nothing`, { headers: { 'x-api-key': KEY } })
  const answer = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${KEY}` } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  return answer.text()
}

/** A repository with one run, and a store with two projects. */
async function makeScanned(): Promise<{ cwd: string; env: Record<string, string> }> {
  const cwd = folder({ '.git/HEAD': '' })
  const findings = [finding(1, { severity: 'critical' }), finding(2), finding(3)]
  const now = new Date().toISOString()
  await writeRun(
    join(cwd, 'out'),
    run('run-01', findings, { finished_at: now, gate: { passed: false, reasons: ['critical'] } }),
    findings,
    [file('a.py')],
  )
  const store = join(cwd, 'store')
  mkdirSync(store)
  const objects = openFolderObjects(store)
  await putLatest(
    objects,
    'acme/new',
    run('run-01', findings, { started_at: now, gate: { passed: true, reasons: [] } }),
  )
  await putLatest(objects, 'acme/old', run('run-01', [finding(1)], { started_at: '2025-01-01T00:00:00.000Z' }))
  return { cwd, env: { SVC_FLEET_STORE: pathToFileURL(store).href } }
}

test('metrics tell of requests, the repository’s latest run and the projects of the run store, to whoever has the key', async () => {
  const { cwd, env } = await makeScanned()
  const text = await readMetrics(cwd, env)
  expect(readSample(text, 'svc_scanned')).toBe(1)
  expect(readSample(text, 'svc_open_findings{severity="critical"}')).toBe(1)
  expect(readSample(text, 'svc_open_findings{severity="high"}')).toBe(2)
  expect(readSample(text, 'svc_gate_passed')).toBe(0)
  expect(Math.abs(readSample(text, 'svc_last_scan_timestamp_seconds')! - Date.now() / 1000)).toBeLessThan(60)
  expect(readSample(text, 'svc_projects')).toBe(2)
  expect(readSample(text, 'svc_projects_scanned{within_days="7"}')).toBe(1)
  expect(readSample(text, 'svc_projects_gate{gate="none"}')).toBe(1)
  expect(readSample(text, 'svc_projects_open_findings{severity="high"}')).toBe(3)
  expect(readSample(text, 'svc_http_requests_total{method="GET",route="/metrics",code="401"}')).toBe(1)
  expect(readSample(text, 'svc_http_requests_total{method="GET",route="none",code="404"}')).toBe(1)
  expect(readSample(text, 'svc_http_request_duration_seconds_bucket{method="GET",route="none",le="+Inf"}')).toBe(1)
})

test('metrics of a repository that was never scanned say so, and have no zeros in place of what is not known', async () => {
  const text = await readMetrics(folder({ '.git/HEAD': '' }))
  expect(readSample(text, 'svc_scanned')).toBe(0)
  expect(text).not.toMatch(/svc_open_findings|svc_gate_passed|svc_projects/)
})

// Skipped where Debian's package prometheus is not installed, and SVC_PROMTOOL names no promtool.
test.skipIf(!hasPromtool)('promtool check metrics accepts all metrics', async () => {
  const { cwd, env } = await makeScanned()
  const { status, stdout, stderr } = spawnSync(PROMTOOL, ['check', 'metrics'], { input: await readMetrics(cwd, env) })
  expect([String(stdout), String(stderr), status]).toEqual(['', '', 0])
})

test('metrics of a fleet whose queue does not answer say that, and count nothing', async () => {
  const env = { SVC_FLEET_REDIS_URL: 'redis://127.0.0.1:1' }
  const figures = await readFleetFigures({ cwd: folder({ '.git/HEAD': '' }), env })
  expect(figures.map(({ name, samples }) => [name, samples[0]!.value])).toEqual([['svc_fleet_up', 0]])
  expect(await readFleetFigures({ cwd: folder({ '.git/HEAD': '' }), env: {} })).toEqual([])
})

test('names and labels are escaped', () => {
  const samples = [{ labels: { route: 'a"b\\c\nd' }, value: 1 }, { value: Number.POSITIVE_INFINITY }]
  expect(formatExposition([{ name: 'svc_a', help: 'one\ntwo \\', type: 'gauge', samples }])).toBe(
    '# HELP svc_a one\\ntwo \\\\\n# TYPE svc_a gauge\nsvc_a{route="a\\"b\\\\c\\nd"} 1\nsvc_a +Inf\n',
  )
})

const OPS = ['docs/ops/alerts.yml', 'docs/ops/grafana.json']

test.each(OPS)('%s names metrics that there are', async path => {
  const { cwd, env } = await makeScanned()
  const known = new Set([...(await readMetrics(cwd, env)).matchAll(/^([a-z_]+)(?:\{| )/gm)].map(([, name]) => name!))
  // Absent where no gate ran, or where there is no data for a score.
  known.add('svc_posture_score')
  const named = [...textOf(path).matchAll(/\b(?:svc|process)_[a-z_]+/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(name => !known.has(name))).toEqual([])
})

test.skipIf(!hasPromtool)('promtool check rules accepts the alert rules', () => {
  const { status, stdout } = spawnSync(PROMTOOL, ['check', 'rules', join(ROOT, OPS[0]!)])
  expect([status, String(stdout)]).toEqual([0, expect.stringContaining('SUCCESS: 8 rules found')])
})

test('the board for Grafana has panels that do not overlap, each with a query', () => {
  interface Panel {
    id: number
    gridPos: { x: number; y: number; w: number; h: number }
    targets: { expr: string }[]
  }
  const { panels } = JSON.parse(textOf(OPS[1]!)) as { panels: Panel[] }
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(
    panels.every(({ targets, gridPos: { x, w } }) => x + w <= 24 && targets.every(({ expr }) => expr !== '')),
  ).toBe(true)
})
