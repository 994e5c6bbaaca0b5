/** `20250131-142501-9f3c2a`: UTC to the second, so ids sort by time, and six random hex digits, so two runs of one second differ. */
export function makeRunId(now: Date): string {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '')
    .replace('T', '-')
  return `${stamp}-${Math.floor(Math.random() * 0x1000000)
    .toString(16)
    .padStart(6, '0')}`
}

/** Whether a text can be a run's id, and so a folder's name: never hidden, never a path. */
export function isRunId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)
}
