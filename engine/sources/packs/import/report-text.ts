import type { View } from '../../../base/text/view.ts'
import { formatCount } from '../../../base/text/words.ts'
import type { ImportReport } from './run.ts'

/** What an import did, for a person. */
export function importText(report: ImportReport, { paint }: View): string {
  const { id, path, rules, controls, left_out, enabled } = report
  const size = [formatCount(rules.length, 'rule'), ...(controls > 0 ? [formatCount(controls, 'control')] : [])].join(
    ', ',
  )
  const lines = [`${paint('green', 'imported')}  ${id} (${size}) into ${path}.`]
  if (left_out.length > 0) {
    lines.push(`Not imported: ${formatCount(left_out.length, 'rule')}.`)
    for (const { id: rule, reason, place } of left_out)
      lines.push(
        `  ${place.file}${place.line === undefined ? '' : `:${place.line}:${place.column}`}  ${rule}: ${reason}`,
      )
  }
  lines.push(
    enabled
      ? 'It is active: `svc scan` uses it.'
      : `It is not active, so no scan uses it. Activate it: svc add-pack ${id}`,
  )
  return lines.join('\n')
}
