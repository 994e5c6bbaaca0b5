import { createHmac } from 'node:crypto'
import { EngineError } from '../../base/errors.ts'
import { refuseSecret } from '../../sources/http/secret-hosts.ts'
import type { GrcEvent } from './event.ts'

export type GrcTarget = 'webhook' | 'vanta' | 'drata'

/** A value of a template: `{field}` alone gives the field as it is, among other characters its text; `{event}` is the whole event. */
type Template = string | number | boolean | { [key: string]: Template } | Template[]

/** A request of a mapping. The path is added to the configured address. */
interface RequestTemplate {
  path: string
  headers?: Record<string, string>
  /** The body as JSON, or the event as a file of a form. */
  body?: Template
  file?: { field: string; name: string }
}

/**
 * What each target is sent, as data. Vanta: a file is added to a document, then submitted. Drata: a record of a custom connection, in
 * a session that replaces the set. Both by their public API documentation.
 */
export const MAPPINGS: Record<GrcTarget, readonly RequestTemplate[]> = {
  webhook: [{ path: '', body: '{.}' }],
  vanta: [
    { path: '/v1/documents/{resource}/uploads', file: { field: 'file', name: 'svc-{event}-{id}.json' } },
    { path: '/v1/documents/{resource}/submit', body: {} },
  ],
  drata: [
    {
      path: '/public/v2/custom-connections/{resource}/records',
      headers: { 'x-session-id': '{id}', 'x-session-complete': 'true' },
      body: {
        data: [
          {
            ...{ id: '{id}', name: '{project}: {event}', event: '{event}', observedAt: '{generated_at}' },
            ...{ commit: '{git_sha}', runId: '{run_id}', gate: '{gate}' },
            ...{
              critical: '{summary.critical}',
              high: '{summary.high}',
              medium: '{summary.medium}',
              low: '{summary.low}',
            },
            compliance: '{compliance}',
          },
        ],
      },
    },
  ],
}

/** Secrets that are sent, or used, for the configured address. */
const SECRETS = ['GUARD_GRC_TOKEN', 'GUARD_GRC_SECRET'] as const
const ADDRESS = { key: 'grc_webhook_url', url_variable: 'GUARD_GRC_WEBHOOK_URL', hosts_variable: 'GUARD_GRC_HOSTS' }

/** A request as it is sent. */
export interface GrcRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/**
 * The requests for an event. CONFIG_INVALID where the mapping needs a resource and none is configured, and where there is a secret and the
 * environment does not name the address.
 */
export function mapEvent(
  event: GrcEvent,
  { target, url, resource }: { target: GrcTarget; url: string; resource?: string },
  env: Readonly<Record<string, string | undefined>>,
): GrcRequest[] {
  for (const variable of SECRETS) if (env[variable]) refuseSecret({ variable, ...ADDRESS }, url, env)
  return MAPPINGS[target].map(({ path, headers = {}, body, file }) => {
    if (path.includes('{resource}') && resource === undefined)
      throw new EngineError('CONFIG_INVALID', `grc.target ${target} needs grc.resource.`, {
        hint: 'Set the id of the document or connection in .svc/config.yaml.',
      })
    const own = path.replace('{resource}', encodeURIComponent(resource ?? ''))
    const content = file
      ? makeForm(file, event)
      : { type: 'application/json', body: JSON.stringify(fill(body ?? {}, event)) }
    const secret = env.GUARD_GRC_SECRET
    const token = env.GUARD_GRC_TOKEN
    return {
      url: `${url.replace(/\/+$/, path === '' ? '$&' : '')}${own}`,
      headers: {
        ...{
          'content-type': content.type,
          'x-svc-event': event.event,
          'x-svc-delivery': event.id,
          'idempotency-key': event.id,
        },
        ...(secret && {
          'x-svc-signature': `sha256=${createHmac('sha256', secret).update(content.body).digest('hex')}`,
        }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(fill(value, event))])),
      },
      body: content.body,
    }
  })
}

function fill(template: Template, event: GrcEvent): unknown {
  if (Array.isArray(template)) return template.map(item => fill(item, event))
  if (typeof template === 'object')
    return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, event)]))
  if (typeof template !== 'string') return template
  const whole = /^\{([\w.]+)\}$/.exec(template)
  if (whole) return readField(event, whole[1]!)
  return template.replace(/\{([\w.]+)\}/g, (_, name: string) => String(readField(event, name) ?? ''))
}

function readField(event: GrcEvent, name: string): unknown {
  if (name === '.') return event
  return name.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], event)
}

/** A form with the event as its one file; the boundary is the event's id, so the same event gives the same bytes. */
function makeForm({ field, name }: { field: string; name: string }, event: GrcEvent): { type: string; body: string } {
  const boundary = `svc-${event.id}`
  const file = String(fill(name, event))
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${file}"\r\ncontent-type: application/json\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: `${head}${JSON.stringify(event, null, 1)}\r\n--${boundary}--\r\n`,
  }
}
