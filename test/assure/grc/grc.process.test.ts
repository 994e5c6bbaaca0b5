import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { default as ajvModule } from 'ajv/dist/2020.js'
import { default as formats } from 'ajv-formats'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deliverEvents, readLetters } from '../../../engine/assure/grc/deliver.ts'
import { makeEvent, makeTestEvent } from '../../../engine/assure/grc/event.ts'
import { mapEvent } from '../../../engine/assure/grc/mappings.ts'
import { context, refusal } from '../../made/call.ts'
import { runHere } from '../../made/command-line.ts'
import { folder } from '../../made/folder.ts'
import { textOf } from '../../root.ts'
import { attestedProject } from '../attest/made.ts'
import { type Platform, startDrata, startVanta, TOKEN } from './platforms.ts'

interface Seen {
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** A receiver that answers as it is told, one way after the other; the last one stays. */
async function receiver(...ways: ((response: ServerResponse) => void)[]) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', piece => {
      body += piece
    })
    request.on('end', () => {
      seen.push({ url: request.url!, headers: request.headers, body })
      const way = ways.length > 1 ? ways.shift()! : ways[0]!
      way(response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, seen }
}

const answer =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end('{}')
const hangUp = (response: ServerResponse) => void response.destroy()
const cutOff = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('{')
  response.destroy()
}
const QUICK = { attempts: 3, pauseMs: 1, timeoutMs: 300 }

async function pushing(...ways: Parameters<typeof receiver>) {
  const [made, server] = [await attestedProject(), await receiver(...ways)]
  const env = {
    ...made.env,
    ...{ GUARD_GRC_SECRET: 'made-up', GUARD_GRC_TOKEN: 'bearer', GUARD_GRC_WEBHOOK_URL: server.url },
  }
  const event = makeEvent('gate_failed', made.run, 'project')
  const push = (own: typeof event | undefined = event) =>
    deliverEvents(made.root, own, { target: 'webhook', url: server.url }, context(made.root, { env }), QUICK)
  return { made, ...server, event, push }
}

describe('an event', () => {
  it('is valid by the published schema, and has the same id again', async () => {
    const { run } = await attestedProject()
    const validate = formats.default(new ajvModule.default()).compile(JSON.parse(textOf('docs/grc-event.schema.json')))
    for (const event of [
      makeEvent('scan_complete', run, 'p'),
      makeEvent('gate_failed', run, 'p'),
      makeTestEvent('p', new Date()),
    ])
      expect(validate(event), JSON.stringify(validate.errors)).toBe(true)
    expect(makeEvent('gate_failed', run, 'p').id).toBe(makeEvent('gate_failed', run, 'p').id)
    expect(makeEvent('gate_failed', run, 'p').id).not.toBe(makeEvent('scan_complete', run, 'p').id)
    expect((await refusal(() => makeEvent('gate_passed', run, 'p'))).code).toBe('CONFLICT')
    expect((await refusal(() => makeEvent('gate_passed', { ...run, gate: undefined }, 'p'))).message).toContain(
      'No gate ran',
    )
  })

  it('is signed over its body, and carries its id and its name', async () => {
    const { push, seen, event } = await pushing(answer(202))
    expect(await push()).toEqual([{ id: event.id, event: 'gate_failed', delivered: true, resent: false }])
    const [{ headers, body }] = seen as [Seen]
    expect(headers['x-svc-signature']).toBe(`sha256=${createHmac('sha256', 'made-up').update(body).digest('hex')}`)
    expect([
      headers['x-svc-event'],
      headers['x-svc-delivery'],
      headers['idempotency-key'],
      headers.authorization,
    ]).toEqual(['gate_failed', event.id, event.id, 'Bearer bearer'])
    expect(JSON.parse(body)).toEqual(event)
  })

  it.each([
    ['500', answer(500)],
    ['429', answer(429)],
    ['no answer', hangUp],
    ['an answer that is cut off', cutOff],
    ['silence', () => {}],
  ] as const)('is tried again after %s, with the same id', async (_, way) => {
    const { push, seen } = await pushing(way, way, answer(200))
    expect((await push())[0]!.delivered).toBe(true)
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(seen).toHaveLength(3)
  })

  it.each([
    ['400', answer(400), 1],
    ['401', answer(401), 1],
    ['a redirection', answer(302, { location: 'https://elsewhere.example/' }), 3],
    ['503 for ever', answer(503), 3],
  ] as const)('is kept as a dead letter after %s, without credentials', async (_, way, tries) => {
    const { push, seen, made, event } = await pushing(way)
    expect((await push())[0]).toMatchObject({
      delivered: false,
      reason: expect.stringContaining('the server answered'),
    })
    expect(seen).toHaveLength(tries)
    expect(readLetters(made.root)).toEqual([event])
    const [name] = readdirSync(join(made.root, '.svc/local/grc'))
    expect(readFileSync(join(made.root, '.svc/local/grc', name!), 'utf8')).not.toMatch(/made-up|bearer/)
  })

  it('that was kept is sent again first, with its id, and once', async () => {
    const { push, seen, made, event } = await pushing(answer(400), answer(200))
    await push()
    const other = makeEvent('scan_complete', made.run, 'project')
    expect((await push(other)).map(({ id, resent, delivered }) => [id, resent, delivered])).toEqual([
      [event.id, true, true],
      [other.id, false, true],
    ])
    expect(seen.map(({ headers }) => headers['x-svc-delivery'])).toEqual([event.id, event.id, other.id])
    expect(readLetters(made.root)).toEqual([])
  })
})

