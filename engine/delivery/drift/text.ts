import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import type { HeldDrift } from './ask.ts'
import type { DriftResult } from './detect.ts'

/** Entries that a user is shown; -v has all. */
const SHOWN = 30

/** Drift for a terminal, what is not known behind it. */
export function formatDrift(
  { drifts, unknown, unconfirmed, compared, held }: DriftResult & { held: readonly HeldDrift[] },
  { paint, verbose }: View,
): string {
  const limit = verbose ? Number.POSITIVE_INFINITY : SHOWN
  const more = (hidden: number) => (hidden > 0 ? [`  and ${hidden} more; -v shows all`] : [])
  return [
    ...drifts
      .slice(0, limit)
      .map(
        ({ id, type, file, line, message }) =>
          `${paint('red', type.replaceAll('_', ' ').padEnd(19))}  ${escapeInvisibleLine(id)}  ${escapeInvisibleLine(file)}:${line}  ${escapeInvisibleLine(message)}`,
      ),
    ...more(drifts.length - limit),
    ...unknown
      .slice(0, limit)
      .map(
        ({ id, file, line, reason }) =>
          `${paint('yellow', 'not evaluated'.padEnd(19))}  ${escapeInvisibleLine(id)}  ${escapeInvisibleLine(file)}:${line}  ${escapeInvisibleLine(reason)}`,
      ),
    ...more(unknown.length - limit),
    ...held
      .slice(0, limit)
      .map(
        ({ id, file, line, reason }) =>
          `${paint('dim', 'holds (model)'.padEnd(19))}  ${escapeInvisibleLine(id)}  ${escapeInvisibleLine(file)}:${line}  ${reason}`,
      ),
    ...more(held.length - limit),
    `${formatCount(compared, 'confirmed requirement')} compared: ${formatCount(drifts.length, 'drift')}, ${unknown.length} not evaluated.`,
    ...(unconfirmed.length > 0
      ? [
          `${formatCount(unconfirmed.length, 'requirement')} never confirmed, so drift is unknown: \`svc verify-reqs --confirm\` records what the code is now.`,
        ]
      : []),
  ].join('\n')
}
