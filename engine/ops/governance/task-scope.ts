import { type } from 'arktype'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { defineOperation } from '../../door/operation.ts'
import { makeChainScope } from '../../governance/chain.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { judgePath } from '../../governance/paths.ts'
import { isProtected, listZones, zoneHits } from '../../governance/zones.ts'

export default defineOperation({
  id: 'governance.task-scope',
  summary: 'Check whether paths are within the scope of your task session.',
  effect: 'read',
  action: null,
  cli: null,
  rest: null,
  mcp: 'check_task_scope',
  input: type({
    paths: type('string').array().atLeastLength(1).atMostLength(1000).describe('paths from the project directory'),
    '+': 'reject',
  }),
  output: type({
    session_id: 'string | null',
    in_scope: type('boolean').describe('whether all paths are in scope'),
    paths: type({ path: 'string', in_scope: 'boolean', 'reason?': 'string', zones: 'string[]' }).array(),
  }),

  async run({ paths }, context) {
    const { root, session, chain, policy } = await openGovernance(context)
    const permits = makeChainScope(chain)
    const zones = listZones(policy)
    const answers = paths.map(path => {
      const judged = judgePath(root, context.cwd, path)
      if ('reason' in judged) return { path, in_scope: false, reason: judged.reason, zones: [] }
      const outside = session ? judged.paths.find(one => !permits(one)) : undefined
      const reason = !session
        ? 'no task is bound'
        : outside !== undefined
          ? `${outside} is outside the paths of the task`
          : judged.paths.some(isProtected)
            ? 'it can be modified with the trust level admin only'
            : undefined
      const hits = [...new Set(zoneHits(zones, judged.paths).map(({ zone }) => zone))]
      return { path, in_scope: reason === undefined, zones: hits, ...(reason && { reason }) }
    })
    return { session_id: session?.id ?? null, in_scope: answers.every(({ in_scope }) => in_scope), paths: answers }
  },

  text: ({ paths }) =>
    paths
      .map(
        ({ path, in_scope, reason, zones }) =>
          `${in_scope ? 'in scope' : 'refused'}: ${escapeInvisibleLine(path)}${reason ? `: ${reason}` : ''}${zones.length > 0 ? ` [${zones.join(', ')}]` : ''}`,
      )
      .join('\n'),
})