describe('a platform that takes only what its description has', () => {
  const push = async (target: 'vanta' | 'drata', platform: Platform, resource?: string) => {
    const { run, root } = await attestedProject()
    const event = makeEvent('scan_complete', run, 'project')
    const to = { target, url: platform.url, ...(resource !== undefined && { resource }) }
    const [delivery] = await deliverEvents(
      root,
      event,
      to,
      context(root, { env: { GUARD_GRC_TOKEN: TOKEN, GUARD_GRC_HOSTS: new URL(platform.url).host } }),
      QUICK,
    )
    return { event, delivery: delivery! }
  }

  it('takes the upload and the submission of Vanta', async () => {
    const vanta = await startVanta()
    const { event, delivery } = await push('vanta', vanta, 'doc')
    expect([delivery.delivered, vanta.refused]).toEqual([true, []])
    expect(vanta.accepted).toEqual([
      {
        path: '/v1/documents/doc/uploads',
        content: {
          ...{ name: `svc-scan_complete-${event.id}.json`, event },
          description: 'svc: scan_complete of project',
        },
      },
      { path: '/v1/documents/doc/submit', content: 'submitted' },
    ])
  })

  it('takes the record of Drata, twice under one id', async () => {
    const drata = await startDrata()
    const { event } = await push('drata', drata, '12/34')
    expect((await push('drata', drata, '12/34')).delivery.delivered).toBe(true)
    expect(drata.refused).toEqual([])
    expect(drata.accepted[0]!.content).toMatchObject({
      ...{ id: event.id, name: 'project: scan_complete', high: 1, compliance: event.compliance },
    })
  })

  it.each([
    ['vanta', startVanta, 'none'],
    ['drata', startDrata, '12/35'],
  ] as const)('refuses a resource that %s does not have, and the event is kept', async (target, start, resource) => {
    const platform = await start()
    const { delivery } = await push(target, platform, resource)
    expect([delivery.delivered, delivery.reason]).toEqual([false, expect.stringContaining('404')])
    expect(platform.accepted).toEqual([])
  })

  it.each([
    ['vanta', undefined],
    ['drata', undefined],
    ['drata', '12'],
    ['drata', '12/a'],
  ] as const)('is not asked where %s has the resource %s', async (target, resource) => {
    const { run } = await attestedProject()
    const event = makeEvent('scan_complete', run, 'project')
    const to = { target, url: 'https://api.example', ...(resource !== undefined && { resource }) }
    expect((await refusal(() => mapEvent(event, to, {}))).message).toContain('grc.resource')
  })
})

it.each(['GUARD_GRC_TOKEN', 'GUARD_GRC_SECRET'])('%s goes only where the environment says', async name => {
  const { run } = await attestedProject()
  const event = makeEvent('scan_complete', run, 'project')
  const map = (url: string, env: Record<string, string>) =>
    mapEvent(event, { target: 'webhook', url }, { [name]: 'made-up', ...env })
  const error = await refusal(() => map('https://evil.example/hook', { GUARD_GRC_HOSTS: 'grc.example' }))
  expect([error.row.exit, error.hint]).toEqual([64, expect.stringContaining('GUARD_GRC_HOSTS=evil.example')])
  const header = name === 'GUARD_GRC_TOKEN' ? 'authorization' : 'x-svc-signature'
  const trusting: Record<string, string>[] = [
    { GUARD_GRC_HOSTS: 'other.example, grc.example' },
    { GUARD_GRC_WEBHOOK_URL: 'https://grc.example/hook' },
  ]
  for (const env of trusting) expect(map('https://grc.example/hook', env)[0]!.headers).toHaveProperty([header])
  const plain = await refusal(() => map('http://grc.example/hook', { GUARD_GRC_HOSTS: 'grc.example' }))
  expect([plain.row.exit, plain.message]).toEqual([64, expect.stringContaining('https')])
})

it('the command says what was not delivered, and exits with 69', async () => {
  const made = await attestedProject()
  const env = {
    ...made.env,
    PATH: process.env.PATH!,
    HOME: folder(),
    GUARD_GRC_WEBHOOK_URL: (await receiver(answer(400))).url,
  }
  const run = (...args: string[]) => runHere(['grc-push', ...args], { cwd: made.root, env })
  expect(await run('--test')).toMatchObject({ code: 69, out: expect.stringContaining('Not delivered') })
  expect((await run('--event', 'gate_passed')).code).toBe(64)
  expect((await run('--dry-run')).out).toContain('x-svc-event: scan_complete')
  expect((await run('--resend')).out).toContain('nothing to send')
})
