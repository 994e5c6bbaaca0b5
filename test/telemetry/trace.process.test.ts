import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Context } from '../../engine/base/context.ts'
import { EngineError } from '../../engine/base/errors.ts'
import { traceOperation } from '../../engine/telemetry/trace.ts'
import { context } from '../made/call.ts'

interface Request {
  url: string
  headers: Record<string, unknown>
  body: {
    resourceSpans: {
      resource: { attributes: { key: string; value: object }[] }
      scopeSpans: { scope: object; spans: Record<string, unknown>[] }[]
    }[]
  }
}

/** A collector that keeps what it gets. */
async function startCollector(status = 200): Promise<{ url: string; requests: Request[] }> {
  const requests: Request[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    requests.push({ url: request.url!, headers: request.headers, body: JSON.parse(text) })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Two phases, and the answer. */
async function scan({ emit }: Context): Promise<string> {
  for (const [phase, done] of [
    ['discover', 0],
    ['scan', 1],
    ['scan', 7],
  ] as const)
    emit({ type: 'progress', progress: { phase, done, total: 7, bytes: done * 10, findings: 0 } })
  return 'done'
}

test('an operation is sent with its phases as OTLP in JSON, on the trace of its caller', async () => {
  const { url, requests } = await startCollector()
  const env = {
    ...{
      OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
      OTEL_SERVICE_NAME: 'nightly',
    },
    TRACEPARENT: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
  }
  expect(await traceOperation({ id: 'scan.run' }, context('/srv/private-name', { env }), scan)).toBe('done')
  expect(requests).toHaveLength(1)
  const { url: path, headers, body } = requests[0]!
  expect([path, headers['content-type'], headers['x-team']]).toEqual(['/v1/traces', 'application/json', 'a b'])
  const [{ resource, scopeSpans }] = body.resourceSpans as [Request['body']['resourceSpans'][number]]
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'nightly' } })
  const [root, discover, searched] = scopeSpans[0]!.spans
  expect(scopeSpans[0]!.spans).toHaveLength(3)
  expect(root).toMatchObject({
    name: 'scan.run',
    traceId: '1'.repeat(32),
    parentSpanId: '2'.repeat(16),
    kind: 1,
    status: {},
  })
  for (const child of [discover, searched])
    expect(child).toMatchObject({ traceId: '1'.repeat(32), parentSpanId: root!.spanId })
  expect(searched).toMatchObject({
    name: 'scan',
    attributes: [
      { key: 'svc.done', value: { intValue: '7' } },
      { key: 'svc.bytes', value: { intValue: '70' } },
    ],
  })
  const times = [root, discover, searched].map(span => [span!.startTimeUnixNano, span!.endTimeUnixNano] as string[])
  for (const [start, end] of times) expect(BigInt(end!) >= BigInt(start!)).toBe(true)
  expect(Math.abs(Number(BigInt(times[0]![0]!) / 1_000_000n) - Date.now())).toBeLessThan(60_000)
  expect(JSON.stringify(body)).not.toContain('private-name')
})

test('an error is sent by its code, and thrown on', async () => {
  const { url, requests } = await startCollector()
  const fail = () => Promise.reject(new EngineError('NOT_FOUND', 'There is no private-name.'))
  const own = context('/', { env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/here` } })
  await expect(traceOperation({ id: 'a.b' }, own, fail)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(requests[0]!.url).toBe('/here')
  const [span] = requests[0]!.body.resourceSpans[0]!.scopeSpans[0]!.spans
  expect(span!.status).toEqual({ code: 2, message: 'NOT_FOUND' })
})

test('a collector that refuses is told of once, and changes no answer; a trace that is not sampled is not sent', async () => {
  const { url, requests } = await startCollector(400)
  const own = context('/', { env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
  for (let n = 0; n < 2; n++) expect(await traceOperation({ id: 'a.b' }, own, scan)).toBe('done')
  expect(own.notices).toEqual([
    expect.stringMatching(/^Traces cannot be sent to 127\.0\.0\.1:\d+: the server answered 400\.$/),
  ])
  expect(requests).toHaveLength(2)
  const unsampled = { ...own, env: { ...own.env, TRACEPARENT: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00` } }
  await traceOperation({ id: 'a.b' }, unsampled, scan)
  await traceOperation({ id: 'a.b' }, { ...own, env: { ...own.env, OTEL_SDK_DISABLED: 'true' } }, scan)
  await traceOperation({ id: 'a.b', resident: true }, own, scan)
  expect(requests).toHaveLength(2)
})
