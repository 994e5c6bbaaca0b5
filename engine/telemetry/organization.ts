import type { Context } from '../base/context.ts'
import { SEVERITIES } from '../base/records/finding.ts'
import { openMirror } from '../fleet/store/mirror.ts'
import { loadConfig } from '../sources/config/load.ts'
import type { LatestRow } from '../sources/store/latest-table.ts'
import type { Figure } from './figure.ts'

/** A store is listed at most once in this time, however often figures are asked for. */
const KEPT_MS = 60_000
const DAY_MS = 86_400_000

const known = new Map<string, { at: number; rows: Promise<readonly LatestRow[]> }>()

/** Figures over the projects of the run store; none where `fleet.store` is not set. */
export async function readOrganizationFigures(
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
  now = Date.now(),
): Promise<Figure[]> {
  const { fleet } = await loadConfig(context.cwd, { env: context.env })
  if (fleet.store === undefined) return []
  let kept = known.get(fleet.store)
  if (!kept || now - kept.at > KEPT_MS) {
    kept = { at: now, rows: readRows(fleet.store, context) }
    known.set(fleet.store, kept)
    // What failed is asked for again.
    kept.rows.catch(() => known.delete(fleet.store!))
  }
  return makeFigures(await kept.rows, now)
}

async function readRows(store: string, context: Pick<Context, 'env' | 'signal'>): Promise<readonly LatestRow[]> {
  // Not the signal of the request that happened to be the first.
  const mirror = await openMirror(store, { env: context.env, signal: new AbortController().signal })
  try {
    return (await mirror.latest()).rows
  } finally {
    await mirror.close()
  }
}

function makeFigures(rows: readonly LatestRow[], now: number): Figure[] {
  const gauge = (name: string, help: string, samples: Figure['samples']): Figure => ({
    name,
    help,
    type: 'gauge',
    samples,
  })
  const ages = rows.map(({ scanned_at }) => (now - Date.parse(scanned_at)) / DAY_MS)
  const within = (days: number) => ages.filter(age => age <= days).length
  return [
    gauge('svc_projects', 'Projects of the run store.', [{ value: rows.length }]),
    gauge(
      'svc_projects_scanned',
      'Projects by the age of their latest run, at most so many days.',
      [1, 7, 30].map(days => ({ labels: { within_days: String(days) }, value: within(days) })),
    ),
    gauge(
      'svc_projects_open_findings',
      'Open findings of the latest runs of all projects, those in the baseline included.',
      SEVERITIES.map(severity => ({
        labels: { severity },
        value: rows.reduce((sum, row) => sum + row.by_severity[severity], 0),
      })),
    ),
    gauge(
      'svc_projects_gate',
      'Projects by the gate of their latest run.',
      (['passed', 'failed', 'none'] as const).map(gate => ({
        labels: { gate },
        value: rows.filter(row => (row.gate === undefined ? 'none' : row.gate ? 'passed' : 'failed') === gate).length,
      })),
    ),
  ]
}
