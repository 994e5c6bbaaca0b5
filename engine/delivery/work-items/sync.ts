import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { readStoredToken } from '../oauth/stored-token.ts'
import { ProviderFailure } from '../providers/failure.ts'
import { openProvider } from '../providers/open.ts'
import type { ProviderName } from '../providers/provider.ts'
import { readRequirements } from '../requirements/read.ts'
import { traceRequirements } from '../trace/gather.ts'
import { listRepository, reportProgress } from '../trace/listing.ts'

/** A work item whose state is to change, or why it does not. */
export interface PlannedState {
  requirement: string
  key: string
  /** State of the trace: covered, partly, untested, unimplemented, suspect. */
  trace_state: string
  from?: string
  to?: string
  result: 'planned' | 'applied' | 'unchanged' | 'unmapped' | 'missing' | 'failed'
  problem?: string
}

export interface Synced {
  provider: ProviderName
  applied: boolean
  changes: PlannedState[]
}

/**
 * Compares the trace's states, by `providers.<name>.states`, with those of the provider's work items, and sets what differs where `yes`. An item
 * that cannot be set is named and does not stop the others. CONFIG_INVALID without a mapping.
 */
export async function syncStates(
  { provider: name, yes }: { provider?: string; yes: boolean },
  context: Context,
  path?: string,
): Promise<Synced> {
  const { config, listing } = await listRepository(context, path)
  const { provider, settings } = await openProvider(config, context, {
    stored: readStoredToken(config, context),
    ...(name !== undefined && { provider: name }),
  })
  try {
    const states = new Map(Object.entries(settings.states))
    if (states.size === 0)
      throw new EngineError('CONFIG_INVALID', `providers.${settings.name}.states maps no state.`, {
        hint: `Map states of requirements, for example \`states: { covered: closed, unimplemented: open }\`; see docs/work-items.md.`,
      })
    const set = await readRequirements(listing, config, context.signal)
    const onProgress = reportProgress(context, 'trace')
    const { rows } = await traceRequirements({ config, listing, signal: context.signal, onProgress })
    const items = new Map((await provider.listWorkItems()).map(item => [item.key, item]))
    const changes: PlannedState[] = []
    for (const { id, state } of rows) {
      const source = set.byId.get(id)?.source
      if (source?.provider !== settings.name || !state) continue
      const planned: PlannedState = { requirement: id, key: source.key, trace_state: state, result: 'planned' }
      changes.push(planned)
      const [item, to] = [items.get(source.key), states.get(state)]
      if (item) planned.from = item.state
      if (to !== undefined) planned.to = to
      if (!item) planned.result = 'missing'
      else if (to === undefined) planned.result = 'unmapped'
      else if (isSameState(item.state, to)) planned.result = 'unchanged'
    }
    if (yes)
      for (const change of changes.filter(({ result }) => result === 'planned'))
        try {
          await provider.setWorkItemState(change.key, change.to!)
          change.result = 'applied'
        } catch (error) {
          if (!(error instanceof ProviderFailure)) throw error
          change.result = 'failed'
          change.problem = error.message
        }
    return { provider: settings.name, applied: yes, changes }
  } finally {
    await provider.close()
  }
}

/** GitHub names the reason of a closed issue behind a colon; GitLab's `opened` is what others call open. */
function isSameState(now: string, to: string): boolean {
  const plain = (state: string) =>
    state
      .toLowerCase()
      .replace(/^opened$/, 'open')
      .replace(/:completed$/, '')
  return plain(now) === plain(to)
}
