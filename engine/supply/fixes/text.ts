import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import type { FixChange, Unfixed } from './plan.ts'

/** The changes, what stays, and the commands that renew lock files. */
export function formatFixes(
  fixes: readonly (FixChange & { applied: boolean })[],
  unfixed: readonly Unfixed[],
  { paint }: View,
): string {
  const commands = [...new Set(fixes.map(({ lock_command }) => lock_command))]
  const applied = fixes.some(one => one.applied)
  return [
    '',
    ...fixes.map(
      ({ file, line, package: name, from, to, removes, breaking, kind }) =>
        `${paint('green', applied ? 'changed' : 'would change')}  ${escapeInvisibleLine(`${file}:${line ?? 1}`)}  ${escapeInvisibleLine(name)}  ${escapeInvisibleLine(from)} → ${escapeInvisibleLine(to)}${kind === 'override' ? ' (override)' : ''}${breaking ? paint('yellow', ' (major version)') : ''}  removes ${removes.join(', ')}`,
    ),
    ...unfixed.map(
      ({ package: name, version, reason, ids }) =>
        `${paint('yellow', 'not fixed')}  ${escapeInvisibleLine(`${name}@${version}`)}  ${ids.join(', ')}: ${escapeInvisibleLine(reason)}`,
    ),
    fixes.length === 0
      ? 'No manifest can be changed.'
      : `${formatCount(fixes.length, 'change')}${applied ? ' made' : ''}. ${applied ? 'Then run' : 'Make them with `svc vulns --fix`, then run'}: ${commands.join('; ')}`,
  ].join('\n')
}
