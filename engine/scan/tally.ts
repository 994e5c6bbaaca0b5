import { EngineError } from '../base/errors.ts'
import { countBySeverity, type Finding } from '../base/records/finding.ts'
import { resolveRuleId } from '../base/records/rule-ids.ts'
import type { NotEvaluated, Notice, RunCounts } from '../base/records/run.ts'
import { SKIP_REASONS, type Skip } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { findTraits } from '../detect/rules/traits.ts'
import { findParserPath, LOADED } from '../detect/syntax/grammar.ts'
import type { ScannedFiles } from './scanned-files.ts'

/** The rules that no file of a language can be asked, for want of its grammar. */
export function findWithoutGrammar(rules: readonly CompiledRule[], languages: ReadonlySet<string>): NotEvaluated[] {
  const missing = new Set(Object.keys(LOADED).filter(language => languages.has(language) && !findParserPath(language)))
  if (missing.size === 0) return []
  return rules
    .filter(rule => findTraits(rule)?.parses && rule.languages.some(language => missing.has(language)))
    .map(rule => ({
      rule_id: resolveRuleId(rule.id),
      reason: 'no_grammar' as const,
      detail: rule.languages.filter(language => missing.has(language)).join(', '),
    }))
}

/** Rules that had a file to look at and were not held back from all of them. */
export function listEvaluatedRules(
  rules: readonly CompiledRule[],
  files: ScannedFiles,
  notEvaluated: readonly NotEvaluated[],
): CompiledRule[] {
  const present = files.languages()
  const held = new Set(notEvaluated.filter(({ file }) => file === undefined).map(({ rule_id }) => rule_id))
  return rules.filter(
    rule =>
      !(held.size > 0 && held.has(resolveRuleId(rule.id))) &&
      rule.languages.some(language => language === 'any' || present.has(language)),
  )
}

/** The counts of a run's record. */
export function countAll(
  findings: readonly Finding[],
  files: ScannedFiles,
  skipped: readonly Skip[],
  rules: number,
  bytes: number,
): RunCounts {
  const open = findings.filter(({ status }) => status === 'open')
  const baseline = findings.filter(({ status }) => status === 'baseline')
  const counts: RunCounts = {
    files: files.count,
    bytes,
    lines: files.lines,
    skipped: {},
    languages: {},
    rules,
    findings: findings.length,
    open: open.length,
    suppressed: findings.filter(({ status }) => status === 'suppressed').length,
    baseline: baseline.length,
    by_severity: countBySeverity(open),
    ...(baseline.length > 0 && { baseline_by_severity: countBySeverity(baseline) }),
  }
  for (const reason of SKIP_REASONS) {
    const count = skipped.filter(skip => skip.reason === reason).length
    if (count > 0) counts.skipped[reason] = count
  }
  counts.languages = Object.fromEntries([...files.languages()].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
  return counts
}

/** The error of a scan that could read no file, with the reasons. */
export function refuseEmptyScan(skipped: readonly Skip[]): EngineError {
  const counts = new Map<string, number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const why = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
  if (why.length === 0)
    return new EngineError('NOTHING_TO_SCAN', 'No file could be scanned: there is none here.', {
      hint: 'Start it in the directory of a project, or pass the path of one.',
    })
  return new EngineError('NOTHING_TO_SCAN', `No file could be scanned: ${why.join(', ')}.`)
}

/** That the clock stopped something, once a file: a run on another machine may have more to say. */
export function listClockNotices(
  skipped: readonly { path: string; reason: string }[],
  failures: readonly NotEvaluated[],
): Notice[] {
  const stopped = [...skipped.map(({ path, reason }) => ({ file: path, reason })), ...failures].filter(
    ({ reason, file }) => reason === 'timed_out' && file !== undefined,
  )
  const detail = 'stopped by the clock: results may differ on another machine'
  return [...new Set(stopped.map(({ file }) => file!))].sort().map(file => ({ kind: 'stopped_by_clock', file, detail }))
}

/** In place: by file. */
export function sortNotices(notices: Notice[]): Notice[] {
  return notices.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
}

/** In place: by path, then reason. */
export function sortByReason<T extends { path: string; reason: string }>(files: T[]): T[] {
  return files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.reason < b.reason ? -1 : 1))
}

/** In place: by file, then rule, then reason. */
export function sortFailures(failures: NotEvaluated[]): NotEvaluated[] {
  const key = ({ rule_id, file = '', reason }: NotEvaluated) => `${file}\0${rule_id}\0${reason}`
  return failures.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}
