import type { View } from '../../../base/text/view.ts'
import { escapeInvisibleLine } from '../../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../../base/text/words.ts'
import type { ArchitectureResult, JudgedViolation } from '../run.ts'

/** Violations of a rule, and imports without a target, that are shown without -v. */
const SHOWN = 20

/** The result of a check for a reader: violations by rule with their reason, and what is unknown. */
export function formatResult(result: ArchitectureResult, view: View): string {
  const { graph, written, rules, violations, counts, passed } = result
  if (graph !== undefined) return graph.replace(/\n$/, '')
  const { paint, quiet } = view
  if (quiet && passed) return ''
  const open = violations.filter(({ status }) => status === 'open')
  const verdict = passed
    ? paint('green', rules === null ? 'No rules were checked' : 'No open violations')
    : paint('red', open.length === 0 ? 'Not wholly checked: no violation' : formatCount(open.length, 'violation'))
  const held = [
    counts.baseline > 0 && `${groupDigits(counts.baseline)} in the baseline`,
    counts.suppressed > 0 && `${groupDigits(counts.suppressed)} suppressed`,
  ].filter(Boolean)
  return [
    written && `${paint('green', 'Written')}: ${written}`,
    ...formatRules(open, view),
    `${verdict}${held.length > 0 ? ` (${held.join(', ')})` : ''}${rules === null ? '' : ` of ${rules}`}. ${describeGraph(result)}`,
    ...formatUntranslated(result, view),
    ...formatUnknown(result, view),
    open.length > 0 &&
      counts.baseline === 0 &&
      paint('dim', '`svc scan --update-baseline` accepts the present violations; new ones then fail.'),
  ]
    .filter(line => typeof line === 'string' && line !== '')
    .join('\n')
}

function formatRules(open: readonly JudgedViolation[], { paint, verbose }: View): string[] {
  const byRule = new Map<string, JudgedViolation[]>()
  for (const violation of open) {
    const found = byRule.get(violation.rule)
    if (found) found.push(violation)
    else byRule.set(violation.rule, [violation])
  }
  return [...byRule]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([rule, found]) => {
      const shown = verbose ? found : found.slice(0, SHOWN)
      const reasons = [...new Set(found.map(({ reason }) => reason).filter(Boolean))]
      return [
        `${paint('bold', rule)}  ${formatCount(found.length, 'violation')}, ${found[0]!.severity}`,
        ...reasons.map(reason => `  ${paint('dim', escapeInvisibleLine(reason))}`),
        ...shown.map(({ file, line, message, imported }) => {
          const module =
            imported === null || message.includes(imported) ? '' : paint('dim', `  "${escapeInvisibleLine(imported)}"`)
          return `  ${paint('cyan', `${escapeInvisibleLine(file)}:${line}`)}  ${escapeInvisibleLine(message)}${module}`
        }),
        ...(found.length > shown.length
          ? [paint('dim', `  … ${groupDigits(found.length - shown.length)} more; -v shows all`)]
          : []),
        '',
      ]
    })
}

function describeGraph({ files, imports, languages }: ArchitectureResult): string {
  const names = Object.entries(languages).map(([name, count]) => `${name} ${groupDigits(count)}`)
  const types = imports.type_only > 0 ? ` (${groupDigits(imports.type_only)} of types alone)` : ''
  return `${formatCount(files, 'file')} (${names.join(', ') || 'none'}), ${formatCount(imports.internal, 'import')} between them${types}, ${groupDigits(imports.packages)} of packages.`
}

function formatUntranslated({ untranslated }: ArchitectureResult, { paint }: View): string[] {
  if (untranslated.length === 0) return []
  return [
    paint('yellow', `Not checked, ${formatCount(untranslated.length, 'part')} without a counterpart:`),
    ...untranslated.map(({ rule, reason }) => `  ${escapeInvisibleLine(rule)}: ${escapeInvisibleLine(reason)}`),
  ]
}

function formatUnknown(result: ArchitectureResult, { paint, verbose }: View): string[] {
  const { unresolved_counts: counts, unresolved, unread, notices } = result
  const parts = [
    counts.missing > 0 && `${groupDigits(counts.missing)} lead nowhere`,
    counts.computed > 0 && `${groupDigits(counts.computed)} computed at run time`,
    counts.outside > 0 && `${groupDigits(counts.outside)} of files that are not scanned`,
  ].filter(Boolean)
  const shown = verbose ? unresolved : unresolved.filter(({ state }) => state === 'missing').slice(0, SHOWN)
  return [
    ...(parts.length > 0 ? [paint('yellow', `Unresolved imports: ${parts.join(', ')}.`)] : []),
    ...shown.map(
      ({ file, line, specifier, reason }) =>
        `  ${paint('dim', `${escapeInvisibleLine(file)}:${line}`)}  ${escapeInvisibleLine(specifier)}: ${escapeInvisibleLine(reason)}`,
    ),
    ...(unread.length > 0
      ? [
          paint(
            'yellow',
            `Imports unknown of ${formatCount(unread.length, 'file')}; \`exclude\` in the file of the rules leaves files out:`,
          ),
        ]
      : []),
    ...unread
      .slice(0, verbose ? unread.length : SHOWN)
      .map(({ path, reason }) => `  ${escapeInvisibleLine(path)}: ${reason}`),
    ...notices.map(notice => paint('yellow', escapeInvisibleLine(notice))),
  ]
}
