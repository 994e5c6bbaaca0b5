import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openBucketObjects } from '../../../engine/fleet/store/bucket-objects.ts'
import { readBucketSettings } from '../../../engine/fleet/store/bucket-settings.ts'
import { openFolderObjects } from '../../../engine/fleet/store/folder-objects.ts'
import type { ObjectStore } from '../../../engine/fleet/store/objects.ts'
import { openRunStore } from '../../../engine/fleet/store/open.ts'
import { createRunStore } from '../../../engine/fleet/store/run-store.ts'
import { type BucketOptions, type Failure, startBucket } from '../../../scripts/bucket/server.ts'

const options = { env: {}, signal: new AbortController().signal }

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-store-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A run's directory with these files. */
async function makeRun(files: Record<string, string>): Promise<string> {
  const folder = join(await makeFolder(), 'run')
  await mkdir(folder)
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

async function readFolder(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async name => [name, await readFile(join(folder, name), 'utf8')])),
  )
}

const RUN = { 'run.json': '{"id": "r1"}\n', 'findings.parquet': 'PAR1 findings', 'files.parquet': 'PAR1 files' }

/** The stand-in with a page size that every listing exceeds. */
async function openBucket(
  over: Partial<BucketOptions> = {},
  client: { attempts?: number; timeoutMs?: number } = {},
): Promise<ObjectStore> {
  const [id, key] = ['test-id', 'test-only']
  const bucket = await startBucket({ keys: new Map([[id, key]]), buckets: ['runs'], pageSize: 3, ...over })
  const env = { AWS_ENDPOINT_URL_S3: bucket.url, AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key }
  const objects = await openBucketObjects(readBucketSettings('s3://runs/org/scans', env), {
    ...options,
    pauseMs: 2,
    ...client,
  })
  onTestFinished(async () => {
    await objects.close()
    await bucket.close()
  })
  return objects
}

/** Each kind of store over empty ground. */
const KINDS: Record<string, () => Promise<ObjectStore>> = {
  'a directory': async () => openFolderObjects(join(await makeFolder(), 'new')),
  'a bucket': () => openBucket(),
  'a bucket of which every fifth request fails': () => {
    let count = 0
    const failures: Failure[] = ['error', 'cut', 'lost']
    return openBucket({ fail: () => (++count % 5 === 0 ? failures[(count / 5) % failures.length] : undefined) })
  },
}

