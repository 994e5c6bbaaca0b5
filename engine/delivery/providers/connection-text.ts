import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import type { Connection } from './connection.ts'
import { TITLES } from './names.ts'
import type { Abilities } from './provider.ts'

const WORDS: Record<keyof Omit<Abilities, 'account' | 'scopes'>, string> = {
  read_repository: 'read the repository',
  comment: 'comment on pull requests',
  set_status: 'set commit statuses',
  write_checks: 'write check runs',
  push: 'push branches',
  create_pull_request: 'create pull requests',
  read_work_items: 'read work items',
  write_work_items: 'change work items',
}

/** A tested connection for a user. */
export function formatConnection(output: object, { paint }: View): string {
  const { connected, provider, repository, base_url, token_source, account, scopes, abilities, problem, hint } =
    output as Connection
  const place = `${TITLES[provider]} (${escapeInvisibleLine(base_url)}), ${escapeInvisibleLine(repository)}`
  if (!connected)
    return `${paint('red', 'Not connected')} to ${place}, token of ${token_source}: ${escapeInvisibleLine(problem ?? '')}\n${hint ?? ''}`
  const lines = Object.entries(WORDS).map(([key, words]) => {
    const state = abilities?.[key as keyof typeof WORDS] ?? 'unknown'
    return `  ${paint(state === 'yes' ? 'green' : state === 'no' ? 'red' : 'yellow', state.padEnd(7))}  ${words}`
  })
  return [
    `${paint('green', 'Connected')} to ${place}${account ? ` as ${escapeInvisibleLine(account)}` : ''}, token of ${token_source}.`,
    ...(scopes ? [`Scopes: ${scopes.map(escapeInvisibleLine).join(', ') || 'none'}`] : []),
    'The token may:',
    ...lines,
    ...(Object.values(abilities ?? {}).includes('unknown')
      ? ['  (unknown: the provider does not tell without trying)']
      : []),
  ].join('\n')
}
