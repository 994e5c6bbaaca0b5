import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { findSignatureFault } from '../../../scripts/bucket/signature.ts'

/** The examples of "Signature Calculations for the Authorization Header" in the documentation of Amazon S3. */
const ID = ['AKIA', 'IOSFODNN7', 'EXAM', 'PLE'].join('')
const SECRET = ['wJalr', 'XUtnFEMI', '/K7MDENG/', 'bPxRfiCY', 'EXAMPLE', 'KEY'].join('')
const NOON = Date.UTC(2013, 4, 24)
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const EXAMPLES = [
  {
    name: 'GET Object',
    url: '/test.txt',
    headers: { range: 'bytes=0-9' },
    signed: 'host;range;x-amz-content-sha256;x-amz-date',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'List Objects',
    url: '/?max-keys=2&prefix=J',
    headers: {},
    signed: 'host;x-amz-content-sha256;x-amz-date',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
]

function makeRequest({ url, headers, signed, signature }: (typeof EXAMPLES)[number]): IncomingMessage {
  return {
    method: 'GET',
    url,
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-date': '20130524T000000Z',
      'x-amz-content-sha256': EMPTY,
      ...headers,
      authorization: `AWS4-HMAC-SHA256 Credential=${ID}/20130524/us-east-1/s3/aws4_request, SignedHeaders=${signed}, Signature=${signature}`,
    },
  } as unknown as IncomingMessage
}

test.each(EXAMPLES)('the stand-in accepts the published signature of $name, and no other', example => {
  const keys = new Map([[ID, SECRET]])
  expect(findSignatureFault(makeRequest(example), keys, NOON)).toBeUndefined()
  expect(findSignatureFault(makeRequest({ ...example, url: `${example.url}a` }), keys, NOON)).toBe(
    'SignatureDoesNotMatch',
  )
  expect(findSignatureFault(makeRequest(example), new Map([[ID, `${SECRET}a`]]), NOON)).toBe('SignatureDoesNotMatch')
  expect(findSignatureFault(makeRequest(example), new Map(), NOON)).toBe('InvalidAccessKeyId')
  expect(findSignatureFault(makeRequest(example), keys, NOON + 16 * 60_000)).toBe('RequestTimeTooSkewed')
})
