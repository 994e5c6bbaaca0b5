import type { Config } from '../config/load.ts'
import type { Surface } from '../context.ts'
import { EngineError } from '../errors.ts'
import type { ScanResult } from '../scan/scan.ts'
import { BASELINE_PATH, type Baseline } from './baseline.ts'
import { writeBaseline } from './baseline-file.ts'
import { plural } from './words.ts'

/** What making the baseline anew came to. */
export interface Renewed {
  file: string
  entries: number
  added: number
  pruned: number
  kept: number
  /** False where the file holds exactly these entries already. */
  written: boolean
}

/** Inputs that a baseline cannot be made from: what they scan is not what is on disk. */
const NOT_WITH = ['files', 'staged', 'git_range', 'diff', 'branch'] as const

/**
 * Refuses where the baseline may not be made anew: FORBIDDEN but on the command line, since it lets every finding pass the
 * gate, which is a person's decision; INPUT_INVALID for a scan of anything but the files on disk.
 */
export function renewing(input: Readonly<Record<string, unknown>>, surface: Surface): void {
  if (surface !== 'cli') {
    throw new EngineError('FORBIDDEN', 'update_baseline is for a person at the command line.', {
      hint: 'Run `svc scan --update-baseline` in the repository.',
    })
  }
  const other = NOT_WITH.find(key => input[key] !== undefined && input[key] !== false)
  if (other) {
    throw new EngineError(
      'INPUT_INVALID',
      `--update-baseline and --${other.replaceAll('_', '-')} exclude each other: a baseline is made from the files on disk.`,
      { hint: 'Run `svc scan --update-baseline` by itself.' },
    )
  }
}

/** Writes the baseline that a scan has made anew, but in a dry run; undefined where it was not to make one. */
export function renewBaseline(
  performed: ScanResult & { config: Config; baseline?: Baseline },
  dryRun = false,
): Renewed | undefined {
  const { renewed, run, config, baseline } = performed
  if (!renewed) return undefined
  const { entries, added, pruned, kept } = renewed
  const { id: run_id, git_sha } = run
  const next = { run_id, ...(git_sha !== undefined && { git_sha }), entries }
  const written = !dryRun && writeBaseline(config.root, next, baseline)
  return { file: BASELINE_PATH, entries: entries.length, added, pruned, kept, written }
}

/** One or two sentences for a person. */
export function renewedText({ file, entries, added, pruned, kept, written }: Renewed, dryRun = false): string {
  const changes = [
    added > 0 && `${added} new`,
    pruned > 0 && `${pruned} gone`,
    kept > 0 && `${kept} kept unseen, since their file or rule was not looked at`,
  ].filter(Boolean)
  const how = changes.length > 0 ? ` (${changes.join(', ')})` : ''
  if (dryRun) return `The baseline would hold ${plural(entries, 'finding')}${how}.`
  if (!written) return `The baseline holds ${plural(entries, 'finding')} already; ${file} stays as it is.`
  return `The baseline holds ${plural(entries, 'finding')} now${how}. Commit ${file}: from now on the gate fails on new findings only.`
}
