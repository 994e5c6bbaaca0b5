import type { View } from '../../../base/text/view.ts'
import { formatCount } from '../../../base/text/words.ts'
import type { ImportReport } from './run.ts'

/** What an import did, for a person. */
export function importText(report: ImportReport, { paint }: View): string {
  const { id, path, rules, controls, libraries, left_out, enabled } = report
  const size = [
    formatCount(rules.length, 'rule'),
    ...(libraries.length > 0 ? [formatCount(libraries.length, 'library', 'libraries')] : []),
    ...(controls > 0 ? [formatCount(controls, 'control')] : []),
  ].join(', ')
  const lines = [`${paint('green', 'imported')}  ${id} (${size}) into ${path}.`]
  for (const { name, entries, silencing, unused } of libraries) {
    const counts = Object.entries(entries).map(([key, count]) => `${key} ${count}`)
    lines.push(`library   ${name}: ${counts.join(', ')}${silencing > 0 ? `; ${silencing} can silence findings` : ''}.`)
    if (unused.length > 0) lines.push(`  Not used in this repository: ${listFirst(unused)}.`)
  }
  if (left_out.length > 0) {
    lines.push(`Not imported: ${formatCount(left_out.length, report.format === 'codeql' ? 'row' : 'rule')}.`)
    for (const { id: rule, reason, place } of left_out)
      lines.push(
        `  ${place.file}${place.line === undefined ? '' : `:${place.line}:${place.column}`}  ${rule}: ${reason}`,
      )
  }
  // Libraries add to what the rules of all packs know, whether their own pack is on or not.
  if (libraries.length > 0) lines.push('Every scan uses its libraries.')
  if (rules.length === 0 && libraries.length > 0) return lines.join('\n')
  lines.push(
    enabled
      ? 'It is active: `svc scan` uses it.'
      : `It is not active, so no scan uses it. Activate it: svc add-pack ${id}`,
  )
  return lines.join('\n')
}

/** Names that are listed; the rest is counted. */
const MOST_NAMES = 10

function listFirst(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`
}
