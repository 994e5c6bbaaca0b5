import { expect, it } from 'vitest'
import { call, place, refused, register } from '../governed.ts'

it('the marker of an agent that is trusted gives none of its trust', async () => {
  const where = place('agent_defaults: { queue_action: block, trust_by_agent: { claude-code: admin } }')
  await register(where, 'claude-code', { scopes: '*' })
  const error = await refused(where, { marker: 'CLAUDECODE' }, 'config.exclude', { paths: ['x'] })
  expect(error.code).toBe('FORBIDDEN')
  const { output } = await call(where, { marker: 'CLAUDECODE' }, 'governance.agent-check', { action: 'edit_config' })
  expect(output.permitted).toBe(false)
})
