import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EngineError, toEngineError } from '../../base/errors.ts'
import type { Finding } from '../../base/records/finding.ts'
import { lookedAt } from '../../base/records/looked.ts'
import type { Run } from '../../base/records/run.ts'
import { formatCount } from '../../base/text/words.ts'
import { formatFindingLine } from '../../findings/line.ts'
import type { GovernedContext } from '../../governance/context.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { perform } from '../perform.ts'
import { findUnstored, persist } from '../persist.ts'
import { waitForGit, watchChanges } from './changes.ts'

/** How a repository is watched. */
export interface WatchInput {
  interval: number
  config?: string
}

/** Work that is due from time to time while a repository is watched. */
export interface PeriodicWork {
  /** Milliseconds until it is due; 0 where it is. */
  dueIn(): number
  check(): Promise<void>
  /** What is known of it, for the status line. */
  describe(): string
}

/** What a scan found, and where it looked. */
export interface WatchedScan {
  /** Open findings by fingerprint. */
  findings: ReadonlyMap<string, Finding>
  run: Pick<Run, 'skipped' | 'partly' | 'not_evaluated'>
}

/** What changed between two scans. */
export interface Difference {
  introduced: Finding[]
  /** Gone from where the later scan looked. */
  resolved: Finding[]
  /** What is open after the later scan, as far as anybody knows: what it could not look at stands as it was. */
  open: ReadonlyMap<string, Finding>
}

/** A timer takes no more. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** Errors after which there is nothing left to watch. */
const ENDS = new Set(['REPO_NOT_FOUND', 'INTERRUPTED', 'TOOL_MISSING'])

/**
 * Scans the repository, and again whenever files change, one scan at a time, until the signal is aborted: INTERRUPTED. Prints findings that
 * appear and disappear; one in what could not be scanned has not disappeared. A scan that fails, as where the configuration is being edited, is
 * printed too, and the next change tries again.
 */
export async function watchRepository(
  input: WatchInput,
  context: GovernedContext,
  periodic?: PeriodicWork,
): Promise<never> {
  const { signal, notice, status = () => {} } = context
  const root = findRepositoryRoot(context.cwd)
  const config = await loadConfig(root, { env: context.env, ...(input.config !== undefined && { path: input.config }) })
  const own = [locateOutput(root, context.env, config.output_dir), join(root, '.svc/local')]
  const options = { root, own, exclude: config.scan_exclude, interval: input.interval, signal, notice }
  const changes = await watchChanges(options)
  let known: ReadonlyMap<string, Finding> | undefined
  const report = () => {
    if (!known) return
    const also = periodic ? `, ${periodic.describe()}` : ''
    status(
      `${formatCount(known.size, 'open finding')}${also}; watching for changes${changes.mode === 'polling' ? ` every ${input.interval} s` : ''}`,
    )
  }
  try {
    for (;;) {
      await waitForGit(root, signal, what => status(`Waiting for ${what} to end`))
      status('Scanning')
      const found = await scanOnce(input, root, context)
      if (found) {
        if (known) {
          const difference = compareScans(known, found)
          printDifference(difference, context)
          known = difference.open
        } else known = found.findings
        if (periodic?.dueIn() !== 0) report()
      }
      const changed = changes.next()
      let isSettled = false
      const settle = () => {
        isSettled = true
      }
      // Work that is due again as soon as it is done leaves changes their turn. Where the watch ends during the work, nobody waits for the change any more.
      changed.then(settle, settle)
      while (periodic && !isSettled && (await isDue(periodic, changed, signal))) {
        await periodic.check()
        report()
      }
      await changed
    }
  } catch (error) {
    if (signal.aborted) throw new EngineError('INTERRUPTED', 'Watching was interrupted.')
    throw error
  } finally {
    await changes.close()
  }
}

/** Waits until work is due (true) or something has changed (false), whichever is first; due work comes before changes. */
async function isDue(work: PeriodicWork, changed: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const ms = work.dueIn()
  if (ms === 0) return true
  const ending = new AbortController()
  const timer = pause(Math.min(ms, LONGEST_WAIT_MS), true, { signal: AbortSignal.any([signal, ending.signal]) })
  try {
    const isTimer = await Promise.race([timer, changed.then(() => false)])
    return isTimer && work.dueIn() === 0
  } finally {
    ending.abort()
    timer.catch(() => {})
  }
}

/** A scan that is stored; undefined where it failed, which is printed. DISK where a run cannot be stored in the checkout. */
async function scanOnce(
  { config }: WatchInput,
  root: string,
  context: GovernedContext,
): Promise<WatchedScan | undefined> {
  let unstored: EngineError | undefined
  let scan: WatchedScan
  try {
    const performed = await perform({ repo_path: root, ...(config !== undefined && { config }) }, context)
    unstored = findUnstored(await persist(performed, context))
    const open = performed.findings.filter(({ status }) => status === 'open')
    scan = { findings: new Map(open.map(finding => [finding.fingerprint, finding])), run: performed.run }
  } catch (error) {
    context.signal.throwIfAborted()
    const failure = toEngineError(error)
    if (ENDS.has(failure.code)) throw error
    const { place, message } = failure
    // Not a notice, which --quiet drops: without it, nothing printed would mean that nothing changed.
    context.print?.(
      `failed    The scan failed: ${place ? `${place.file}:${place.line ?? 1}: ` : ''}${message} The next change is scanned again.`,
    )
    return undefined
  }
  // No change of a file makes the directory writable.
  if (unstored) throw unstored
  return scan
}

/** What a scan came to against what was open before it. */
export function compareScans(before: ReadonlyMap<string, Finding>, { findings, run }: WatchedScan): Difference {
  const { skipped, partly, not_evaluated } = run
  const looked = lookedAt({ skipped, partly, notEvaluated: not_evaluated, whole: true, isScanned: () => false })
  const gone = [...before].filter(([key]) => !findings.has(key))
  return {
    introduced: [...findings].flatMap(([key, finding]) => (before.has(key) ? [] : [finding])),
    resolved: gone.flatMap(([, finding]) => (looked(finding) ? [finding] : [])),
    open: new Map([...findings, ...gone.filter(([, finding]) => !looked(finding))]),
  }
}

function printDifference(
  { introduced, resolved }: Difference,
  { print = () => {} }: Pick<GovernedContext, 'print'>,
): void {
  const paint = (_: unknown, text: string) => text
  for (const finding of introduced) print(`new       ${formatFindingLine(finding, { paint })}`)
  for (const finding of resolved) print(`resolved  ${formatFindingLine(finding, { paint })}`)
}
