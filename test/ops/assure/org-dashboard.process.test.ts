import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openFolderObjects } from '../../../engine/fleet/store/folder-objects.ts'
import { putLatest } from '../../../engine/fleet/store/latest.ts'
import orgDashboard from '../../../engine/ops/assure/org-dashboard.ts'
import { finding, rule, run } from '../../assure/fixture.ts'
import { context, refusal, view } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { ROOT } from '../../root.ts'

const NOW = { SOURCE_DATE_EPOCH: '1772600000' } // 2026-03-04

interface Stored {
  day: string
  /** Of the start, within its first second; ids are in the order of the list. */
  ms?: number
  scope?: string
  severity?: 'critical' | 'low'
  open?: number
}

/** A repository with these runs; the records are what the dashboard reads. */
function repository(root: string, path: string, runs: Stored[]): void {
  mkdirSync(join(root, path, '.git'), { recursive: true })
  for (const [at, { day, ms = 0, scope = 'everything', severity = 'low', open = 1 }] of runs.entries()) {
    const id = `${day.replaceAll('-', '')}-000000-${at}00000`
    const findings = Array.from({ length: open }, (_, n) => finding(rule('r', { severity }), 'a.js', n + 1))
    const frameworks = [
      {
        ...{ id: 'house', name: 'House', pack_id: 'house', pack_version: '1.0.0', coverage: 50, controls: [] },
        counts: { violated: 1, met: 1, manual: 3, not_applicable: 0, not_evaluated: 2 },
      },
    ]
    const record = run(findings, {
      ...{ id, scope, root_name: path, started_at: `${day}T00:00:00.${String(ms).padStart(3, '0')}Z`, frameworks },
      rating: severity === 'critical' ? 'E' : 'B',
    })
    const directory = join(root, path, 'out/history', id)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'run.json'), JSON.stringify(record))
  }
}

function organization(): string {
  const root = folder()
  repository(root, 'team/good', [{ day: '2026-03-01' }, { day: '2026-03-02', open: 3 }])
  repository(root, 'team/bad', [{ day: '2026-03-03', severity: 'critical' }])
  repository(root, 'old', [{ day: '2025-12-01' }])
  repository(root, 'part', [{ day: '2026-03-01', scope: 'staged' }])
  repository(root, 'hooked', [
    { day: '2026-03-01' },
    ...['02', '03'].map(day => ({ day: `2026-03-${day}`, scope: 'staged' })),
  ])
  repository(root, 'new', [])
  return root
}

const dashboard = (root: string, input: object = {}, more: object = {}) =>
  orgDashboard.run({ root, stale_days: 30, ...input }, context(root, { env: NOW, ...more }))

