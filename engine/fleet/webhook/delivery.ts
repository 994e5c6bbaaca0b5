import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { EngineError } from '../../base/errors.ts'

/** Providers whose deliveries are read. */
export const WEBHOOK_PROVIDERS = ['github', 'gitlab', 'azure'] as const
export type WebhookProvider = (typeof WEBHOOK_PROVIDERS)[number]

/** A request as it came. */
export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Uint8Array
}

/** The variable with what the provider and this server share. */
export const SECRET_VARIABLES: Record<WebhookProvider, string> = {
  github: 'SVC_WEBHOOK_SECRET_GITHUB',
  gitlab: 'SVC_WEBHOOK_SECRET_GITLAB',
  azure: 'SVC_WEBHOOK_SECRET_AZURE',
}
/** A shorter secret could be guessed. */
const SHORTEST = 16

/**
 * Refuses a delivery that the provider has not sent: GitHub signs the body (HMAC-SHA256), GitLab sends the secret, Azure DevOps sends user and password.
 * The time taken tells nothing about how much of it was right. UNAUTHENTICATED where it is wrong or missing, TOOL_MISSING where this server
 * has no secret for the provider.
 */
export function authenticate(
  provider: WebhookProvider,
  { headers, body }: Delivery,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const variable = SECRET_VARIABLES[provider]
  const secret = env[variable]
  if (!secret || secret.length < SHORTEST)
    throw new EngineError('TOOL_MISSING', `This server takes no deliveries of ${provider}.`, {
      hint: `Start it with ${variable}, at least ${SHORTEST} characters${provider === 'azure' ? ': <user>:<password>' : ''}, the same as in the provider's webhook.`,
    })
  const [name, expected] = makeExpected(provider, secret, body)
  const given = headers[name]
  if (typeof given === 'string' && isEqual(given, expected)) return
  throw new EngineError('UNAUTHENTICATED', `The delivery has no ${name}, or a wrong one.`, {
    hint: `Compare the webhook's secret with ${variable} of this server.`,
  })
}

/** The header that shows who sent it, and its value. */
function makeExpected(provider: WebhookProvider, secret: string, body: Uint8Array): [name: string, value: string] {
  if (provider === 'github')
    return ['x-hub-signature-256', `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`]
  if (provider === 'gitlab') return ['x-gitlab-token', secret]
  return ['authorization', `Basic ${Buffer.from(secret).toString('base64')}`]
}

/** Digests are of equal length, which timingSafeEqual needs. */
function isEqual(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(left!, right!)
}

/**
 * What a delivery is remembered by: the id that the provider gave it, and the digest of its body. The id stands in a header that GitHub does not
 * sign, so a body that comes again under another id is a replay, too.
 */
export function listDeliveryMarks(provider: WebhookProvider, { headers, body }: Delivery, payload: unknown): string[] {
  const id =
    provider === 'github'
      ? headers['x-github-delivery']
      : provider === 'gitlab'
        ? (headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'])
        : (payload as { id?: unknown } | null)?.id
  if (typeof id !== 'string' || !/^[\w-]{8,128}$/.test(id))
    throw new EngineError('INPUT_INVALID', 'The delivery has no id.', {
      hint: 'Send it by the webhook of the provider: X-GitHub-Delivery, Idempotency-Key or X-Gitlab-Event-UUID, or the id of the notification.',
    })
  return [`${provider} id ${id}`, `${provider} body ${createHash('sha256').update(body).digest('hex')}`]
}

/** The delivery's JSON. BAD_REQUEST where it is none. */
export function parsePayload({ body }: Delivery): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch (error) {
    throw new EngineError('BAD_REQUEST', 'The delivery is not JSON.', {
      hint: 'Set the content type of the webhook to application/json.',
      cause: error,
    })
  }
}
