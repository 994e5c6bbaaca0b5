import { randomBytes } from 'node:crypto'

/** `20250131-142501-9f3c2a`: UTC to the second, so ids sort by time, and six random hex digits, so two runs of one second differ. */
export function newRunId(now: Date): string {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '')
    .replace('T', '-')
  return `${stamp}-${randomBytes(3).toString('hex')}`
}

/** Whether a text can be a run's id, and so a folder's name: never hidden, never a path. */
export function isRunId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)
}
