import { type } from 'arktype'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { findTouches, listStagedPaths, listWorkingPaths, loadSettingsInForce } from '../../governance/blast.ts'
import { findStrictest } from '../../governance/zones.ts'
import { ENFORCEMENTS } from '../../sources/config/values.ts'

const EnforcementType = type.enumerated(...ENFORCEMENTS)

export default defineOperation({
  id: 'governance.blast-check',
  summary: 'Show the protected zones of files, and the effect of modifying them.',
  effect: 'read',
  action: null,
  unbound: true,
  cli: 'blast-check [...files]',
  rest: 'POST /api/blast-radius/check',
  mcp: 'check_blast_radius',
  input: type({
    'files?': type('string > 0')
      .array()
      .atMostLength(10000)
      .describe('paths from the current directory (default: all changes since the last commit)'),
    staged: type('boolean').describe('true to check staged changes').default(false),
    '+': 'reject',
  }),
  output: type({
    clear: type('boolean').describe(
      'whether the change is allowed: no file is protected, or in a zone that blocks or requires approval',
    ),
    enforcement: EnforcementType.or('null').describe('the strictest enforcement among the files'),
    enabled: type('boolean').describe('whether zones are enforced (governance.blast_radius.enabled)'),
    checked: 'number.integer',
    touched: type({
      path: 'string',
      zones: type({ zone: 'string', enforcement: EnforcementType }).array(),
      protected: 'boolean',
      enforcement: EnforcementType.or('null'),
      'reason?': 'string',
    })
      .array()
      .describe('the files in a zone, protected files, and files not evaluated'),
  }),
  examples: [
    ['svc blast-check src/auth/login.ts', 'list the protected zones of a file'],
    ['svc blast-check --staged --quiet', 'exit 1 if the commit is denied or needs approval'],
  ],

  async run({ files, staged }, context) {
    const { root, policy } = await loadSettingsInForce(context)
    const own = files && files.length > 0 ? findTouches(policy, root, context.cwd, files) : []
    const told = staged
      ? await listStagedPaths(root, context)
      : own.length === 0
        ? await listWorkingPaths(root, context)
        : []
    const all = [...own, ...findTouches(policy, root, root, told)]
    const touched = all.filter(({ enforcement }) => enforcement !== null)
    const most = findStrictest(touched.map(({ enforcement }) => ({ enforcement: enforcement! }))) ?? null
    return {
      clear: most === null || most === 'warn',
      enforcement: most,
      enabled: policy.blast_radius.enabled,
      checked: all.length,
      touched,
    }
  },

  text({ checked, touched, enabled }, view) {
    if (view.quiet) return ''
    const colour = { block: 'red', hitl: 'yellow', warn: 'blue' } as const
    const lines = touched.map(({ path, zones, enforcement, reason, ...one }) => {
      const why =
        reason ??
        [...(one.protected ? ['protected, admin only'] : []), ...zones.map(z => `${z.zone} (${z.enforcement})`)].join(
          ', ',
        )
      return `${view.paint(colour[enforcement!], enforcement!.padEnd(5))} ${escapeInvisibleLine(path)}: ${why}`
    })
    const none = `${formatCount(checked, 'file')} checked, none of them in a zone.`
    const off = enabled
      ? []
      : [view.paint('dim', 'Zones are not enforced here: governance.blast_radius.enabled is false.')]
    return [...(lines.length > 0 ? lines : [none]), ...off].join('\n')
  },

  exit: ({ clear }) => (clear ? 0 : 1),
})
