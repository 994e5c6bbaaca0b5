import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { authenticate, type Delivery, listDeliveryMarks, parsePayload, type WebhookProvider } from './delivery.ts'
import { readEvent, type WantedScan } from './events.ts'
import { rememberDelivery } from './replay.ts'

/** Queues scans for the fleet; answers how many are new, and how many were known. */
export type SubmitScans = (
  scans: readonly WantedScan[],
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
  provider: WebhookProvider,
) => Promise<{ queued: number; known: number; dead: number }>

/** What became of a delivery. */
export interface Received {
  state: 'submitted' | 'ignored'
  event: string
  /** Why nothing was queued. */
  reason?: string
  queued: number
  known: number
  /** Dead letters, which a delivery does not wake. */
  dead: number
}

/**
 * Receives a provider's delivery: who sent it, whether it came before, and what it asks for. A delivery whose scans could not be queued is forgotten, so
 * that the provider can send it again.
 */
export async function receiveDelivery(
  provider: WebhookProvider,
  delivery: Delivery,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
  submit: SubmitScans,
): Promise<Received> {
  authenticate(provider, delivery, context.env)
  const payload = parsePayload(delivery)
  const { forget } = rememberDelivery(listDeliveryMarks(provider, delivery, payload), context.env)
  try {
    const { event, scans, ignored } = readEvent(provider, delivery.headers, payload)
    const nothing = { queued: 0, known: 0, dead: 0 }
    if (ignored !== undefined) return { state: 'ignored', event, reason: ignored, ...nothing }
    return { state: 'submitted', event, ...(await submit(scans.map(withoutUser), context, provider)) }
  } catch (error) {
    forget()
    throw error
  }
}

/** Azure DevOps has the organization as a user in its addresses; a payload must not choose a file of this machine. */
function withoutUser(scan: WantedScan): WantedScan {
  const url = URL.canParse(scan.repository) ? new URL(scan.repository) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new EngineError('INPUT_INVALID', 'The delivery names a repository that is not at an https address.')
  url.username = ''
  url.password = ''
  return { ...scan, repository: url.href }
}