describe.each(Object.entries(KINDS))('a run store in %s', (_, open) => {
  test('gives back the bytes of every file that was put', async () => {
    const store = createRunStore(await open())
    expect(await store.put(await makeRun(RUN), 'acme/app/r1')).toBe('stored')
    const into = join(await makeFolder(), 'deep', 'r1')
    await store.fetch('acme/app/r1', into)
    expect(await readFolder(into)).toEqual(RUN)
  })

  test('lists complete runs below a prefix, in order', async () => {
    const store = createRunStore(await open())
    for (const key of ['b/x/r2', 'b/x/r1', 'b/x-y/r1', 'a/r9']) await store.put(await makeRun(RUN), key)
    expect(await store.list('')).toEqual(['a/r9', 'b/x-y/r1', 'b/x/r1', 'b/x/r2'])
    expect(await store.list('b/x/')).toEqual(['b/x/r1', 'b/x/r2'])
    expect(await store.list('nothing/')).toEqual([])
  })

  test('keeps the run that was stored first when another comes under its key', async () => {
    const store = createRunStore(await open())
    await store.put(await makeRun(RUN), 'p/r1')
    expect(await store.put(await makeRun({ ...RUN, 'run.json': '{"id": "other"}' }), 'p/r1')).toBe('present')
    const into = join(await makeFolder(), 'r1')
    await store.fetch('p/r1', into)
    expect(await readFolder(into)).toEqual(RUN)
  })

  test('stores exactly one of ten writers that come at once, with all of its own files', async () => {
    const store = createRunStore(await open())
    const contents = Array.from({ length: 10 }, (_, n) => ({
      'run.json': `{"n": ${n}}`,
      'findings.parquet': `PAR1 ${n}`,
    }))
    const answers = await Promise.all(contents.map(async content => store.put(await makeRun(content), 'p/r1')))
    expect(answers.filter(answer => answer === 'stored')).toHaveLength(1)
    const into = join(await makeFolder(), 'r1')
    await store.fetch('p/r1', into)
    expect(await readFolder(into)).toEqual(contents[answers.indexOf('stored')])
  })

  test('has no run until its run.json is there', async () => {
    const objects = await open()
    const dying: ObjectStore = {
      ...objects,
      put: async (key, content, ifAbsent) => {
        if (key.endsWith('/run.json')) throw new Error('killed')
        return objects.put(key, content, ifAbsent)
      },
    }
    const run = await makeRun(RUN)
    await expect(createRunStore(dying).put(run, 'p/r1')).rejects.toThrow('killed')
    const store = createRunStore(objects)
    expect([await store.has('p/r1'), await store.list('')]).toEqual([false, []])
    await expect(store.fetch('p/r1', join(await makeFolder(), 'r1'))).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
    expect(await store.put(run, 'p/r1')).toBe('stored')
    expect(await store.has('p/r1')).toBe(true)
  })

  test('refuses a file that was changed in the store, and leaves nothing', async () => {
    const objects = await open()
    const store = createRunStore(objects)
    await store.put(await makeRun(RUN), 'p/r1')
    for await (const { key } of objects.list('p/r1/'))
      if (key.includes('findings')) await objects.put(key, Buffer.from('PAR1 findingz'))
    const parent = await makeFolder()
    await expect(store.fetch('p/r1', join(parent, 'r1'))).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
    expect(await readdir(parent)).toEqual([])
  })

  test('removes a run, and nothing of its neighbor', async () => {
    const objects = await open()
    const store = createRunStore(objects)
    for (const key of ['p/r1', 'p/r10']) await store.put(await makeRun(RUN), key)
    await store.remove('p/r1')
    expect(await store.list('')).toEqual(['p/r10'])
    const left: string[] = []
    for await (const { key } of objects.list('p/r1/')) left.push(key)
    expect(left).toEqual([])
    await store.fetch('p/r10', join(await makeFolder(), 'r'))
  })

  test.each([
    '../r1',
    'a//b',
    '/a/r1',
    'a/.hidden',
    'a/..',
    'a/run.json',
    '',
    'a/b\n',
    'a/b c',
    `a/${'x'.repeat(201)}`,
  ])('refuses the key %j', async key => {
    const store = createRunStore(await open())
    await expect(store.put(await makeRun(RUN), key)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await expect(store.has(key)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await expect(store.fetch(key, join(await makeFolder(), 'r'))).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('refuses a directory without a run', async () => {
    const store = createRunStore(await open())
    await expect(store.put(await makeRun({ 'a.txt': 'a' }), 'p/r1')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each([
    ['a path out of the directory', [{ name: '../evil', bytes: 1, sha256: 'a'.repeat(64) }]],
    [
      'the same name twice',
      [
        { name: 'a', bytes: 1, sha256: 'a'.repeat(64) },
        { name: 'a', bytes: 1, sha256: 'a'.repeat(64) },
      ],
    ],
    ['no list', 'files'],
  ])('refuses an index with %s', async (_, files) => {
    const objects = await open()
    const store = createRunStore(objects)
    await store.put(await makeRun(RUN), 'p/r1')
    for await (const { key } of objects.list('p/r1/index-'))
      await objects.put(key, Buffer.from(JSON.stringify({ format: 1, files })))
    await expect(store.fetch('p/r1', join(await makeFolder(), 'r'))).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
  })
})

test('a store opens by its address, and other addresses are refused with what to set', async () => {
  const folder = await makeFolder()
  const store = await openRunStore(pathToFileURL(folder).href, options)
  await createRunStore(openFolderObjects(folder)).put(await makeRun(RUN), 'p/r1')
  expect(await store.list('')).toEqual(['p/r1'])
  for (const url of ['file:///', 'ftp://host/a', 'runs', 'file://host/share'])
    await expect(openRunStore(url, options)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})

describe('a bucket', () => {
  test('that takes too long is asked again', async () => {
    let count = 0
    const objects = await openBucket(
      { fail: () => (count++ === 0 ? 'slow' : undefined), slowMs: 10_000 },
      { timeoutMs: 50 },
    )
    expect(await objects.has('p/r1/run.json')).toBe(false)
    expect(count).toBe(2)
    expect(objects.trouble).toEqual({ retries: 1, failures: 0 })
  })

  test('that never answers ends the work with what to check', async () => {
    const objects = await openBucket({ fail: () => 'error' }, { attempts: 3 })
    await expect(objects.put('p/a', Buffer.from('a'))).rejects.toMatchObject({
      code: 'TOOL_MISSING',
      message: expect.stringContaining('503 SlowDown'),
    })
    expect(objects.trouble).toEqual({ retries: 2, failures: 1 })
  })

  test('that does not know the key, or does not exist, is asked once', async () => {
    let count = 0
    const fail = () => void count++
    const refused = await openBucket({ keys: new Map([['test-id', 'another']]), fail })
    await expect(refused.has('p/a')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(refused.put('p/a', Buffer.from('a'))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('SignatureDoesNotMatch'),
    })
    const missing = await openBucket({ buckets: ['others'], fail })
    const folder = await makeFolder()
    await expect(missing.download('p/a', join(folder, 'a'), 10)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(missing.put('p/a', Buffer.from('a'))).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(count).toBe(4)
  })

  test('has no object of a write that was cut off, and signs any characters of a key', async () => {
    const objects = await openBucket()
    await objects.put('p/a+b@c_d-e.txt', Buffer.from('x'), true)
    expect(await objects.put('p/a+b@c_d-e.txt', Buffer.from('y'), true)).toBe('exists')
    const found: unknown[] = []
    for await (const entry of objects.list('p/')) found.push(entry)
    expect(found).toEqual([{ key: 'p/a+b@c_d-e.txt', bytes: 1 }])
  })

  test('is not asked for more than an object may have', async () => {
    const objects = await openBucket()
    await objects.put('p/a', Buffer.alloc(1000))
    await expect(objects.download('p/a', join(await makeFolder(), 'a'), 999)).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
    })
  })

  test.each([
    ['no credentials', 's3://runs/a', {}, 'AWS_ACCESS_KEY_ID'],
    ['no bucket', 's3:///a', { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }, 's3://<bucket>/<prefix>'],
    ['a path upwards', 's3://runs/../a', { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }, 's3://<bucket>'],
    [
      'an endpoint that is no server',
      's3://runs/a',
      { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL_S3: 'file:///a' },
      'AWS_ENDPOINT_URL_S3|https://s3.example.com',
    ],
  ])('with %s is refused with what to set', (_, url, env, hint) => {
    expect(() => readBucketSettings(url, env)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', hint: expect.stringMatching(hint) }),
    )
  })

  test('of AWS has its name in the host, or in the path where it has dots', () => {
    const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-west-1' }
    expect(readBucketSettings('s3://runs/a/b', env)).toMatchObject({
      url: 'https://runs.s3.eu-west-1.amazonaws.com/',
      prefix: 'a/b/',
    })
    expect(readBucketSettings('s3://runs.acme', env).url).toBe('https://s3.eu-west-1.amazonaws.com/runs.acme/')
  })
})
