import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { OpenAPIBackend } from 'openapi-backend'
import { expect, test } from 'vitest'
import { findAppToken } from '../../engine/delivery/providers/github/app-token.ts'
import { post, SHA, started } from '../delivery/decoration/ground.ts'
import { finding, subject } from '../delivery/decoration/subjects.ts'
import { opened } from '../delivery/providers/opened.ts'
import { startGithub } from '../made/providers/github.ts'
import type { Seen } from '../made/providers/server.ts'

const DESCRIPTION = new URL('../../../shared/data/providers/github.openapi.json', import.meta.url)
const isThere = existsSync(DESCRIPTION)
if (!isThere) console.warn('GitHub conformance was skipped: ../shared/data/providers is not there.')

/** In OpenAPI 3.0 `nullable` allows null whatever the enumeration says; ajv wants it there, and a type beside it. */
function allowNull(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  const own = schema as { nullable?: unknown; type?: unknown; enum?: unknown[] }
  if (own.nullable === true && Array.isArray(own.enum) && !own.enum.includes(null)) own.enum.push(null)
  if (own.nullable === true && own.type === undefined) delete own.nullable
  for (const inner of Object.values(schema)) allowNull(inner)
}

/** Every request that svc sent and every answer of the stand-in that the description does not allow. GraphQL is not described. */
async function listFaults(seen: readonly Seen[]): Promise<string[]> {
  const definition = JSON.parse(readFileSync(DESCRIPTION, 'utf8'))
  allowNull(definition)
  for (const [path, methods] of Object.entries(definition.paths as Record<string, Record<string, object>>))
    for (const [method, operation] of Object.entries(methods))
      Object.assign(operation, { operationId: `${method} ${path}` })
  const api = new OpenAPIBackend({
    definition,
    quick: true,
    strict: false,
    ajvOpts: { strict: false, validateFormats: false },
  })
  await api.init()
  const faults: string[] = []
  for (const { method, url, headers, body, status, answer } of seen) {
    if (url === '/graphql') continue
    const [path, query = ''] = url.split('?') as [string, string?]
    const request = { method, path, query, headers, ...(body !== undefined && { body }) }
    const operation = api.matchOperation(request)
    if (!operation) {
      faults.push(`${method} ${path} is not described`)
      continue
    }
    const asked = api.validateRequest(request, operation)
    if (!asked.valid) faults.push(`${method} ${path}: request ${JSON.stringify(asked.errors?.slice(0, 3))}`)
    if (status === 204) continue
    const answered = api.validateResponse(answer, operation, status)
    if (!answered.valid)
      faults.push(`${method} ${path}: answer ${status} ${JSON.stringify(answered.errors?.slice(0, 3))}`)
  }
  return faults
}

test.runIf(isThere)(
  'decoration sends what GitHub’s description allows, and the stand-in answers as it says',
  async () => {
    const github = await started()
    const provider = await opened(github)
    await post(provider, subject([finding(3), finding(5)]))
    await post(provider, subject(Array.from({ length: 60 }, (_, at) => finding(at + 1))))
    github.state.comments.push({ ...github.state.comments[0]!, id: 9999 })
    await post(provider, subject([]))
    github.state.token = { kind: 'person', scopes: 'repo' }
    await post(provider, subject([finding(4)]))
    await provider.test()
    expect(github.seen.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toContain(
      `POST /repos/acme/shop/statuses/${SHA}`,
    )
    expect(await listFaults(github.seen)).toEqual([])
  },
)

test.runIf(isThere)('so do pull requests and issues', async () => {
  const github = await startGithub()
  const provider = await opened(github)
  const made = await provider.createPullRequest({ title: 'Fix', body: 'text', head: 'svc/fix', base: 'main' })
  expect(await provider.findPullRequest('svc/fix', 'main')).toMatchObject({ number: made.number, is_fork: false })
  await provider.updatePullRequest(made.number, { title: 'Fix again', body: 'text' })
  const item = await provider.createWorkItem({ title: 'Item', description: 'text', labels: ['svc'] })
  await provider.setWorkItemState(item.key, 'closed:completed')
  expect(await provider.readWorkItem(item.key)).toMatchObject({ title: 'Item', state: 'closed' })
  expect(await provider.listWorkItems()).toHaveLength(1)
  expect(await listFaults(github.seen)).toEqual([])
})

test.runIf(isThere)('so does a GitHub App on its way to a token', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }) as string
  const github = await startGithub({ app: { id: '7', public_key, installation: 99, token: 'made-up-token' } })
  const env = {
    GUARD_GITHUB_APP_ID: '7',
    GUARD_GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
  const options = { env, signal: new AbortController().signal }
  const token = await findAppToken({ base_url: github.url, repository: 'acme/shop' }, options)
  expect([token?.value, github.seen.length]).toEqual(['made-up-token', 2])
  expect(await listFaults(github.seen)).toEqual([])
})
