import { detectLanguage, isTestPath } from '../../base/languages/languages.ts'
import { makeUnmeasured } from '../../base/records/file-metrics.ts'
import type { PartlyScanned, SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { scanFile } from '../file/file-scan.ts'
import type { RuleSet } from '../file/rule-set.ts'
import type { FileOutcome, Limits } from '../rules/file-outcome.ts'
import { type Bounds, type Entry, type Left, readEntries } from './entries.ts'
import type { ArchiveKind } from './kind.ts'

/** Of every archive. */
export const BOUNDS: Omit<Bounds, 'entry_bytes' | 'time_ms'> = { entries: 10_000, bytes: 256 << 20, ratio: 200 }

/** What an archive came to: what was found in the files in it, and what of it was looked at. */
export interface ArchiveOutcome {
  outcome: FileOutcome
  partly: Omit<PartlyScanned, 'path'>
}

/**
 * Searches the files of an archive for secrets, one level deep, in memory. No other rule searches there, so the archive itself is
 * listed as partly scanned, in words that say what was done: `archive` where all of it was looked at, `archive_part` where a bound, a password
 * or an archive within kept something from it, `archive_damaged` where it could not be read to its end.
 */
export async function scanArchive(
  rules: RuleSet,
  file: SourceFile,
  archive: { kind: ArchiveKind; bytes: Uint8Array },
  limits: Limits & { max_file_bytes: number },
): Promise<ArchiveOutcome> {
  const { set, indexes } = rules.selectOfAnyContent()
  const outcome: FileOutcome = {
    pass: makeUnmeasured(),
    matches: [],
    failures: [],
    ignores: [],
    parsed: false,
  }
  let looked = 0
  const take = (entry: Entry) => {
    const found = scanEntry(set, file, entry, limits)
    if (!found) return
    looked++
    for (const match of found.matches) outcome.matches.push({ ...match, rule: indexes[match.rule]!, inner: entry.path })
    for (const failure of found.failures) outcome.failures.push({ ...failure, rule: indexes[failure.rule]! })
  }
  const bounds = { ...BOUNDS, entry_bytes: limits.max_file_bytes, time_ms: limits.file_deadline_ms }
  try {
    const left = await readEntries(archive.bytes, { kind: archive.kind, name: file.path }, bounds, take)
    const missing = missingOf(left)
    const detail = `${counted(looked)}${missing === '' ? '' : `; not in: ${missing}`}`
    const reason = missing === '' ? 'archive' : left.late ? 'timed_out' : 'archive_part'
    return { outcome, partly: { reason, detail } }
  } catch (error) {
    const detail = `${counted(looked)}, then: ${(error as Error).message}`
    return { outcome, partly: { reason: 'archive_damaged', detail } }
  }
}

function counted(looked: number): string {
  return `secrets were searched for in ${looked} ${looked === 1 ? 'file' : 'files'} of it`
}

function missingOf({ stopped, large, nested, encrypted }: Left): string {
  return [
    large > 0 && `${large} too large`,
    nested > 0 && `${nested} ${nested === 1 ? 'archive' : 'archives'} within it`,
    encrypted > 0 && `${encrypted} encrypted or compressed with an unknown method`,
    stopped !== undefined && `the rest, since ${stopped}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function scanEntry(rules: RuleSet, file: SourceFile, { path, bytes }: Entry, limits: Limits): FileOutcome | undefined {
  const language = detectLanguage(path) ?? 'text'
  if (classify(bytes, language)?.shape === 'binary') return undefined
  return scanFile(rules, { path, language, in_test: file.in_test || isTestPath(path), bytes }, limits)
}
