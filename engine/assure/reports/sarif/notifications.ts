import { formatDropped, type Notice, type Run } from '../../../base/records/run.ts'
import { replaceLoneSurrogates } from '../../../base/text/visible.ts'
import { formatCount } from '../../../base/text/words.ts'
import { groupBy, REASONS } from '../../model.ts'
import type { LeftOut } from './fit.ts'
import { toArtifactLocation } from './results.ts'

/** GitHub's limit on the locations of one object. */
const MAX_LOCATIONS = 1000

const EXCLUDED_BY_RULE = { id: 'excluded-by-rule' }
const DROPPED_ACROSS_FILES = { id: 'dropped-across-files' }
const TO_REVIEW = { id: 'to-review' }

const LEFT_OUT = { id: 'report/left-out' }

/** Places of one kind, and notices, that are listed where the file is too large for all. */
const SHORTENED = 100

const NOTICE_WORDS: Record<Notice['kind'], string> = {
  suppression_expired: 'A suppression has expired and has no effect.',
  suppression_unused: 'A suppression matches no finding.',
  suppression_invalid: 'A suppression is not valid and has no effect.',
  baseline_stale: 'Entries of the baseline are no longer found.',
  baseline_unknown: 'Entries of the baseline name a rule that no pack has.',
  baseline_mismatch: 'An entry of the baseline does not match its finding and has no effect.',
  baseline_renames: 'Renames since the baseline are not available in this clone.',
  cache_refused: 'Cached results were not used: their seal is not valid.',
  cache_not_kept: 'Results are not cached: no key to seal them with.',
  shards_not_authenticated: 'Shards are not sealed with a known key.',
  external_outside: 'Results of another scanner lie outside the repository.',
  external_excluded: 'Results of another scanner lie in files that are excluded.',
  external_unplaced: 'Results of another scanner name no file.',
  external_defect: 'The report of another scanner is not quite SARIF.',
  external_not_run: 'Another scanner was not run.',
  policies_not_run: 'Policies were not evaluated, since a part of the repository was scanned.',
  architecture_not_checked: 'The architecture rules were not checked.',
  requirements_not_traced: 'Requirements were not traced.',
  calls_not_followed: 'Taint analysis analyzed each function on its own: step limit reached.',
  values_not_looked_up: 'Values that stand in other files were not looked up, or files differ about them.',
  other_files_not_followed: 'A part of the repository was scanned: flows between files were not followed.',
  stopped_by_clock: 'A rule or a file was stopped by the clock: results may differ on another machine.',
  unread_file: 'A source file of the change could not be searched.',
  own_libraries: "Libraries of the repository's own with entries that can silence findings",
}

/**
 * What the run did not look at: skipped files by reason, and rules that were not evaluated, each file named. Where the
 * file leaves something out, that is said first, and the first hundred places of a kind stand for the others. For
 * invocation.toolExecutionNotifications (SARIF 2.1.0, 3.20.21).
 */
export function listExecutionNotifications(
  run: Run,
  ruleIndex: ReadonlyMap<string, number>,
  omitted?: LeftOut,
): unknown[] {
  const notifications: unknown[] = omitted ? [leftOutNotification(omitted)] : []
  const isShort = omitted !== undefined
  for (const [reason, files] of groupBy(run.skipped, skip => skip.reason)) {
    for (const part of parts(files, isShort)) {
      notifications.push({
        descriptor: { id: `skipped/${reason}` },
        level: 'note',
        message: {
          text: `${formatCount(isShort ? files.length : part.length, 'file')} not scanned: ${REASONS[part[0]!.reason]}${only(part, files, isShort)}.`,
        },
        locations: distinct(part.map(skip => location(skip.path, skip.detail))),
      })
    }
  }
  for (const [reason, files] of groupBy(run.partly ?? [], file => file.reason)) {
    for (const part of parts(files, isShort)) {
      notifications.push({
        descriptor: { id: `partly/${reason}` },
        level: 'note',
        message: {
          text: `${formatCount(isShort ? files.length : part.length, 'file')} partly scanned: ${REASONS[part[0]!.reason]}${only(part, files, isShort)}.`,
        },
        locations: distinct(part.map(file => location(file.path, file.detail))),
      })
    }
  }
  for (const { rule_id, title, findings, places } of run.to_review ?? []) {
    const index = ruleIndex.get(rule_id)
    notifications.push({
      descriptor: TO_REVIEW,
      associatedRule: { id: replaceLoneSurrogates(rule_id), ...(index !== undefined && { index }) },
      level: 'note',
      message: { text: replaceLoneSurrogates(`${formatCount(findings, 'place')} to review: ${title}`) },
      locations: distinct(places.map(({ file, line }) => location(file, `line ${line}`))),
    })
  }
  for (const { rule_id, findings, files } of run.excluded_by_rule ?? []) {
    const index = ruleIndex.get(rule_id)
    notifications.push({
      descriptor: EXCLUDED_BY_RULE,
      associatedRule: { id: replaceLoneSurrogates(rule_id), ...(index !== undefined && { index }) },
      level: 'note',
      message: {
        text: replaceLoneSurrogates(
          `${formatCount(findings, 'finding')} of ${rule_id} set aside in ${formatCount(files, 'file')}: its exclude_files name them, their code cites a standard that prescribes it, they are rule files that quote code, or a rule that is off finds untrusted input there.`,
        ),
      },
    })
  }
  for (const { rule_id, findings, places } of run.dropped_across_files ?? []) {
    const index = ruleIndex.get(rule_id)
    notifications.push({
      descriptor: DROPPED_ACROSS_FILES,
      associatedRule: { id: replaceLoneSurrogates(rule_id), ...(index !== undefined && { index }) },
      level: 'note',
      message: {
        text: replaceLoneSurrogates(
          `${formatCount(findings, 'finding')} of ${rule_id} dropped: functions of other files sanitize or do not return the input.`,
        ),
      },
      locations: distinct(places.map(place => location(place.file, formatDropped(place)))),
    })
  }
  for (const entries of groupBy(run.not_evaluated, entry => `${entry.rule_id}\n${entry.reason}`).values()) {
    const { rule_id, reason } = entries[0]!
    const index = ruleIndex.get(rule_id)
    const placed = entries.filter(entry => entry.file !== undefined).length
    for (const part of parts(entries, isShort)) {
      const files = part.filter(entry => entry.file !== undefined)
      const details = [
        ...new Set(part.filter(entry => entry.file === undefined && entry.detail).map(entry => entry.detail)),
      ]
      const detail = details.length > 0 ? ` (${details.join('; ')})` : ''
      notifications.push({
        descriptor: { id: `not-evaluated/${reason}` },
        associatedRule: { id: replaceLoneSurrogates(rule_id), ...(index !== undefined && { index }) },
        level: 'warning',
        message: {
          text: replaceLoneSurrogates(
            `Rule ${rule_id} was not evaluated${where(isShort ? placed : files.length)}: ${REASONS[reason]}${detail}${only(part, entries, isShort)}.`,
          ),
        },
        ...(files.length > 0 && { locations: distinct(files.map(entry => location(entry.file!, entry.detail))) }),
      })
    }
  }
  return notifications
}

