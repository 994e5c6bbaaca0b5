import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { runWithQueue } from '../../fleet/queue/open.ts'

/** Takes out of the queue what no worker has begun. */
export default defineOperation({
  id: 'fleet.drain',
  summary: 'Remove everything from the queue of the fleet that is not running.',
  effect: 'destroy',
  action: 'edit_config',
  cli: 'fleet drain',
  rest: null,
  mcp: null,
  input: type({
    dead: type('boolean').describe('true to remove dead letters as well').default(false),
    force: type('boolean').describe('true to remove without confirmation; required without a terminal').default(false),
    '+': 'reject',
  }),
  output: type({
    removed: type('number.integer').describe('jobs that waited'),
    dead: type('number.integer').describe('removed dead letters'),
    running: type('number.integer').describe('jobs that are still running, and end'),
  }),
  examples: [
    ['svc fleet drain', 'empty the queue, after confirmation'],
    ['svc fleet drain --dead --force', 'empty the queue and remove dead letters, in a script'],
  ],

  check: ({ force }, context) => refuseUnasked(force, context),

  run: ({ dead, force }, context) =>
    runWithQueue(context, async queue => {
      if (!force) {
        const { waiting, delayed, divided, dead: letters } = await queue.status({ last: 1 })
        const count = delayed + divided + Object.values(waiting).reduce((sum, one) => sum + one, 0)
        refuseUnasked(force, context)
        const also = dead ? ` and ${formatCount(letters, 'dead letter')}` : ''
        const answer = await context.choose!(`Remove ${formatCount(count, 'waiting job')}${also}?`, [
          { value: 'no', name: 'Keep them' },
          { value: 'yes', name: 'Remove them' },
        ])
        if (answer !== 'yes') return { removed: 0, dead: 0, running: 0 }
      }
      return queue.drain({ dead })
    }),

  text: ({ removed, dead, running }) =>
    `Removed ${formatCount(removed, 'waiting job')}${dead > 0 ? ` and ${formatCount(dead, 'dead letter')}` : ''}${running > 0 ? `; ${running} still running` : ''}.`,
})

/** USAGE where nobody can be asked and nothing was said beforehand. */
function refuseUnasked(force: boolean, { choose }: Pick<Context, 'choose'>): void {
  if (force || choose) return
  throw new EngineError('USAGE', 'Without a terminal, fleet drain needs --force.', {
    hint: '`svc fleet status` shows what would be removed.',
  })
}
