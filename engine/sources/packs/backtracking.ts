/** How long the analysis of one expression may take. */
const TIMEOUT_MS = 1000

/** What is known of the time that an expression takes on a text that an attacker writes. */
export interface Backtracking {
  /** `exponential` grows without bound; `polynomial` is stopped by a scan's deadlines; `unknown` was not decided in time. */
  kind: 'linear' | 'polynomial' | 'exponential' | 'unknown'
  /** A text that shows it, shortened. */
  attack?: string
}

/** Judges an expression as textual rules run it (flags m, u and, where asked, i). It must compile. */
export async function checkBacktracking(
  source: string,
  ignoreCase: boolean,
  timeout = TIMEOUT_MS,
): Promise<Backtracking> {
  const module = await import('recheck/lib/browser.js')
  // Node gives a CommonJS module as the default; a loader that transpiles may give its exports themselves.
  const recheck = module.default ?? (module as unknown as typeof module.default)
  const found = recheck.checkSync(source, ignoreCase ? 'imu' : 'mu', { timeout })
  if (found.status === 'safe') return { kind: 'linear' }
  if (found.status === 'unknown') return { kind: 'unknown' }
  return { kind: found.complexity.type, attack: found.attack.pattern.slice(0, 80) }
}
