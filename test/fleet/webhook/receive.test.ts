import { createHmac } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WebhookProvider } from '../../../engine/fleet/webhook/delivery.ts'
import type { WantedScan } from '../../../engine/fleet/webhook/events.ts'
import { receiveDelivery, type SubmitScans } from '../../../engine/fleet/webhook/receive.ts'
import { submitScans } from '../../../engine/fleet/webhook/submit.ts'
import { refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'

/** What tests and server share; no provider has given it out. */
const SHARED = ['shared', 'by', 'both', 'ends'].join('-')
const USER = `svc:${SHARED}`
const COMMIT = 'a'.repeat(40)
const PUSH = {
  ...{ ref: 'refs/heads/main', after: COMMIT },
  repository: { clone_url: 'https://github.com/acme/shop.git', default_branch: 'main' },
}

function makeServer() {
  const env = {
    ...{ SVC_WEBHOOK_SECRET_GITHUB: SHARED, SVC_WEBHOOK_SECRET_GITLAB: SHARED, SVC_WEBHOOK_SECRET_AZURE: USER },
    XDG_STATE_HOME: folder(),
  }
  const submitted: WantedScan[] = []
  const receive = (
    provider: WebhookProvider,
    headers: Record<string, string>,
    payload: unknown,
    submit: SubmitScans = async scans => {
      submitted.push(...scans)
      return { queued: scans.length, known: 0, dead: 0 }
    },
  ) =>
    receiveDelivery(
      provider,
      { headers, body: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)) },
      { cwd: '/', env, signal: new AbortController().signal },
      submit,
    )
  return { env, submitted, receive }
}

