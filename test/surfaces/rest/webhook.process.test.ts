import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { folder } from '../../made/folder.ts'
import { post, problem, startServer } from './server-under-test.ts'

const SHARED = ['shared', 'by', 'both', 'ends'].join('-')
const ROWS = OPERATIONS.filter(({ id }) => id === 'fleet.webhook' || id === 'doctor.version')
// White space and escapes that JSON.stringify does not write: only the bytes as they came have the signature.
const PUSH = `{ "ref": "refs/heads/m\\u0061in",  "after": "${'a'.repeat(40)}",\n "repository": {"clone_url": "https://github.com/acme/shop.git"} }`

function deliver(base: string, body: string, by = SHARED, id = 'delivery-1'): Promise<Response> {
  return post(`${base}/api/webhooks/github`, undefined, {
    body,
    headers: {
      ...{ 'x-github-event': 'push', 'x-github-delivery': id },
      'x-hub-signature-256': `sha256=${createHmac('sha256', by).update(body).digest('hex')}`,
    },
  })
}

test('a delivery comes in without the server’s key, is checked by its bytes, and told what is missing', async () => {
  const env = { GUARD_RATE_LIMIT_RPM: '1', SVC_WEBHOOK_SECRET_GITHUB: SHARED, XDG_STATE_HOME: folder() }
  const { base } = await startServer({ rows: ROWS, schemas: loadSchemas, env, key: 'k'.repeat(40) })
  expect(await problem(await deliver(base, PUSH, 'x'.repeat(20)))).toMatchObject({ status: 401 })
  // The second request of the minute: providers have a limit of their own.
  const refused = await problem(await deliver(base, PUSH))
  expect(refused).toMatchObject({ status: 503, code: 'TOOL_MISSING' })
  expect(refused.detail).toMatch(/No fleet is configured.*fleet\.redis_url/)
  const ping = await deliver(base, '{"ref": "refs/tags/v1"}', SHARED, 'delivery-2')
  expect([ping.status, await ping.json()]).toEqual([
    200,
    { state: 'ignored', event: 'push', reason: 'no branch was pushed', queued: 0, known: 0, dead: 0 },
  ])
  expect(await problem(await deliver(base, `{"a": "${'x'.repeat(5 << 20)}"}`))).toMatchObject({ status: 413 })
  expect(await problem(await post(`${base}/api/webhooks/bitbucket`, {}))).toMatchObject({ status: 422 })
})
