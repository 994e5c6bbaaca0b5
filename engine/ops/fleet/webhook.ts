import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { WEBHOOK_PROVIDERS } from '../../fleet/webhook/delivery.ts'
import { receiveDelivery } from '../../fleet/webhook/receive.ts'
import { submitScans } from '../../fleet/webhook/submit.ts'

/** Takes the delivery of a provider's webhook, which shows by a secret who sent it. */
export default defineOperation({
  id: 'fleet.webhook',
  summary: 'Receive a webhook of GitHub, GitLab or Azure DevOps, and queue the scans that it asks for.',
  effect: 'write',
  action: null,
  unbound: true,
  open: true,
  delivery: true,
  cli: null,
  rest: 'POST /api/webhooks/{provider}',
  mcp: null,
  input: type({
    provider: type
      .enumerated(...WEBHOOK_PROVIDERS)
      .configure({ description: `one of ${WEBHOOK_PROVIDERS.join(', ')}` }, 'self'),
    '+': 'reject',
  }),
  output: type({
    state: type("'submitted' | 'ignored'"),
    event: type('string').describe('the event, as the provider calls it'),
    'reason?': type('string').describe('why nothing was queued'),
    queued: 'number.integer',
    known: type('number.integer').describe('queued, running or done before'),
    dead: type('number.integer').describe('dead letters, which are left alone'),
  }),

  run({ provider }, context) {
    const { delivery } = context.caller ?? {}
    if (!delivery) throw new EngineError('USAGE', 'A delivery comes over HTTP.')
    return receiveDelivery(provider, delivery, context, submitScans)
  },

  text: ({ state, reason, queued }) =>
    state === 'ignored' ? `Ignored: ${reason}.` : `Queued ${formatCount(queued, 'scan')}.`,
})
