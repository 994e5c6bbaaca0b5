import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { setSessionKey } from '../../review/llm/keys.ts'

/** Keeps the key of a model for as long as the server runs (spec "POST /api/ai-key"): in memory, never on disk, never in an answer. */
export default defineOperation({
  id: 'review.ai-key',
  summary: 'Set the LLM key for this server session; it stays in memory.',
  effect: 'write',
  action: 'edit_config',
  cli: null,
  rest: 'POST /api/ai-key',
  mcp: null,
  input: type({
    provider: type("'anthropic' | 'openai' | 'openai-compatible'").configure(
      { description: 'anthropic, openai or openai-compatible' },
      'self',
    ),
    key: type('0 < string <= 1000').describe('the API key, up to 1000 characters'),
    'model?': type('0 < string <= 200').describe('a model name, up to 200 characters'),
    '+': 'reject',
  }),
  output: type({ provider: 'string', 'model?': 'string', stored: type('string').describe('memory') }),

  check: (_input, context) => refuseAgent(context, 'A key for a model'),

  run({ provider, key, model }, context) {
    refuseAgent(context, 'A key for a model')
    setSessionKey({ provider, key: key.trim(), ...(model !== undefined && { model }) })
    return { provider, ...(model !== undefined && { model }), stored: 'memory' }
  },

  text: ({ provider }) => `The key for ${provider} is kept in memory.`,
})