describe('the dashboard of an organization', () => {
  test('shows the later of two runs of one second, whose ids do not tell', async () => {
    const root = folder()
    repository(root, 'quick', [
      { day: '2026-03-02', ms: 900, open: 3 },
      { day: '2026-03-02', ms: 100, open: 1 },
    ])
    const { projects } = await dashboard(root)
    expect(projects.map(({ open }) => open)).toEqual([3])
  })

  test('lists the repositories below a directory, worst first, and says of which nothing is known', async () => {
    const { projects, statistics } = await dashboard(organization())
    expect(projects.map(({ path, state }) => `${path} ${state}`)).toEqual([
      'team/bad current',
      'new never_scanned',
      'part partial',
      'team/good current',
      'hooked current',
      'old stale',
    ])
    expect(statistics).toMatchObject({ projects: 6, open: 6, worse: 1, better: 0, by_rating: { B: 3, E: 1 } })
    expect(projects[3]).toMatchObject({ open: 3, change: 2, run_id: '20260302-000000-100000', age_days: 2 })
    expect(projects[4]).toMatchObject({ run_id: '20260301-000000-000000' })
  })

  test('sums the controls of a framework, with the manual ones beside the percentage', async () => {
    const root = organization()
    const { frameworks } = await dashboard(root)
    expect(frameworks).toMatchObject([{ id: 'house', projects: 4, coverage: 50, counts: { met: 4, manual: 12 } }])
    await dashboard(root, { output: join(root, 'o.html') })
    expect(readFileSync(join(root, 'o.html'), 'utf8')).toContain(
      '50 % of 8 judged controls met; 12 manual; 8 not evaluated',
    )
  })

  test('does not take an older run for the latest where newer ones cannot be read', async () => {
    const root = organization()
    const good = (day: string, name: string) => join(root, `team/good/out/history/${day}`, name)
    writeFileSync(good('20260302-000000-100000', 'run.json'), '{ "id": 3')
    expect((await dashboard(root)).projects.find(({ path }) => path === 'team/good')).toMatchObject({
      unreadable_runs: 1,
    })
    writeFileSync(good('20260301-000000-000000', 'run.json'), '[1]')
    const answer = await dashboard(root)
    expect(answer.projects.find(({ path }) => path === 'team/good')).toMatchObject({
      state: 'unreadable',
      unreadable_runs: 2,
    })
    expect(orgDashboard.text(answer, view)).toContain('runs cannot be read, 2 newer runs cannot be read')
  })

  test('follows no symbolic link, neither to a repository nor to a record', async () => {
    const [root, outside] = [folder(), folder()]
    repository(outside, 'secret', [{ day: '2026-03-01' }])
    symlinkSync(join(outside, 'secret'), join(root, 'linked'))
    mkdirSync(join(root, 'own/.git'), { recursive: true })
    mkdirSync(join(root, 'own/out/history/20260301-000000-000000'), { recursive: true })
    symlinkSync(
      join(outside, 'secret/out/history/20260301-000000-000000/run.json'),
      join(root, 'own/out/history/20260301-000000-000000/run.json'),
    )
    expect((await dashboard(root)).projects).toMatchObject([{ path: 'own', state: 'unreadable' }])
  })

  test('over HTTP searches the parent of the repository, and nothing outside of it', async () => {
    const root = organization()
    const over = (input: object) =>
      orgDashboard.run({ stale_days: 30, ...input }, context(join(root, 'old'), { env: NOW, surface: 'rest' }))
    expect((await over({})).projects).toHaveLength(6)
    expect((await over({ root: join(root, 'team') })).projects).toHaveLength(2)
    expect((await refusal(() => over({ root: '/' }))).code).toBe('PATH_ESCAPES')
    expect((await refusal(() => dashboard(join(root, 'absent')))).code).toBe('NOT_FOUND')
  })

  test('counts findings in the baseline by severity, as the rating and the number of open ones do', async () => {
    const root = folder()
    const weak = 'import pickle, flask\npickle.loads(flask.request.data)\n'
    for (const [path, files, more] of [
      ['adopted', 3, ['--update-baseline']],
      ['fresh', 1, []],
    ] as const) {
      const own = join(root, path)
      mkdirSync(own)
      for (let n = 0; n < files; n++) writeFileSync(join(own, `a${n}.py`), weak)
      execFileSync('git', ['init', '-q'], { cwd: own })
      execFileSync(process.execPath, [join(ROOT, 'dist/svc.js'), 'scan', '--quiet', ...more], { cwd: own })
    }
    const answer = await orgDashboard.run({ root, stale_days: 30 }, context(root))
    expect(
      answer.projects.map(({ path, rating, open, baseline, by_severity }) => [
        path,
        rating,
        open,
        baseline,
        by_severity?.critical,
      ]),
    ).toEqual([
      ['adopted', 'E', 3, 3, 3],
      ['fresh', 'E', 1, 0, 1],
    ])
    expect(answer.statistics).toMatchObject({ open: 4, by_severity: { critical: 4 } })
    await orgDashboard.run({ root, stale_days: 30, output: join(root, 'o.html') }, context(root))
    expect(readFileSync(join(root, 'o.html'), 'utf8')).toContain('3 in the baseline')
  })

  test('does not show the runs of another directory where the settings that name the right one are not valid', async () => {
    const root = folder()
    repository(root, 'moved', [{ day: '2026-03-02' }])
    repository(root, 'plain', [{ day: '2026-03-02' }])
    const config = (path: string, text: string) => {
      mkdirSync(join(root, path, '.svc'), { recursive: true })
      writeFileSync(join(root, path, '.svc/config.yaml'), text)
    }
    config('moved', 'output_dir: build/svc\nno_such_setting: 1\n')
    // Invalid too, and silent about the directory: it is the standard one.
    config('plain', 'no_such_setting: 1\n')
    const answer = await dashboard(root)
    expect(answer.projects.map(({ path, state, run_id }) => [path, state, run_id === undefined])).toEqual([
      ['moved', 'settings_unreadable', true],
      ['plain', 'current', false],
    ])
    expect(answer.statistics).toMatchObject({ open: 1, by_state: { current: 1, settings_unreadable: 1 } })
    expect(answer.omitted).toEqual([expect.stringMatching(/^The settings of moved cannot be read, .*no_such_setting/)])
    expect(answer.omitted[0]).not.toContain(root)
    expect(orgDashboard.text(answer, view)).toContain('settings cannot be read')
  })

  test('is the same twice', async () => {
    const root = organization()
    const once = await dashboard(root, { output: '-' })
    expect(await dashboard(root, { output: '-' })).toEqual(once)
  })
})

describe('the dashboard of a run store', () => {
  test('lists the projects of fleet.store where no directory is named, with their age and change', async () => {
    const root = folder()
    mkdirSync(join(root, 'here/.git'), { recursive: true })
    const objects = openFolderObjects(join(root, 'store'))
    for (const [project, day, open] of [
      ['acme/shop', '2026-03-01', 4],
      ['acme/shop', '2026-03-03', 1],
      ['acme/old', '2025-12-01', 2],
    ] as const) {
      const findings = Array.from({ length: open }, (_, n) => finding(rule('r', { severity: 'low' }), 'a.js', n + 1))
      const id = `${day.replaceAll('-', '')}-000000-000000`
      await putLatest(objects, project, run(findings, { id, started_at: `${day}T00:00:00.000Z`, rating: 'B' }))
    }
    const env = {
      ...NOW,
      SVC_FLEET_STORE: pathToFileURL(join(root, 'store')).href,
      XDG_CACHE_HOME: join(root, 'cache'),
    }
    const stored = await orgDashboard.run({ stale_days: 30 }, context(join(root, 'here'), { env }))
    expect(stored.projects.map(({ path, state, open, change }) => [path, state, open, change])).toEqual([
      ['acme/old', 'stale', 2, undefined],
      ['acme/shop', 'current', 1, -3],
    ])
    expect(stored.statistics).toMatchObject({ projects: 2, open: 3, better: 1 })
    const accepted = [finding(rule('r', { severity: 'critical' }), 'a.js', 1, { status: 'baseline' })]
    const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
    const record = run(accepted, { id: '20260304-000000-000000', started_at: '2026-03-04T00:00:00.000Z', rating: 'E' })
    record.counts.baseline_by_severity = { ...none, critical: 1 }
    await putLatest(objects, 'acme/shop', record)
    const later = await orgDashboard.run({ stale_days: 30 }, context(join(root, 'here'), { env }))
    expect(later.projects[0]).toMatchObject({ path: 'acme/shop', open: 1, by_severity: { critical: 1 } })
    const found = await orgDashboard.run({ stale_days: 30, root }, context(join(root, 'here'), { env }))
    expect(found.projects.map(({ path }) => path)).toEqual(['here'])
  })
})
