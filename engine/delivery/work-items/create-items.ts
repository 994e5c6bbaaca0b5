import { refuseAgent } from '../../governance/acting-agent.ts'
import type { GovernedContext } from '../../governance/context.ts'
import type { Config } from '../../sources/config/load.ts'
import { readStoredToken } from '../oauth/stored-token.ts'
import { ProviderFailure } from '../providers/failure.ts'
import { openProvider } from '../providers/open.ts'
import { formatPlan, type PlannedItem } from './plan-items.ts'

/** A planned item, and what became of it. */
export interface CreatedItem {
  title: string
  findings: string[]
  result: 'planned' | 'created' | 'failed'
  key?: string
  url?: string
  problem?: string
}

/**
 * Makes the items at the provider, once a person agrees to exactly this plan: a user who calls it does, an agent waits for one. One that cannot be
 * made is named and does not stop the others.
 */
export async function createItems(
  items: readonly PlannedItem[],
  config: Config,
  context: GovernedContext,
  name: string | undefined,
): Promise<CreatedItem[]> {
  if (items.length === 0) return []
  if (context.permit)
    await context.permit({
      ...{ action: 'create_pr', paths: [], content: items, diff: formatPlan(items), outward: true },
    })
  else refuseAgent(context, 'reconcile --create --yes', 'others see the work items that it creates')
  const { provider } = await openProvider(config, context, {
    stored: readStoredToken(config, context),
    ...(name !== undefined && { provider: name }),
  })
  try {
    const made: CreatedItem[] = []
    for (const { title, description, labels, findings } of items) {
      context.signal.throwIfAborted()
      try {
        const { key, url } = await provider.createWorkItem({ title, description, labels })
        made.push({ title, findings, result: 'created', key, url })
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error
        made.push({ title, findings, result: 'failed', problem: error.message })
      }
    }
    return made
  } finally {
    await provider.close()
  }
}
