import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Verify } from '../../engine/base/records/secret-detector.ts'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'
import { verify } from '../../engine/secrets/verify.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server on this machine, and its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A rule whose provider is asked with the value in the address and in a header. */
function ruleAt(base: string, more: Partial<Verify> = {}): CompiledRule {
  const rule: Verify = {
    method: 'GET',
    url: `${base}/me?token={secret}`,
    headers: { Authorization: 'Bearer {secret}' },
    live: { status: [200] },
    dead: { status: [401] },
    ...more,
  }
  return { type: 'secret', detector: { provider: 'Acme', format: '(?<secret>\\w+)', verify: rule } } as CompiledRule
}

const ask = (rule: CompiledRule, values: readonly string[], more: { pause_ms?: number; timeout_ms?: number } = {}) =>
  verify(
    values.map(value => ({ id: value, rule, value })),
    { signal: AbortSignal.timeout(50_000), pause_ms: 0, ...more },
  )

describe('a question to a provider', () => {
  it.each([301, 302, 303, 307, 308])(
    'follows no redirect (%d), so that no other host is given the credential',
    async status => {
      const given: IncomingMessage[] = []
      const elsewhere = await serve((request, response) => {
        given.push(request)
        response.end('{}')
      })
      const provider = await serve((_, response) => {
        response.writeHead(status, { location: `${elsewhere}/me` }).end()
      })
      expect(await ask(ruleAt(provider), ['one'])).toEqual(new Map([['one', 'unknown']]))
      expect(given).toEqual([])
    },
  )

  it('waits no longer than it is told to for an answer that does not come', async () => {
    const provider = await serve(() => {})
    const began = performance.now()
    expect((await ask(ruleAt(provider), ['one'], { timeout_ms: 200 })).get('one')).toBe('unanswered')
    expect(performance.now() - began).toBeLessThan(40_000)
  })

  it('waits no longer for one that begins and does not end', async () => {
    const provider = await serve((_, response) => {
      response.writeHead(200)
      response.write('{')
    })
    expect((await ask(ruleAt(provider), ['one'], { timeout_ms: 200 })).get('one')).toBe('unanswered')
  })

  it('takes a connection that breaks for no answer', async () => {
    const provider = await serve(request => request.socket.destroy())
    expect((await ask(ruleAt(provider), ['one'])).get('one')).toBe('unanswered')
  })

  it('takes the refusal to answer so many questions for an answer that says nothing', async () => {
    const provider = await serve((_, response) => {
      response.writeHead(429, { 'retry-after': '1' }).end()
    })
    expect((await ask(ruleAt(provider), ['one'])).get('one')).toBe('unknown')
  })

  it('goes to a host after the one before is answered, and a pause', async () => {
    const began: number[] = []
    let open = 0
    let most = 0
    const provider = await serve((_, response) => {
      began.push(performance.now())
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.end('{}')
      }, 20)
    })
    const answers = await ask(ruleAt(provider), ['one', 'two', 'three'], { pause_ms: 60 })
    expect([...answers.values()]).toEqual(['live', 'live', 'live'])
    expect(most).toBe(1)
    for (let index = 1; index < began.length; index++) expect(began[index]! - began[index - 1]!).toBeGreaterThan(70)
  })

  it('is asked once for a credential that stands in many places', async () => {
    let asked = 0
    const provider = await serve((_, response) => {
      asked++
      response.end('{}')
    })
    await ask(ruleAt(provider), ['one', 'one', 'one'])
    expect(asked).toBe(1)
  })

  it('encodes the credential where it goes into an address', async () => {
    const given: (string | undefined)[] = []
    const provider = await serve((request, response) => {
      given.push(request.url)
      response.end('{}')
    })
    await ask(ruleAt(provider), ['a&b=c/../x'])
    expect(given).toEqual(['/me?token=a%26b%3Dc%2F..%2Fx'])
  })

  it('is over when the scan is', async () => {
    const provider = await serve(() => {})
    const rule = ruleAt(provider)
    const stop = new AbortController()
    const answers = verify([{ id: 'one', rule, value: 'one' }], { signal: stop.signal })
    setTimeout(() => stop.abort(), 50)
    await expect(answers).rejects.toThrow(/abort/i)
  })
})
