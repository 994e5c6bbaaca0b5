import { readFileSync } from 'node:fs'

/** Processor seconds that this process and its children that have ended took (Linux, 100 ticks a second). */
export function readClock(pid: number | 'self' = 'self'): { user: number; system: number; children: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const [user, system, childUser, childSystem] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(ticks => Number(ticks) / 100) as [number, number, number, number]
  return { user: user + childUser, system: system + childSystem, children: childUser + childSystem }
}
