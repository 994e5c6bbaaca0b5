import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { EngineError } from '../../base/errors.ts'
import { type BucketAnswer, type BucketOptions, openBucketClient } from './bucket-client.ts'
import type { BucketSettings } from './bucket-settings.ts'
import type { Content, ObjectEntry, ObjectStore } from './objects.ts'
import { makeTooLarge, writeContent } from './write-content.ts'

/** Bytes of one page of a listing; a page has at most 1,000 keys. */
const MOST_PAGE_BYTES = 16 << 20

/** Objects of an S3-compatible bucket: PUT (conditional), GET, HEAD, DELETE and ListObjectsV2 are all that it must know. */
export async function openBucketObjects(settings: BucketSettings, options: BucketOptions): Promise<ObjectStore> {
  const client = await openBucketClient(settings, options)
  const locate = (key: string) => settings.prefix + key

  /** Whether the object has these bytes. */
  const holds = (key: string, sha256: string) =>
    client.send({ method: 'GET', path: locate(key) }, [200, 404], async ({ status, body }) => {
      const hash = createHash('sha256')
      for await (const chunk of body) hash.update(chunk as Buffer)
      return status === 200 && hash.digest('hex') === sha256
    })

  return {
    trouble: client.trouble,
    name: `s3://${settings.bucket}/${settings.prefix}`,
    async put(key, content, ifAbsent = false) {
      const put = await client.send(
        {
          ...{ method: 'PUT', path: locate(key), content },
          ...(ifAbsent && { headers: { 'if-none-match': '*' } }),
        },
        ifAbsent ? [200, 201, 204, 412] : [200, 201, 204],
        discard,
      )
      if (put.status !== 412) return 'stored'
      // A try before this one may have stored it, and only its answer was lost.
      return put.tries > 0 && (await holds(key, digestContent(content))) ? 'stored' : 'exists'
    },
    download: (key, path, most) =>
      client.send({ method: 'GET', path: locate(key) }, [200, 404], async answer => {
        if (answer.status === 404) return noObject(settings, answer)
        await rm(path, { force: true })
        return writeContent(answer.body, path, most)
      }),
    read: (key, most) =>
      client.send({ method: 'GET', path: locate(key) }, [200, 404], async answer => {
        if (answer.status === 404) return noObject(settings, answer)
        const chunks: Buffer[] = []
        let bytes = 0
        for await (const chunk of answer.body as AsyncIterable<Buffer>) {
          bytes += chunk.length
          if (bytes > most) throw makeTooLarge(most)
          chunks.push(chunk)
        }
        return Buffer.concat(chunks)
      }),
    has: key =>
      client.send({ method: 'HEAD', path: locate(key) }, [200, 404], async answer => {
        await discard(answer)
        return answer.status === 200
      }),
    async *list(prefix) {
      let token: string | undefined
      do {
        const page = await client.send(
          {
            method: 'GET',
            query: {
              ...{ 'list-type': '2', prefix: locate(prefix) },
              ...(token !== undefined && { 'continuation-token': token }),
            },
          },
          [200],
          readPage,
        )
        for (const { key, bytes } of page.entries)
          if (key.startsWith(settings.prefix)) yield { key: key.slice(settings.prefix.length), bytes }
        if (page.next !== undefined && page.next === token) throw unreadable('it repeats a page of its listing')
        token = page.next
      } while (token !== undefined)
    },
    async remove(key) {
      await client.send({ method: 'DELETE', path: locate(key) }, [200, 204, 404], discard)
    },
    close: () => client.close(),
  }
}

async function discard(answer: BucketAnswer): Promise<BucketAnswer> {
  await answer.body.dump()
  return answer
}

/** Undefined for an object that is not there; CONFIG_INVALID where it is the bucket. */
async function noObject({ bucket }: BucketSettings, { body }: BucketAnswer): Promise<undefined> {
  if (!(await body.text()).includes('<Code>NoSuchBucket</Code>')) return undefined
  throw new EngineError('CONFIG_INVALID', `There is no bucket ${bucket}.`, {
    hint: 'Create the bucket, or correct fleet.store.',
  })
}

function digestContent(content: Content): string {
  return content instanceof Uint8Array ? createHash('sha256').update(content).digest('hex') : content.sha256
}

/** A page of a listing (S3 API, ListObjectsV2). A page that is cut off is an error, which has it asked for again. */
async function readPage({ body }: BucketAnswer): Promise<{ entries: ObjectEntry[]; next?: string }> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser()
  const entries: ObjectEntry[] = []
  const path: string[] = []
  let [text, key, size, next, isTruncated] = ['', '', '', '', '']
  parser.on('opentag', ({ name }) => {
    path.push(name)
    text = ''
  })
  parser.on('text', piece => {
    text += piece
  })
  parser.on('closetag', () => {
    const at = path.join('/')
    path.pop()
    if (at === 'ListBucketResult/Contents/Key') key = text
    else if (at === 'ListBucketResult/Contents/Size') size = text
    else if (at === 'ListBucketResult/Contents') entries.push({ key, bytes: Number(size) })
    else if (at === 'ListBucketResult/NextContinuationToken') next = text
    else if (at === 'ListBucketResult/IsTruncated') isTruncated = text
  })
  let bytes = 0
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length
    if (bytes > MOST_PAGE_BYTES) throw unreadable('a page of its listing is too large')
    parser.write(decoder.decode(chunk as Buffer, { stream: true }))
  }
  parser.write(decoder.decode()).close()
  if (isTruncated === '') throw unreadable('its listing is no ListBucketResult')
  if (isTruncated === 'true' && next === '') throw unreadable('a page of its listing does not say how to go on')
  return { entries, ...(isTruncated === 'true' && { next }) }
}

function unreadable(what: string): EngineError {
  return new EngineError('STORE_UNREADABLE', `The bucket cannot be listed: ${what}.`, {
    hint: 'Check that AWS_ENDPOINT_URL_S3 is an S3-compatible server with ListObjectsV2.',
  })
}
