import type { Context } from '../../base/context.ts'
import type { Config } from '../../sources/config/load.ts'
import { readStoredToken } from '../oauth/stored-token.ts'
import { openProvider } from '../providers/open.ts'
import type { ProviderName, WorkItem } from '../providers/provider.ts'

/** A work item in the form of a work items file. */
export interface ListedItem {
  key: string
  title: string
  state: string
  type: string
  url?: string
  updated?: string
}

/** The provider's work items, as `svc reconcile --work-items` reads them from a file. */
export async function readProviderItems(
  config: Config,
  context: Context,
  name?: string,
): Promise<{ provider: ProviderName; work_items: ListedItem[] }> {
  const { provider, settings } = await openProvider(config, context, {
    stored: readStoredToken(config, context),
    ...(name !== undefined && { provider: name }),
  })
  try {
    return { provider: settings.name, work_items: (await provider.listWorkItems()).map(toListed) }
  } finally {
    await provider.close()
  }
}

function toListed({ key, title, state, type, url, updated }: WorkItem): ListedItem {
  return {
    // The reason why GitHub has closed an issue stands behind a colon.
    ...{ key, title: title.slice(0, 500) || key, state: state.replace(/^closed:.*$/, 'closed'), type },
    ...(/^https?:\/\/\S{1,2000}$/.test(url) && { url }),
    ...(updated !== '' && { updated }),
  }
}
