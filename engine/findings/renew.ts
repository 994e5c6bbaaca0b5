import type { Surface } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import type { Finding } from '../base/records/finding.ts'
import { brokenOffIn, type Run } from '../base/records/run.ts'
import { formatCount } from '../base/text/words.ts'
import type { Config } from '../sources/config/load.ts'
import { BASELINE_PATH } from '../sources/config/paths.ts'
import type { Baseline, BaselineGap, Updated } from './baseline.ts'
import { sortGaps, writeBaseline } from './baseline-file.ts'

/** What making the baseline anew came to. */
export interface Renewed {
  file: string
  entries: number
  /** Findings of this scan that the entries cover; a secret written in several locations shares an entry. */
  findings: number
  added: number
  pruned: number
  kept: number
  /** What could not be evaluated and is known from now on. */
  gaps: number
  /** False where the file holds exactly these entries already. */
  written: boolean
}

/** What is needed to know of a scan to write its baseline. */
interface BaselinedScan {
  run: Run
  findings: readonly Finding[]
  files: { get(path: string): unknown }
  renewed?: Updated
  config: Pick<Config, 'root'>
  baseline?: Baseline
}

/** Inputs that a baseline cannot be made from: what they scan is not what is on disk. */
const NOT_WITH = ['files', 'staged', 'git_range', 'diff', 'branch'] as const

/**
 * Refuses where the baseline may not be made anew: FORBIDDEN but on the command line, since it lets every finding pass the
 * gate, which is a person's decision; INPUT_INVALID for a scan of anything but the files on disk.
 */
export function requireRenewal(input: Readonly<Record<string, unknown>>, surface: Surface): void {
  if (surface !== 'cli') {
    throw new EngineError('FORBIDDEN', 'update_baseline is available only on the command line.', {
      hint: 'Run `svc scan --update-baseline` in the repository.',
    })
  }
  const other = NOT_WITH.find(key => input[key] !== undefined && input[key] !== false)
  if (other) {
    throw new EngineError(
      'INPUT_INVALID',
      `--update-baseline and --${other.replaceAll('_', '-')} exclude each other: a baseline is created from the files on disk.`,
      { hint: 'Run `svc scan --update-baseline` by itself.' },
    )
  }
}

/** Writes the baseline that a scan has made anew, but in a dry run; undefined where it was not to make one. */
export function renewBaseline(performed: BaselinedScan, dryRun = false): Renewed | undefined {
  const { renewed, config, baseline } = performed
  if (!renewed) return undefined
  const { entries, added, pruned, kept } = renewed
  const findings = performed.findings.filter(({ status }) => status === 'baseline').length
  const gaps = gapsOf(performed, baseline)
  const next = { entries, ...(gaps.length > 0 && { gaps }) }
  const written = !dryRun && writeBaseline(config.root, next, baseline)
  return { file: BASELINE_PATH, entries: entries.length, findings, added, pruned, kept, gaps: gaps.length, written }
}

/** What this scan could not evaluate, and of the gaps of before those in files that it did not cover. */
function gapsOf({ run, files }: BaselinedScan, baseline: Baseline | undefined): BaselineGap[] {
  const gaps = brokenOffIn(run).flatMap(({ rule_id, file }) => (file === undefined ? [] : { rule_id, file }))
  const earlier = run.scope === 'everything' ? [] : (baseline?.gaps ?? []).filter(({ file }) => !files.get(file))
  return sortGaps([...gaps, ...earlier])
}

/** One or two sentences for a person. */
export function formatRenewed(
  { file, entries, findings, added, pruned, kept, gaps, written }: Renewed,
  dryRun = false,
): string {
  const changes = [
    added > 0 && `${added} new`,
    pruned > 0 && `${pruned} gone`,
    kept > 0 && `${kept} kept, since their file or rule was not scanned`,
  ].filter(Boolean)
  const how = changes.length > 0 ? ` (${changes.join(', ')})` : ''
  const held =
    findings > entries
      ? `${formatCount(findings, 'finding')} in ${formatCount(entries, 'entry', 'entries')}`
      : formatCount(entries, 'finding')
  const what = `${held}${gaps > 0 ? ` and ${formatCount(gaps, 'gap')} (rules not evaluated in a file)` : ''}`
  if (dryRun) return `The baseline would contain ${what}${how}.`
  if (!written) return `The baseline contains ${what} already; ${file} is unchanged.`
  return `Baseline updated: ${what}${how}. Commit ${file}: from then on the gate fails on new findings only.`
}
