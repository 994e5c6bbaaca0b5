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
  /** The body as JSON, or the event as a file of a form with further fields; none where both are left out. */
  body?: Template
  file?: { field: string; name: string; fields?: Record<string, string> }
}

/** What each `{…}` of a path takes from `grc.resource`, in its order. */
const RESOURCES: Record<GrcTarget, { form: RegExp; is: string }> = {
  webhook: { form: /^()/, is: '' },
  vanta: { form: /^(.+)$/, is: 'the id of a document' },
  drata: { form: /^(\d{1,15})\/(\d{1,15})$/, is: 'the ids of a custom connection and of its resource, such as 12/34' },
}

/**
 * What each target is sent, as data. Vanta: a file is added to a document, then the document is submitted. Drata: a record of a custom
 * connection's resource is made or, by its id, updated; one record, since a list answers 200 with the failures inside. Both by their published
 * descriptions (docs/grc.md).
 */
export const MAPPINGS: Record<GrcTarget, readonly RequestTemplate[]> = {
  webhook: [{ path: '', body: '{.}' }],
  vanta: [
    {
      path: '/v1/documents/{resource}/uploads',
      file: {
        ...{ field: 'file', name: 'svc-{event}-{id}.json' },
        fields: { effectiveAtDate: '{generated_at}', description: 'svc: {event} of {project}' },
      },
    },
    { path: '/v1/documents/{resource}/submit' },
  ],
  drata: [
    {
      path: '/public/v2/custom-connections/{resource}/resources/{resource}/records',
      body: {
        data: {
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
  const ids = RESOURCES[target].form.exec(resource ?? '')?.slice(1)
  if (!ids)
    throw new EngineError('CONFIG_INVALID', `grc.target ${target} needs grc.resource: ${RESOURCES[target].is}.`, {
      hint: 'Set grc.resource in .svc/config.yaml.',
    })
  return MAPPINGS[target].map(({ path, headers = {}, body, file }) => {
    const left = [...ids]
    const own = path.replace(/\{resource\}/g, () => encodeURIComponent(left.shift() ?? ''))
    const content = file
      ? makeForm(file, event)
      : body === undefined
        ? { body: '' }
        : { type: 'application/json', body: JSON.stringify(fill(body, event)) }
    const secret = env.GUARD_GRC_SECRET
    const token = env.GUARD_GRC_TOKEN
    return {
      url: `${url.replace(/\/+$/, path === '' ? '$&' : '')}${own}`,
      headers: {
        ...{
          ...('type' in content && { 'content-type': content.type }),
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

/** A form with fields and the event as its file; the boundary is the event's id, so the same event gives the same bytes. */
function makeForm(
  { field, name, fields = {} }: NonNullable<RequestTemplate['file']>,
  event: GrcEvent,
): { type: string; body: string } {
  const boundary = `svc-${event.id}`
  const file = String(fill(name, event))
  const texts = Object.entries(fields).map(
    ([key, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${String(fill(value, event))}\r\n`,
  )
  const head = `${texts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${file}"\r\ncontent-type: application/json\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: `${head}${JSON.stringify(event, null, 1)}\r\n--${boundary}--\r\n`,
  }
}
