import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { DamagedType } from '../../sources/store/run-schema.ts'

/** Lets go of old runs; reports and the latest findings in out/ stay. */
export default defineOperation({
  id: 'store.prune',
  summary: 'Remove the oldest runs from the history; the newest run is always kept.',
  effect: 'destroy',
  action: 'edit_config',
  cli: 'history prune',
  rest: null,
  mcp: null,
  input: type({
    'keep?': type('1 <= number.integer <= 100000').describe(
      'runs to keep, 1 to 100000 (default: history.keep of the configuration, 200)',
    ),
    dry_run: type('boolean').describe('true to list the runs to remove without removing them').default(false),
    force: type('boolean').describe('true to remove without confirmation; required without a terminal').default(false),
    '+': 'reject',
  }),
  output: type({
    removed: type('string[]').describe('the ids of the removed runs, oldest first'),
    kept: 'number.integer',
    dry_run: 'boolean',
    damaged: DamagedType.array(),
  }),
  examples: [
    ['svc history prune --keep 50 --dry-run', 'preview the runs to delete'],
    ['svc history prune --keep 50', 'keep the latest 50 runs, after confirmation'],
    ['svc history prune --keep 50 --force', 'delete without confirmation, in a script'],
  ],

  check: async ({ keep, dry_run, force }, context) => {
    if (dry_run || force || context.choose) return
    const most = await findMost(keep, context)
    const { removed } = await runWithStore(context, store => store.prune(most, { dryRun: true }))
    if (removed.length > 0) throw refuseUnasked(removed)
  },

  async run({ keep, dry_run, force }, context) {
    const most = await findMost(keep, context)
    const pruned = await runWithStore(context, async store => {
      const doomed = await store.prune(most, { dryRun: true })
      if (dry_run || doomed.removed.length === 0) return doomed
      if (!force && !(await agreed(doomed, context)))
        return { ...doomed, removed: [], kept: doomed.kept + doomed.removed.length }
      return store.prune(most)
    })
    for (const { reason } of pruned.damaged) context.notice(`${reason} It stays unchanged.`)
    return { ...pruned, dry_run }
  },

  text({ removed, kept, dry_run }, { verbose }) {
    if (removed.length === 0)
      return `Nothing ${dry_run ? 'would be' : 'was'} removed: ${formatCount(kept, 'run')} in the history.`
    const names =
      verbose || removed.length <= 10 ? removed : [...removed.slice(0, 10), `and ${removed.length - 10} more`]
    return [
      `${dry_run ? 'Would remove' : 'Removed'} ${formatCount(removed.length, 'run')}, ${kept} remain:`,
      ...names.map(id => `  ${id}`),
    ].join('\n')
  },
})

/** Asks whether the runs may go. USAGE where there is nobody to ask: what is removed cannot be brought back. */
async function agreed({ removed, kept }: { removed: string[]; kept: number }, { choose }: Context): Promise<boolean> {
  if (!choose) throw refuseUnasked(removed)
  const answer = await choose(`Remove ${formatCount(removed.length, 'run')} and keep the newest ${kept}?`, [
    { value: 'keep', name: 'Keep them' },
    { value: 'remove', name: 'Remove them' },
  ])
  return answer === 'remove'
}

function refuseUnasked(removed: readonly string[]): EngineError {
  return new EngineError(
    'USAGE',
    `This would remove ${formatCount(removed.length, 'run')}, and there is no terminal to confirm it.`,
    {
      hint: 'Name them with --dry-run, remove them with --force.',
    },
  )
}

async function findMost(keep: number | undefined, { cwd, env }: Context): Promise<number> {
  return keep ?? (await loadConfig(cwd, { env })).history.keep
}
