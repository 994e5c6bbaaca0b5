import { join } from 'node:path'
import { EngineError, toEngineError } from '../../base/errors.ts'
import type { Finding } from '../../base/records/finding.ts'
import { formatCount } from '../../base/text/words.ts'
import { formatFindingLine } from '../../findings/line.ts'
import type { GovernedContext } from '../../governance/context.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { perform } from '../perform.ts'
import { persist } from '../persist.ts'
import { waitForGit, watchChanges } from './changes.ts'

/** How a repository is watched. */
export interface WatchInput {
  interval: number
  config?: string
}

/** Errors after which there is nothing left to watch. */
const ENDS = new Set(['REPO_NOT_FOUND', 'INTERRUPTED', 'TOOL_MISSING'])

/**
 * Scans the repository, and again whenever files change, one scan at a time, until the signal is aborted: INTERRUPTED. Prints findings that
 * appear and disappear. A scan that fails, as where the configuration is being edited, is said, and the next change tries again.
 */
export async function watchRepository(input: WatchInput, context: GovernedContext): Promise<never> {
  const { signal, notice, status = () => {} } = context
  const root = findRepositoryRoot(context.cwd)
  const config = await loadConfig(root, { env: context.env, ...(input.config !== undefined && { path: input.config }) })
  const own = [locateOutput(root, context.env, config.output_dir), join(root, '.svc/local')]
  const options = { root, own, exclude: config.scan_exclude, interval: input.interval, signal, notice }
  const changes = await watchChanges(options)
  let known: ReadonlyMap<string, Finding> | undefined
  try {
    for (;;) {
      await waitForGit(root, signal, what => status(`Waiting for ${what} to end`))
      status('Scanning')
      const found = await scanOnce(input, root, context)
      if (found) {
        if (known) printDifference(known, found, context)
        known = found
        status(
          `${formatCount(found.size, 'open finding')}; watching for changes${changes.mode === 'polling' ? ` every ${input.interval} s` : ''}`,
        )
      }
      await changes.next()
    }
  } catch (error) {
    if (signal.aborted) throw new EngineError('INTERRUPTED', 'Watching was interrupted.')
    throw error
  } finally {
    await changes.close()
  }
}

/** The open findings by fingerprint; undefined where the scan failed. */
async function scanOnce(
  { config }: WatchInput,
  root: string,
  context: GovernedContext,
): Promise<Map<string, Finding> | undefined> {
  try {
    const performed = await perform({ repo_path: root, ...(config !== undefined && { config }) }, context)
    await persist(performed, context)
    const open = performed.findings.filter(({ status }) => status === 'open')
    return new Map(open.map(finding => [finding.fingerprint, finding]))
  } catch (error) {
    context.signal.throwIfAborted()
    const failure = toEngineError(error)
    if (ENDS.has(failure.code)) throw error
    const { place, message } = failure
    context.notice(
      `The scan failed: ${place ? `${place.file}:${place.line ?? 1}: ` : ''}${message} The next change is scanned again.`,
    )
    return undefined
  }
}

function printDifference(
  before: ReadonlyMap<string, Finding>,
  now: ReadonlyMap<string, Finding>,
  { print = () => {} }: Pick<GovernedContext, 'print'>,
): void {
  const paint = (_: unknown, text: string) => text
  for (const [key, finding] of now) if (!before.has(key)) print(`new       ${formatFindingLine(finding, { paint })}`)
  for (const [key, finding] of before) if (!now.has(key)) print(`resolved  ${formatFindingLine(finding, { paint })}`)
}
