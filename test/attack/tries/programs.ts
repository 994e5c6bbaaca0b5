import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HostileRepository, plantRepository } from '../../sources/repository/hostile-repository.ts'
import { PLANTS } from '../../sources/repository/plants.ts'
import { demand, PROGRAM, type Try } from '../ground.ts'

/** What is run in the repository in which everything that can name a program names one. */
const COMMANDS = [
  ['scan', '--no-cache'],
  ['scan', '--staged'],
  ['gate', '--git-range', 'HEAD~1..HEAD'],
  ['secrets', '--history'],
  ['blast-check', '--staged'],
  ['anomaly-scan'],
] as const

let ran: Set<string> | undefined

/** The markers that all commands together left; the repository is made once for all tries. */
function markersLeft(): Set<string> {
  if (ran) return ran
  const hostile: HostileRepository = plantRepository(realpathSync(mkdtempSync(join(tmpdir(), 'svc-attack-'))))
  try {
    hostile.takeMarkers()
    for (const args of COMMANDS) {
      const { error } = spawnSync(process.execPath, [PROGRAM, ...args], {
        cwd: hostile.root,
        env: { ...hostile.env, GIT_CONFIG_NOSYSTEM: '1' },
        timeout: 60_000,
      })
      demand(!error, `svc ${args.join(' ')} did not end`)
    }
    ran = new Set(hostile.takeMarkers())
    return ran
  } finally {
    rmSync(hostile.base, { recursive: true, force: true })
  }
}

export const programs: Try[] = PLANTS.map(
  ({ marker }): Try => ({
    name: `a program named by ${marker}`,
    holds:
      'git starts through one door, with one environment and list of settings that leave a repository no program to name',
    attack: () => demand(!markersLeft().has(marker), 'the program was run'),
  }),
)
