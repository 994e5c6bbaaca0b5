import type { Finding, Suppression } from '../base/records/finding.ts'
import type { Notice } from '../base/records/run.ts'
import { compileGlob } from '../base/text/glob.ts'
import { findNearest } from '../base/text/nearest.ts'
import type { InlineIgnore } from '../detect/rules/inline.ts'
import { SUPPRESSIONS_PATH } from '../sources/config/paths.ts'
import type { SuppressionEntry } from './suppression-file.ts'

/** The inline suppressions of a file. */
export interface FileIgnores {
  ignores: readonly InlineIgnore[]
}

export interface Judgement {
  /** ISO 8601 date; an entry holds through the day on which it expires. */
  today: string
  /** Every file was scanned, so a suppression that met nothing is unused. */
  whole: boolean
  /** Whether any pack has the rule; absent, every rule is taken to exist. */
  isRule?: (rule_id: string) => boolean
  /** What a mistyped rule may have been meant for. */
  rule_ids?: () => readonly string[]
}

/**
 * Marks the findings that an inline or a file suppression covers, by the rule or by one of the finding's aliases: status and reason, never dropped, the order kept. The
 * notices name what does not hold or no longer serves: without a reason, expired, unused. Findings that were given are not changed.
 */
export function applySuppressions(
  findings: readonly Finding[],
  inline: ReadonlyMap<string, FileIgnores>,
  entries: readonly SuppressionEntry[],
  { today, whole, isRule = () => true, rule_ids = () => [] }: Judgement,
): { findings: Finding[]; notices: Notice[] } {
  const held = entries
    .filter(entry => !isExpired(entry, today))
    .map(entry => ({ entry, covers: makeFileMatcher(entry.file), used: false }))
  const byRule = new Map<string, typeof held>()
  for (const holder of held) {
    const same = byRule.get(holder.entry.rule)
    if (same) same.push(holder)
    else byRule.set(holder.entry.rule, [holder])
  }
  const used = new Map<InlineIgnore, Set<string>>()

  const judged = findings.map(finding => {
    let suppression: Suppression | undefined
    const ids = [finding.rule_id, ...(finding.also ?? [])]
    for (const ignore of inline.get(finding.file)?.ignores ?? []) {
      const named = ignore.fault === undefined ? ids.filter(id => ignore.rules.includes(id)) : []
      if (named.length === 0 || !covers(ignore, finding.line)) continue
      suppression ??= { kind: 'inline', reason: ignore.reason }
      if (!used.has(ignore)) used.set(ignore, new Set())
      for (const id of named) used.get(ignore)!.add(id)
    }
    for (const holder of ids.flatMap(id => byRule.get(id) ?? [])) {
      if (!holder.covers(finding.file)) continue
      holder.used = true
      suppression ??= suppressionOf(holder.entry)
    }
    return suppression ? { ...finding, status: 'suppressed' as const, suppression } : finding
  })

  const why = (rule: string) => (isRule(rule) ? undefined : noRule(rule, rule_ids()))
  const notices = inlineNotices(inline, used, whole, why)
  for (const entry of entries) if (isExpired(entry, today)) notices.push(expired(entry))
  for (const { entry, used: met } of held) if (whole && !met) notices.push(unused(entry, why(entry.rule)))
  return { findings: judged, notices }
}

function covers({ line, last_line, also = [] }: InlineIgnore, at: number): boolean {
  return [[line, last_line] as const, ...also].some(([first, last]) => first <= at && at <= last)
}

/** Whether an entry no longer holds on a day. */
export function isExpired({ expires }: Pick<SuppressionEntry, 'expires'>, today: string): boolean {
  return expires !== undefined && expires < today
}

/**
 * Whether a path is covered by an entry's `file`: a file, a folder or an archive with all in it, or a glob from the repository's root
 * (`**` crosses folders); everything where it is absent.
 */
export function makeFileMatcher(file: string | undefined): (path: string) => boolean {
  if (file === undefined) return () => true
  const plain = file.replace(/^(\.?\/)+/, '').replace(/\/+$/, '')
  const glob = compileGlob(plain)
  return path => path === plain || path.startsWith(`${plain}/`) || path.startsWith(`${plain}!`) || glob(path)
}

function suppressionOf({ reason, expires, approved_by }: SuppressionEntry): Suppression {
  const suppression: Suppression = { kind: 'file', reason }
  if (expires !== undefined) suppression.expires = expires
  if (approved_by !== undefined) suppression.approved_by = approved_by
  return suppression
}

function inlineNotices(
  inline: ReadonlyMap<string, FileIgnores>,
  used: ReadonlyMap<InlineIgnore, ReadonlySet<string>>,
  whole: boolean,
  why: (rule: string) => string | undefined,
): Notice[] {
  const notices: Notice[] = []
  for (const [file, { ignores }] of [...inline].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const ignore of ignores) {
      const at = { file, line: ignore.line }
      if (ignore.fault !== undefined) {
        notices.push({ kind: 'suppression_invalid', ...at, detail: `svc-ignore ${ignore.fault}, so it has no effect.` })
        continue
      }
      const idle = ignore.rules.filter(rule => !used.get(ignore)?.has(rule))
      if (!whole || idle.length === 0) continue
      const because = idle.map(why).find(reason => reason !== undefined)
      const detail = `svc-ignore of ${idle.join(', ')} covers no finding${because === undefined ? '.' : `: ${because}`}`
      notices.push({ kind: 'suppression_unused', ...at, detail })
    }
  }
  return notices
}

function expired(entry: SuppressionEntry): Notice {
  const detail = `The suppression of ${describe(entry)} expired on ${entry.expires} and no longer holds.`
  return { kind: 'suppression_expired', file: SUPPRESSIONS_PATH, line: entry.line, detail }
}

function unused(entry: SuppressionEntry, why: string | undefined): Notice {
  const detail = `The suppression of ${describe(entry)} covers no finding${why === undefined ? '.' : `: ${why}`}`
  return { kind: 'suppression_unused', file: SUPPRESSIONS_PATH, line: entry.line, detail }
}

function noRule(rule: string, rule_ids: readonly string[]): string {
  const meant = findNearest(rule, rule_ids)
  return `there is no rule ${rule}${meant ? `; did you mean ${meant}?` : '.'}`
}

function describe({ rule, file }: SuppressionEntry): string {
  return file === undefined ? rule : `${rule} in ${file}`
}
