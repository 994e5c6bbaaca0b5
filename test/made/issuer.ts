import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Provider from 'oidc-provider'
import type { Exchange } from 'oidc-provider'
import { afterAll } from 'vitest'
import type { SignIn } from '../../engine/base/context.ts'

/** How an issuer is to behave; seconds. */
export interface Behavior {
  /** What it says that polls are to be apart. */
  interval?: number
  /** What it takes: polls that are closer are told to slow down. */
  enforced?: number
  /** How long a code is valid, and what it says of that. */
  lifetime?: number
  said?: number
  revocation?: boolean
  device?: boolean
  grants?: string[]
  /** The person confirms every code at once. */
  confirms?: boolean
  /** Called before each poll; true breaks the connection off, a number answers with that status. */
  disturb?: (poll: number) => boolean | number
}

export const CLIENT = 'svc-tests'

const running: (() => void)[] = []

// At the end of the file, since tests beside each other share no end.
afterAll(() => {
  for (const stop of running.splice(0)) stop()
})

// Dozens of lines a test about what matters in production alone.
for (const name of ['warn', 'info'] as const) {
  const write = console[name]
  console[name] = (...words) => String(words[0]).startsWith('oidc-provider ') || write(...words)
}

/** A real issuer, until the tests of the file have finished. */
export interface Issuer {
  url: string
  provider: Provider
  /** Times of the polls, in milliseconds. */
  polls: number[]
  /** Opens the page of the code in a browser of few words, and confirms or denies. */
  answer(signIn: SignIn, decision: 'confirm' | 'deny'): Promise<string>
  /** Ends it before the tests of the file have finished. */
  stop(): void
}

/** Starts a certified OpenID provider with the device authorization grant on a port of this machine. */
export async function startIssuer(behavior: Behavior = {}): Promise<Issuer> {
  const { default: Provider } = await import('oidc-provider')
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { interval = 0.05, lifetime = 60, revocation = true, device = true } = behavior
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT,
        token_endpoint_auth_method: 'none',
        grant_types: behavior.grants ?? ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: { deviceFlow: { enabled: device }, revocation: { enabled: revocation } },
    ttl: {
      DeviceCode: lifetime,
      AccessToken: 3600,
      IdToken: 3600,
      RefreshToken: 86_400,
      Session: 60,
      Grant: 86_400,
      Interaction: 60,
    },
    claims: { openid: ['sub'] },
    cookies: { keys: ['a-key-of-the-tests'] },
  })
  const polls: number[] = []
  provider.use(async (exchange, next) => {
    if (exchange.path === '/token' && (await disturb(exchange, polls, behavior))) return
    await next()
    if (exchange.path !== '/device/auth' || exchange.status !== 200) return
    const code = exchange.body as SignIn
    exchange.body = { ...code, interval, ...(behavior.said && { expires_in: behavior.said }) }
    if (behavior.confirms) void visit(code, 'confirm')
  })
  server.on('request', provider.callback())
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  running.push(stop)
  return { url, provider, polls, stop, answer: visit }
}

/** What stands between a poll and the provider, which does not itself limit the pace; whether it has answered. */
async function disturb(exchange: Exchange, polls: number[], { enforced, disturb }: Behavior): Promise<boolean> {
  const before = polls.at(-1)
  polls.push(Date.now())
  const how = disturb?.(polls.length)
  if (how === true) exchange.req.socket.destroy()
  if (how === true) return true
  if (typeof how === 'number') exchange.status = how
  else if (enforced !== undefined && before !== undefined && Date.now() - before < enforced * 1000) {
    exchange.status = 400
    exchange.body = { error: 'slow_down' }
  } else return false
  return true
}

/** Follows the pages as a browser does: the code's page, the login, the consent. Answers the text of the last one. */
async function visit({ verification_uri, user_code }: SignIn, decision: 'confirm' | 'deny'): Promise<string> {
  const cookies = new Map<string, string>()
  const send = async (to: string, form?: Record<string, string>): Promise<{ at: string; html: string }> => {
    const response = await fetch(to, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(pair => pair.join('=')).join('; '), accept: 'text/html' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      if (value === '') cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (location) return send(new URL(location, to).href)
    return { at: to, html: await response.text() }
  }
  const readToken = (html: string) => /name="xsrf" value="([^"]+)"/.exec(html)![1]!
  const first = await send(verification_uri)
  const second = await send(verification_uri, { xsrf: readToken(first.html), user_code })
  const choice: Record<string, string> = decision === 'confirm' ? { confirm: 'yes' } : { abort: 'yes' }
  let page = await send(verification_uri, { xsrf: readToken(second.html), user_code, ...choice })
  for (let step = 0; step < 3 && /name="prompt" value="(\w+)"/.test(page.html); step++) {
    const prompt = /name="prompt" value="(\w+)"/.exec(page.html)![1]!
    const action = /action="([^"]+)"/.exec(page.html)![1]!
    page = await send(new URL(action, page.at).href, {
      prompt,
      ...(prompt === 'login' && { login: 'ada', password: 'x' }),
    })
  }
  return page.html
}