function leftOutNotification({ text, findings, by_severity }: LeftOut): unknown {
  return { descriptor: LEFT_OUT, level: 'warning', message: { text }, properties: { left_out: findings, by_severity } }
}

/** Suppressions that expired, hold nothing or are not valid; for invocation.toolConfigurationNotifications. */
export function listConfigurationNotifications(run: Run, isShort: boolean): unknown[] {
  return (isShort ? run.notices.slice(0, SHORTENED) : run.notices).map(notice => ({
    descriptor: { id: notice.kind },
    level: 'warning',
    message: { text: replaceLoneSurrogates(notice.detail || NOTICE_WORDS[notice.kind]) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: toArtifactLocation(notice.file),
          ...(notice.line && { region: { startLine: notice.line } }),
        },
      },
    ],
  }))
}

/** The kinds of notification that occur, for tool.driver.notifications. */
export function listNotificationDescriptors(run: Run, isShort: boolean): unknown[] {
  const words = new Map<string, string>()
  if (isShort) words.set(LEFT_OUT.id, 'Code scanning would refuse a file with everything in it.')
  for (const { reason } of run.skipped) words.set(`skipped/${reason}`, `A file was not scanned: ${REASONS[reason]}.`)
  for (const { reason } of run.partly ?? [])
    words.set(`partly/${reason}`, `A file was partly scanned: ${REASONS[reason]}.`)
  if (run.to_review?.length) words.set(TO_REVIEW.id, 'Places that a reviewer decides on.')
  if (run.excluded_by_rule?.length) words.set(EXCLUDED_BY_RULE.id, 'Findings in files that a rule excludes.')
  if (run.dropped_across_files?.length)
    words.set(DROPPED_ACROSS_FILES.id, 'Findings that functions of other files disprove.')
  for (const { reason } of run.not_evaluated) {
    words.set(`not-evaluated/${reason}`, `A rule was not evaluated: ${REASONS[reason]}.`)
  }
  for (const { kind } of run.notices) words.set(kind, NOTICE_WORDS[kind])
  return [...words].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, text]) => ({ id, shortDescription: { text } }))
}

function location(path: string, detail?: string): unknown {
  return {
    physicalLocation: { artifactLocation: toArtifactLocation(path) },
    ...(detail && { message: { text: replaceLoneSurrogates(detail) } }),
  }
}

/** Says that only a part of the places is listed. */
function only(listed: readonly unknown[], all: readonly unknown[], isShort: boolean): string {
  return isShort && listed.length < all.length ? ` (the first ${listed.length} are listed)` : ''
}

function where(files: number): string {
  return files > 0 ? ` in ${formatCount(files, 'file')}` : ''
}

function* parts<T>(items: readonly T[], isShort: boolean): Iterable<readonly T[]> {
  if (isShort) {
    yield items.slice(0, SHORTENED)
    return
  }
  for (let start = 0; start < items.length; start += MAX_LOCATIONS) yield items.slice(start, start + MAX_LOCATIONS)
}

/** The schema wants each location of a notification once. */
function distinct(locations: unknown[]): unknown[] {
  return [...new Map(locations.map(value => [JSON.stringify(value), value])).values()]
}
