import type { FoundProject } from '../../../engine/assure/organization/find-projects.ts'
import { makeOrganization, type Organization } from '../../../engine/assure/organization/overview.ts'
import type { ProjectRun } from '../../../engine/sources/store/project-runs.ts'
import { HOSTILE } from '../fixture.ts'

/** Repositories with hostile names, one in each state. */
export function hostileOrganization(): Organization {
  const run = (id: string, at: number, over: Partial<ProjectRun> = {}): ProjectRun => ({
    ...{
      file: 'x',
      id,
      name: HOSTILE[at % HOSTILE.length]!,
      started_at: '2026-03-01T00:00:00.000Z',
      scope: 'everything',
    },
    ...{ finished_at: '2026-03-01T00:00:01.000Z', files: 3, open: at, baseline: 0, suppressed: 0, not_evaluated: at },
    ...{
      by_severity: { critical: 0, high: at, medium: 0, low: 0, info: 0 },
      rating: at > 0 ? 'D' : 'A?',
      gate: at > 2,
    },
    frameworks: [
      {
        ...{ id: 'soc2-tsc-2017', name: HOSTILE[at % HOSTILE.length]!, coverage: 50 },
        counts: { violated: 1, met: 1, manual: 7, not_applicable: 0, not_evaluated: 2 },
      },
    ],
    ...over,
  })
  const found: FoundProject[] = HOSTILE.map((path, at) => ({
    path,
    out: 'out',
    runs: at === 0 ? [] : [`r${at}2`, `r${at}1`],
  }))
  const read = new Map(
    HOSTILE.map((path, at) => [
      path,
      {
        runs: at < 2 ? [] : at === 2 ? [run('r22', 2, { scope: 'staged' })] : [run(`r${at}2`, at), run(`r${at}1`, 4)],
        unreadable: at === 1 ? ['r12', 'r11'] : [],
      },
    ]),
  )
  return makeOrganization(found, read, {
    date: '2026-03-05',
    stale_days: 30,
    omitted: [`${HOSTILE[3]} could not be read.`],
  })
}