/** Headers of GitHub for a payload. */
function sign(payload: unknown, id = '72d3162e-cc78-11e3-81ab-4c9367dc0958', by = SHARED): Record<string, string> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return {
    'x-github-event': 'push',
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${createHmac('sha256', by).update(body).digest('hex')}`,
  }
}

describe('a delivery', () => {
  test('that GitHub signed queues its scan once', async () => {
    const { receive, submitted } = makeServer()
    expect(await receive('github', sign(PUSH), PUSH)).toMatchObject({ state: 'submitted', queued: 1 })
    expect(submitted).toEqual([
      { repository: 'https://github.com/acme/shop.git', commit: COMMIT, ref: 'refs/heads/main', class: 'push' },
    ])
    expect(await refusal(() => receive('github', sign(PUSH), PUSH))).toMatchObject({ code: 'CONFLICT' })
    expect(submitted).toHaveLength(1)
  })

  test('that comes again under another id, or under its id with another body, is refused', async () => {
    const { receive } = makeServer()
    await receive('github', sign(PUSH), PUSH)
    expect(await refusal(() => receive('github', sign(PUSH, 'another-id'), PUSH))).toMatchObject({ code: 'CONFLICT' })
    const other = { ...PUSH, after: 'b'.repeat(40) }
    expect(await refusal(() => receive('github', sign(other), other))).toMatchObject({ code: 'CONFLICT' })
    expect(await receive('github', sign(other, 'another-id'), other)).toMatchObject({ queued: 1 })
  })

  test('of a day ago is remembered, one of eight days ago is not', async () => {
    const { receive, env } = makeServer()
    await receive('github', sign(PUSH), PUSH)
    const root = join(env.XDG_STATE_HOME, 'svc/deliveries')
    const [today] = readdirSync(root)
    const move = async (days: number) => {
      const { renameSync } = await import('node:fs')
      const name = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
      renameSync(join(root, readdirSync(root).sort()[0]!), join(root, name))
    }
    expect(today).toBe(new Date().toISOString().slice(0, 10))
    await move(1)
    expect(await refusal(() => receive('github', sign(PUSH), PUSH))).toMatchObject({ code: 'CONFLICT' })
    await move(8)
    expect(await receive('github', sign(PUSH), PUSH)).toMatchObject({ queued: 1 })
    expect(readdirSync(root)).toHaveLength(1)
  })

  test.each([
    ['another key', sign(PUSH, 'delivery-1', 'x'.repeat(20)), PUSH],
    ['no signature', { 'x-github-delivery': 'delivery-1', 'x-github-event': 'push' }, PUSH],
    ['the signature of another body', sign(PUSH), { ...PUSH, after: 'b'.repeat(40) }],
  ])('with %s is refused, and nothing of it is remembered', async (_, headers, payload) => {
    const { receive, submitted, env } = makeServer()
    expect(await refusal(() => receive('github', headers, payload))).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect([submitted, readdirSync(env.XDG_STATE_HOME)]).toEqual([[], []])
  })

  test('of GitLab carries the secret, of Azure DevOps user and password', async () => {
    const { receive, submitted } = makeServer()
    const gitlab = {
      ...{ object_kind: 'push', ref: 'refs/heads/main', after: COMMIT },
      project: { git_http_url: 'https://gitlab.com/acme/shop.git', default_branch: 'main' },
    }
    const key = { 'idempotency-key': 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f' }
    await receive('gitlab', { ...key, 'x-gitlab-token': SHARED }, gitlab)
    expect(await refusal(() => receive('gitlab', { ...key, 'x-gitlab-token': `${SHARED}x` }, gitlab))).toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    const azure = {
      ...{ id: '03c164c2-8912-4d5e-8009-3707d5f83734', eventType: 'git.push' },
      resource: {
        repository: { remoteUrl: 'https://acme@dev.azure.com/acme/p/_git/shop', defaultBranch: 'refs/heads/main' },
        refUpdates: [{ name: 'refs/heads/main', newObjectId: COMMIT }],
      },
    }
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    await receive('azure', basic(USER), azure)
    expect(await refusal(() => receive('azure', basic('svc:wrong'), azure))).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(submitted.map(({ repository }) => repository)).toEqual([
      'https://gitlab.com/acme/shop.git',
      'https://dev.azure.com/acme/p/_git/shop',
    ])
  })

  test('whose scans cannot be queued can be sent again', async () => {
    const { receive } = makeServer()
    const down = () => Promise.reject(new Error('no queue'))
    await expect(receive('github', sign(PUSH), PUSH, down)).rejects.toThrow('no queue')
    expect(await receive('github', sign(PUSH), PUSH)).toMatchObject({ queued: 1 })
  })

  test('that asks for nothing says why, and is a replay the second time', async () => {
    const { receive } = makeServer()
    const tag = { ...PUSH, ref: 'refs/tags/v1' }
    expect(await receive('github', sign(tag), tag)).toMatchObject({ state: 'ignored', reason: 'no branch was pushed' })
    expect(await refusal(() => receive('github', sign(tag), tag))).toMatchObject({ code: 'CONFLICT' })
  })

  test.each([
    ['no JSON', 'BAD_REQUEST', sign('{'), '{'],
    ['no id', 'INPUT_INVALID', { ...sign(PUSH), 'x-github-delivery': '' }, PUSH],
  ])('with %s is refused', async (_, code, headers, payload) => {
    const { receive } = makeServer()
    expect(await refusal(() => receive('github', headers, payload))).toMatchObject({ code })
  })

  test('of one provider names no repository of another host', async () => {
    const { receive, env } = makeServer()
    const own = { ...env, SVC_FLEET_REDIS_URL: 'unix:///nowhere' }
    const submit: SubmitScans = (scans, context, provider) => submitScans(scans, { ...context, env: own }, provider)
    for (const clone_url of ['https://gitlab.com/acme/shop', 'http://127.0.0.1:9000/x', 'https://10.0.0.1/a/b']) {
      const payload = { ...PUSH, repository: { clone_url, default_branch: 'main' } }
      const refused = await refusal(() =>
        receive('github', sign(payload, `delivery-${clone_url.length}`), payload, submit),
      )
      expect(refused).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('not known as a host') })
    }
    // That of the provider gets as far as the queue.
    expect(await refusal(() => receive('github', sign(PUSH), PUSH, submit))).toMatchObject({ code: 'TOOL_MISSING' })
  })

  test('names no file of this machine', async () => {
    const { receive } = makeServer()
    for (const clone_url of ['/srv/private', 'file:///srv/private', 'ssh://host/a']) {
      const payload = { ...PUSH, repository: { clone_url, default_branch: 'main' } }
      expect(await refusal(() => receive('github', sign(payload), payload))).toMatchObject({ code: 'INPUT_INVALID' })
    }
  })

  test('is not taken where the server has no secret for the provider, or a short one', async () => {
    const { receive, env } = makeServer()
    for (const secret of ['', 'short']) {
      env.SVC_WEBHOOK_SECRET_GITHUB = secret
      expect(await refusal(() => receive('github', sign(PUSH, 'delivery-1', secret), PUSH))).toMatchObject({
        code: 'TOOL_MISSING',
        hint: expect.stringContaining('SVC_WEBHOOK_SECRET_GITHUB'),
      })
    }
  })
})
