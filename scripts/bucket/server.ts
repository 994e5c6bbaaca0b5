import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findSignatureFault, type Keys } from './signature.ts'

/**
 * What goes wrong with a request: `error` answers 503, `cut` ends the connection in the middle of the answer, `lost` does what was asked
 * and ends the connection without an answer, `slow` answers after `slowMs`.
 */
export type Failure = 'error' | 'cut' | 'lost' | 'slow'

export interface BucketOptions {
  port?: number
  keys: Keys
  buckets: readonly string[]
  /** Keys on a page of a listing; S3 has at most 1,000. */
  pageSize?: number
  slowMs?: number
  /** What happens to a request; called for each one. */
  fail?: (request: { method: string; key: string }) => Failure | undefined
}

export interface Bucket {
  url: string
  /** Objects by `<bucket>/<key>`. */
  objects: Map<string, Buffer>
  /** Requests that were answered, by method and status. */
  counts: Map<string, number>
  close(): Promise<void>
}

const MOST_BYTES = 1 << 30

/**
 * A stand-in for an S3-compatible bucket on this machine, in memory: PUT with If-None-Match and If-Match, GET, HEAD, DELETE and
 * ListObjectsV2 with pages, each with a checked signature and a checked digest of the content. It fails on demand.
 */
export async function startBucket(options: BucketOptions): Promise<Bucket> {
  const objects = new Map<string, Buffer>()
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    response.once('close', () => {
      const name = `${request.method} ${response.writableFinished ? response.statusCode : 'cut'}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    })
    serve(request, response, objects, options).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    counts,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  objects: Map<string, Buffer>,
  options: BucketOptions,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://any')
  const [bucket = '', ...rest] = url.pathname.slice(1).split('/')
  const key = decodeURIComponent(rest.join('/'))
  const body = await readBody(request)
  const failure = options.fail?.({ method: request.method ?? '', key })
  if (failure === 'slow') await new Promise(resolve => setTimeout(resolve, options.slowMs ?? 1000))
  if (failure === 'error') return refuse(response, 503, 'SlowDown')
  const answer = decide({ request, url, bucket, key, body }, objects, options)
  if (failure === 'lost') return void response.destroy()
  response.writeHead(answer.status, { 'content-length': String(answer.body.length), ...answer.headers })
  // svc-ignore: node-reflected-xss -- a bucket for tests on this machine: an object is what was put
  if (failure !== 'cut') return void response.end(request.method === 'HEAD' ? undefined : answer.body)
  // svc-ignore: node-reflected-xss -- as above
  response.write(answer.body.subarray(0, answer.body.length / 2), () => response.destroy())
}

interface Asked {
  request: IncomingMessage
  url: URL
  bucket: string
  key: string
  body: Buffer
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Nothing is awaited here, so a condition and what depends on it are one step. */
function decide(
  { request, url, bucket, key, body }: Asked,
  objects: Map<string, Buffer>,
  { keys, buckets, pageSize = 1000 }: BucketOptions,
): Answer {
  const { method, headers } = request
  const fault = findSignatureFault(request, keys)
  if (fault !== undefined) return problem(403, fault)
  if (!buckets.includes(bucket)) return problem(404, 'NoSuchBucket')
  if (createHash('sha256').update(body).digest('hex') !== headers['x-amz-content-sha256'])
    return problem(400, 'XAmzContentSHA256Mismatch')
  const name = `${bucket}/${key}`
  const found = objects.get(name)
  if (method === 'GET' && key === '') return listObjects(url.searchParams, bucket, objects, pageSize)
  if (method === 'PUT') {
    if (headers['if-none-match'] === '*' && found) return problem(412, 'PreconditionFailed')
    if (headers['if-match'] !== undefined && (!found || headers['if-match'] !== makeTag(found)))
      return found ? problem(412, 'PreconditionFailed') : problem(404, 'NoSuchKey')
    objects.set(name, body)
    return { status: 200, headers: { etag: makeTag(body) }, body: Buffer.alloc(0) }
  }
  if (method === 'DELETE') {
    objects.delete(name)
    return { status: 204, headers: {}, body: Buffer.alloc(0) }
  }
  if (method !== 'GET' && method !== 'HEAD') return problem(405, 'MethodNotAllowed')
  return found ? { status: 200, headers: { etag: makeTag(found) }, body: found } : problem(404, 'NoSuchKey')
}

function listObjects(query: URLSearchParams, bucket: string, objects: Map<string, Buffer>, pageSize: number): Answer {
  if (query.get('list-type') !== '2') return problem(400, 'InvalidArgument')
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString()
  const most = Math.min(pageSize, Number(query.get('max-keys') ?? 1000))
  const keys = [...objects.keys()]
    .filter(name => name.startsWith(prefix))
    .map(name => name.slice(bucket.length + 1))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .filter(key => after === '' || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
  const page = keys.slice(0, most)
  const isTruncated = keys.length > page.length
  const contents = page.map(
    key => `<Contents><Key>${escapeXml(key)}</Key><Size>${objects.get(`${bucket}/${key}`)!.length}</Size></Contents>`,
  )
  const next = isTruncated
    ? `<NextContinuationToken>${Buffer.from(page.at(-1)!).toString('base64url')}</NextContinuationToken>`
    : ''
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) }
}

function problem(status: number, code: string): Answer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const { headers, body } = problem(status, code)
  response.writeHead(status, headers).end(body)
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function makeTag(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`
}

function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, sign => `&#${sign.charCodeAt(0)};`)
}
