import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Keys that a bucket knows, by their ids. */
export type Keys = ReadonlyMap<string, string>

/** How far a request's clock may be off (S3: 15 minutes). */
const MOST_SKEW_MS = 15 * 60_000

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/,\s]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/**
 * Checks a request's signature as the Signature Version 4 documentation says ("Create a signed AWS API request"), written apart from
 * the client under test. Answers S3's error code, or undefined where the request is signed by a known key.
 */
export function findSignatureFault(request: IncomingMessage, keys: Keys, now = Date.now()): string | undefined {
  const [, id = '', day = '', region = '', names = '', signature = ''] =
    AUTHORIZATION.exec(request.headers.authorization ?? '') ?? []
  if (id === '') return request.headers.authorization === undefined ? 'AccessDenied' : 'AuthorizationHeaderMalformed'
  const secret = keys.get(id)
  if (secret === undefined) return 'InvalidAccessKeyId'
  const time = String(request.headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Number.isNaN(at) || !time.startsWith(day)) return 'AccessDenied'
  if (Math.abs(now - at) > MOST_SKEW_MS) return 'RequestTimeTooSkewed'
  const signed = names.split(';')
  const mustSign = ['host', ...Object.keys(request.headers).filter(name => name.startsWith('x-amz-'))]
  if (!mustSign.every(name => signed.includes(name))) return 'AccessDenied'
  const url = new URL(request.url ?? '/', 'http://any')
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map(part => encode(decodeURIComponent(part)))
      .join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signed.map(
      name =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>((by, part) => hmac(by, part), `AWS4${secret}`)
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** RFC 3986 with S3's unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
