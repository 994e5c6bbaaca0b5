import { resolve } from 'node:path'
import { type } from 'arktype'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { syncStates } from '../../delivery/work-items/sync.ts'
import { defineOperation } from '../../door/operation.ts'

/** Shows which work items are in another state than the trace says, and sets them with `yes`. */
export default defineOperation({
  id: 'delivery.sync',
  summary: 'Sync the states of work items to the DevOps provider: show a plan, and apply it with --yes.',
  effect: 'write',
  action: ({ yes }) => (yes ? 'create_pr' : 'read_findings'),
  cli: 'sync',
  rest: null,
  mcp: null,
  short: { provider: 'p' },
  examples: [
    ['svc sync', 'show which states would be set'],
    ['svc sync --yes', 'set them'],
  ],
  input: type({
    'provider?': type('string > 0').describe(
      'a provider (github, gitlab, azure, jira, or devops_a, devops_b, devops_c); default: providers.default',
    ),
    yes: type('boolean').describe('true to apply the plan').default(false),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    '+': 'reject',
  }),
  output: type({
    provider: 'string',
    applied: 'boolean',
    changes: type({
      requirement: 'string',
      key: 'string',
      trace_state: 'string',
      'from?': type('string').describe('the state that the work item had'),
      'to?': type('string').describe('the state by providers.<name>.states'),
      result: type.enumerated('planned', 'applied', 'unchanged', 'unmapped', 'missing', 'failed'),
      'problem?': 'string',
    }).array(),
  }),
  run: ({ config, ...input }, context) =>
    syncStates(input, context, config === undefined ? undefined : resolve(context.cwd, config)),
  text({ provider, applied, changes }, { paint }) {
    const shown = changes.filter(({ result }) => result !== 'unchanged')
    const lines = shown.map(({ requirement, key, trace_state, from, to, result, problem }) => {
      const names = `${escapeInvisibleLine(key)} (${escapeInvisibleLine(requirement)}, ${trace_state})`
      if (result === 'missing') return paint('yellow', `missing   ${names}: ${provider} has no such work item`)
      if (result === 'unmapped')
        return `unmapped  ${names}: no state for ${trace_state} in providers.${provider}.states`
      const change = `${names}: ${escapeInvisibleLine(from ?? '')} → ${escapeInvisibleLine(to ?? '')}`
      return result === 'failed'
        ? paint('red', `failed    ${change}: ${escapeInvisibleLine(problem ?? '')}`)
        : `${result.padEnd(8)}  ${change}`
    })
    const planned = changes.filter(({ result }) => result === 'planned').length
    const end = applied
      ? `${formatCount(changes.filter(({ result }) => result === 'applied').length, 'state')} set.`
      : planned > 0
        ? `${formatCount(planned, 'state')} would be set; apply with \`svc sync --yes\`.`
        : 'Nothing to set.'
    return [...lines, end].join('\n')
  },
  exit: ({ changes }) => (changes.some(({ result }) => result === 'failed') ? 1 : 0),
})
