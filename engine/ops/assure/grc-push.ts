import { basename, resolve } from 'node:path'
import { type } from 'arktype'
import { type Delivery, deliverEvents } from '../../assure/grc/deliver.ts'
import { GRC_EVENTS, makeEvent, makeTestEvent, type PushedVulnerabilities } from '../../assure/grc/event.ts'
import { mapEvent } from '../../assure/grc/mappings.ts'
import { EngineError } from '../../base/errors.ts'
import { redactCredentials } from '../../base/text/credentials.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { runWithStore, type Store } from '../../sources/store/open.ts'
import { loadReport } from '../../supply/advisories/stored.ts'

const DeliveryType = type({
  id: type('string').describe('the idempotency key'),
  event: 'string',
  delivered: 'boolean',
  resent: type('boolean').describe('whether an earlier push had failed to deliver it'),
  'reason?': 'string',
})

/** Tells a GRC platform what a run came to; what is not delivered is kept and sent again with the next push. */
export default defineOperation({
  id: 'assure.grc-push',
  summary: 'Push the result of a run to a GRC platform or webhook.',
  effect: 'write',
  action: 'run_scan',
  cli: 'grc-push',
  rest: null,
  mcp: null,
  short: { event: 'e' },
  examples: [
    ['svc grc-push --test', 'send an event that says that it is a test'],
    ['svc grc-push --event gate_passed', 'push the result of the gate'],
    ['svc grc-push --dry-run', 'show the requests and send none'],
    ['svc grc-push --resend', 'send only what was not delivered before'],
  ],
  input: type({
    event: type
      .enumerated(...GRC_EVENTS)
      .configure({ description: 'scan_complete, gate_passed, gate_failed or vuln_scan' }, 'self')
      .default('scan_complete'),
    test: type('boolean').describe('true or false: send a test event instead').default(false),
    resend: type('boolean').describe('true or false: send undelivered events only').default(false),
    dry_run: type('boolean').describe('true or false: show the requests and send none').default(false),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    '+': 'reject',
  }),
  output: type({
    deliveries: DeliveryType.array(),
    'requests?': type({ url: 'string', headers: { '[string]': 'string' }, body: 'string' }).array(),
  }),

  async run({ event: name, test, resend, dry_run, config: named }, context) {
    const { cwd, env } = context
    const config = await loadConfig(cwd, { env, ...(named !== undefined && { path: resolve(cwd, named) }) })
    const { root, grc, grc_webhook_url: url } = config
    if (url === undefined)
      throw new EngineError('CONFIG_INVALID', 'No GRC address is configured.', {
        hint: 'Set grc_webhook_url in .svc/config.yaml, or GUARD_GRC_WEBHOOK_URL.',
      })
    const destination = { target: grc.target, url, ...(grc.resource !== undefined && { resource: grc.resource }) }
    const own = { ...context, cwd: root }
    // A gate on a change is one to tell of; what the repository is like, a scan of a part does not say.
    const ref = async (store: Store) => (name.startsWith('gate_') ? 'latest' : (await store.standing()).id)
    const run = test || resend ? undefined : await runWithStore(own, async store => store.runWithGate(await ref(store)))
    const vulnerabilities =
      run && name === 'vuln_scan' ? ((await loadReport(false, own)) as unknown as PushedVulnerabilities) : undefined
    const event = test
      ? makeTestEvent(basename(root), new Date())
      : run && makeEvent(name, run, run.root_name, vulnerabilities)
    if (dry_run) {
      const requests = event ? mapEvent(event, destination, { ...env, GUARD_GRC_TOKEN: undefined }) : []
      return { deliveries: [], requests: requests.map(each => ({ ...each, url: redactCredentials(each.url) })) }
    }
    return { deliveries: await deliverEvents(root, event, destination, context) }
  },

  text({ deliveries, requests }, { paint }) {
    if (requests)
      return requests
        .map(
          ({ url, headers, body }) =>
            `POST ${url}\n${Object.entries(headers)
              .map(([key, value]) => `${key}: ${value}`)
              .join('\n')}\n\n${body}`,
        )
        .join('\n\n')
    if (deliveries.length === 0) return 'There is nothing to send.'
    return deliveries
      .map(({ event, id, delivered, resent, reason }) =>
        delivered
          ? `${paint('green', resent ? 'Resent' : 'Delivered')}: ${event} ${id}.`
          : `${paint('red', 'Not delivered')}: ${event} ${id}: ${escapeInvisibleLine(reason ?? '')}.${event === 'test' ? '' : ' It is kept, and sent with the next push.'}`,
      )
      .join('\n')
  },

  exit: ({ deliveries }) => (deliveries.every(({ delivered }: Pick<Delivery, 'delivered'>) => delivered) ? 0 : 69),
})
