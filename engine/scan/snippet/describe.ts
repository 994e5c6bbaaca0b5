import type { Finding } from '../../base/records/finding.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import type { Completed } from '../../detect/snippets/complete.ts'
import type { UnknownOrigin } from './unknown-schema.ts'

/** The finding, whose message also says what the code was taken for. */
export function describeAssumptions(finding: Finding, { assumed, surrounding }: Completed, code: string): Finding {
  const lines = code.split('\n')
  const shown = [finding, ...(finding.flow ?? [])]
    .flatMap(({ line, end_line }) => lines.slice(line - 1, end_line))
    .join('\n')
  const used = assumed.filter(({ name }) => isNamed(name, shown))
  const whole = surrounding === undefined ? [] : [`This code was taken for ${surrounding}.`]
  const names = (used.length + whole.length > 0 ? used : assumed).map(
    ({ name, means }) =>
      `\`${escapeInvisibleLine(name)}\` is declared nowhere in this code; it was taken for ${means}.`,
  )
  const said = names.length > 0 ? names : whole
  return { ...finding, message: [finding.message, ...said].join(' ') }
}

/** The text names it as a word of its own. */
function isNamed(name: string, text: string): boolean {
  return text.split(/[^\w$]+/).includes(name)
}

/** A sink that a name of unknown origin reaches. */
export function describeUnknown({ rule_id, severity, line, column }: Finding, name: string): UnknownOrigin {
  const message = `The origin of \`${escapeInvisibleLine(name)}\` is unknown in this code; untrusted input would be ${rule_id} here. Scan the function or file around it.`
  return { name, rule_id, severity, line, column, message }
}
