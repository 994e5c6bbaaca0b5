import { readFileSync } from 'node:fs'
import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import { SEVERITIES } from '../base/records/finding.ts'
import { VERSION } from '../base/version.ts'
import type { Posture } from '../quality/posture/posture.ts'
import { readPosture } from '../quality/posture/read.ts'
import { runWithStore, type Store } from '../sources/store/open.ts'
import type { RunSummary } from '../sources/store/runs.ts'
import type { Figure } from './figure.ts'

/** Figures of the process: names as Prometheus' client libraries have them. */
export function readProcessFigures(): Figure[] {
  const { user, system } = process.cpuUsage()
  const gauge = (name: string, help: string, value: number): Figure => ({
    ...{ name, help, type: 'gauge', samples: [{ value }] },
  })
  return [
    {
      ...{ name: 'svc_build_info', help: 'Version of the program; always 1.', type: 'gauge' },
      samples: [{ labels: { version: VERSION }, value: 1 }],
    },
    {
      ...{ name: 'process_cpu_seconds_total', help: 'User and system CPU time in seconds.', type: 'counter' },
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Resident memory in bytes.', process.memoryUsage.rss()),
    gauge(
      'process_start_time_seconds',
      'Start of the process since the epoch in seconds.',
      Math.round(Date.now() / 1000 - process.uptime()),
    ),
    ...readOpenFiles(),
  ]
}

/** Open descriptors, where the system tells; a limit that is none is left out. */
function readOpenFiles(): Figure[] {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    if (limit === undefined) return []
    const help = 'Maximum number of open file descriptors.'
    return [{ name: 'process_max_fds', help, type: 'gauge', samples: [{ value: Number(limit) }] }]
  } catch {
    return [] // not Linux
  }
}

/** Figures of the repository by its latest run of the whole; `svc_scanned` alone says 0 where there is none. */
export async function readRepositoryFigures(context: Pick<Context, 'cwd' | 'env' | 'notice'>): Promise<Figure[]> {
  const scanned = (value: number): Figure => ({
    ...{ name: 'svc_scanned', help: 'Whether a run of the whole repository is stored.', type: 'gauge' },
    samples: [{ value }],
  })
  const unreadable = (value: number): Figure => ({
    ...{
      name: 'svc_unreadable_runs',
      help: 'Runs that cannot be read: newer ones than the latest, and the latest where its findings cannot.',
      type: 'gauge',
    },
    samples: [{ value }],
  })
  try {
    return await runWithStore(context, async store => {
      const { runs, damaged } = await store.wholeRuns()
      const [latest] = runs
      if (!latest) return [scanned(0), unreadable(damaged.length)]
      const posture = await tryPosture(store)
      const figures = listFigures(latest, runs, posture?.overall ?? null)
      return [scanned(1), unreadable(damaged.length + (posture ? 0 : 1)), ...figures]
    })
  } catch (error) {
    if (error instanceof EngineError && error.code === 'RUN_NOT_FOUND') return [scanned(0)]
    throw error
  }
}

/** The posture; undefined where the findings of the latest run cannot be read, which is no reason to tell nothing else. */
async function tryPosture(store: Store): Promise<Posture | undefined> {
  try {
    return await readPosture(store)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'STORE_UNREADABLE') return undefined
    throw error
  }
}

function listFigures(run: RunSummary, runs: readonly RunSummary[], overall: number | null): Figure[] {
  const gate = runs.find(each => each.gate !== undefined)?.gate
  const { counts } = run
  const gauge = (name: string, help: string, samples: Figure['samples']): Figure => ({
    name,
    help,
    type: 'gauge',
    samples,
  })
  return [
    gauge(
      'svc_open_findings',
      'Open findings of the latest run of the whole repository, without those in the baseline.',
      SEVERITIES.map(severity => ({ labels: { severity }, value: counts.by_severity[severity] })),
    ),
    gauge('svc_baseline_findings', 'Findings in the baseline.', [{ value: counts.baseline }]),
    gauge('svc_suppressed_findings', 'Suppressed findings.', [{ value: counts.suppressed }]),
    gauge('svc_scanned_files', 'Files that were scanned.', [{ value: counts.files }]),
    gauge('svc_scanned_bytes', 'Bytes that were scanned.', [{ value: counts.bytes }]),
    gauge('svc_scan_duration_seconds', 'Duration of the latest scan.', [{ value: run.duration_ms / 1000 }]),
    gauge('svc_last_scan_timestamp_seconds', 'End of the latest scan since the epoch.', [
      { value: Date.parse(run.finished_at) / 1000 },
    ]),
    gauge(
      'svc_gate_passed',
      'Whether the latest gate passed; absent where none ran.',
      gate ? [{ value: gate.passed ? 1 : 0 }] : [],
    ),
    gauge(
      'svc_posture_score',
      'Posture score, 0 to 100; absent without data.',
      overall === null ? [] : [{ value: overall }],
    ),
  ]
}
