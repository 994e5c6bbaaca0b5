/** A finished span. Times in nanoseconds since the epoch. */
export interface Span {
  trace_id: string
  span_id: string
  parent_id?: string
  name: string
  kind: 'internal' | 'server'
  start: bigint
  end: bigint
  attributes: Readonly<Record<string, string | number | boolean>>
  /** Code of the error that it ended with. */
  error?: string
}

/** Numbers of SpanKind and of StatusCode (opentelemetry-proto, trace.proto). */
const KINDS = { internal: 1, server: 2 } as const
const STATUS_ERROR = 2

export interface Resource {
  attributes: Readonly<Record<string, string | number | boolean>>
  version: string
}

/**
 * An ExportTraceServiceRequest in the JSON mapping of OTLP ("OTLP/HTTP", "JSON Protobuf Encoding"): ids in hexadecimal, 64-bit numbers as strings, enumerations as
 * numbers, names in lower camel case.
 */
export function encodeSpans(spans: readonly Span[], { attributes, version }: Resource): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(attributes) },
        scopeSpans: [{ scope: { name: 'svc', version }, spans: spans.map(encodeSpan) }],
      },
    ],
  }
}

function encodeSpan({ trace_id, span_id, parent_id, name, kind, start, end, attributes, error }: Span): object {
  return {
    ...{ traceId: trace_id, spanId: span_id, ...(parent_id !== undefined && { parentSpanId: parent_id }) },
    ...{ name, kind: KINDS[kind], startTimeUnixNano: String(start), endTimeUnixNano: String(end) },
    attributes: encodeAttributes(attributes),
    status: error === undefined ? {} : { code: STATUS_ERROR, message: error },
  }
}

function encodeAttributes(attributes: Span['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: encodeValue(value) }))
}

function encodeValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
