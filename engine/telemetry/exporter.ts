import type { Context } from '../base/context.ts'
import { VERSION } from '../base/version.ts'
import { type HttpClient, openHttpClient } from '../sources/http/client.ts'
import { encodeSpans, type Span } from './otlp.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Milliseconds that an export may take in all, unless OTEL_EXPORTER_OTLP_TIMEOUT says less: a command does not wait longer for its traces. */
const MOST_MS = 3000

/** The address that traces go to (OpenTelemetry "OTLP Exporter Configuration"); undefined where none is set, or the SDK is disabled. */
export function findTracesUrl(env: Environment): string | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER?.trim() === 'none')
    return undefined
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim()
  if (own) return own
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()
  return base ? `${base.replace(/\/+$/, '')}/v1/traces` : undefined
}

/**
 * Sends spans to the collector as OTLP over HTTP in JSON. What fails is told once in the process and loses the spans alone: telemetry never
 * decides what a command ends with.
 */
export async function exportSpans(
  spans: readonly Span[],
  { env, notice }: Pick<Context, 'env' | 'notice'>,
): Promise<void> {
  const url = findTracesUrl(env)
  if (url === undefined || spans.length === 0) return
  let client: HttpClient | undefined
  try {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error('it is no http or https URL')
    const timeoutMs = Math.min(MOST_MS, Number(env.OTEL_EXPORTER_OTLP_TIMEOUT?.trim()) || MOST_MS)
    client = await openHttpClient({ env, signal: AbortSignal.timeout(timeoutMs), attempts: 2, pauseMs: 100, timeoutMs })
    const body = JSON.stringify(encodeSpans(spans, { attributes: describeResource(env), version: VERSION }))
    await client.request({ method: 'POST', url, body, headers: readHeaders(env) }, () => undefined)
  } catch (error) {
    tell(
      notice,
      `Traces cannot be sent to ${URL.canParse(url) ? new URL(url).host : 'the collector'}: ${(error as Error).message}.`,
    )
  } finally {
    await client?.close()
  }
}

let told = false

function tell(notice: Context['notice'], text: string): void {
  if (told) return
  told = true
  notice(text)
}

function describeResource(env: Environment): Record<string, string> {
  return {
    ...readPairs(env.OTEL_RESOURCE_ATTRIBUTES),
    'service.name': env.OTEL_SERVICE_NAME?.trim() || readPairs(env.OTEL_RESOURCE_ATTRIBUTES)['service.name'] || 'svc',
    'service.version': VERSION,
  }
}

/** Headers of OTEL_EXPORTER_OTLP_TRACES_HEADERS or OTEL_EXPORTER_OTLP_HEADERS, such as a token. */
function readHeaders(env: Environment): Record<string, string> {
  return readPairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS || env.OTEL_EXPORTER_OTLP_HEADERS)
}

/** `key=value,key=value`, percent-encoded (W3C Baggage). */
function readPairs(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').flatMap(pair => {
    const at = pair.indexOf('=')
    if (at < 1) return []
    const value = pair.slice(at + 1).trim()
    try {
      return [[pair.slice(0, at).trim(), decodeURIComponent(value)] as const]
    } catch {
      return [[pair.slice(0, at).trim(), value] as const]
    }
  })
  return Object.fromEntries(pairs)
}
