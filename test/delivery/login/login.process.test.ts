import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import type { Context, Event, SignIn } from '../../../engine/base/context.ts'
import { locateLogins, readLogins } from '../../../engine/delivery/login/store.ts'
import { invoke } from '../../../engine/door/invoke.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { context, refusal } from '../../made/call.ts'
import { CLIENT, startIssuer } from '../../made/issuer.ts'

const roots: string[] = []

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

/** A directory that is configured for the issuer, and a user's state of its own. Tests run beside each other, so nothing is shared. */
function ground(issuer: string) {
  const root = mkdtempSync(join(tmpdir(), 'svc-login-'))
  roots.push(root)
  const env = { XDG_STATE_HOME: join(root, 'state'), HOME: root, SVC_LOGIN_ISSUER: issuer, SVC_LOGIN_CLIENT_ID: CLIENT }
  const heard: { notices: string[]; signIn?: SignIn } = { notices: [] }
  const call = async (
    verb: 'login' | 'logout',
    input: object = {},
    more: Partial<Context> & { onSignIn?: (signIn: SignIn) => unknown } = {},
  ) => {
    const { onSignIn, ...rest } = more
    const row = OPERATIONS.find(one => one.id === `account.${verb}`)!
    const given = context(root, {
      env,
      notice: text => void heard.notices.push(text),
      emit: (event: Event) => {
        if (event.type !== 'sign_in') return
        heard.signIn = event.sign_in
        onSignIn?.(event.sign_in)
      },
      ...rest,
    })
    const { output, operation } = await invoke(row, input, given)
    // biome-ignore lint/suspicious/noExplicitAny: the answer of either operation
    return { output: output as Record<string, any>, exit: operation.exit?.(output) ?? 0 }
  }
  return { root, env, heard, call }
}

/** Every file below a directory. */
function filesBelow(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

describe.concurrent('svc login', () => {
  it('waits until the code is confirmed, and stores the tokens encrypted for the user alone', async ({ expect }) => {
    const issuer = await startIssuer()
    const { env, heard, call } = ground(issuer.url)
    const { output, exit } = await call('login', {}, { onSignIn: signIn => issuer.answer(signIn, 'confirm') })
    expect([output.logged_in, output.issuer, output.account, output.expired, exit]).toEqual([
      true,
      issuer.url,
      'ada',
      false,
      0,
    ])
    expect(heard.signIn).toMatchObject({
      issuer: issuer.url,
      user_code: expect.stringMatching(/^\w{4}-\w{4}$/),
      verification_uri: `${issuer.url}/device`,
    })
    const [login] = readLogins(env)
    expect(await issuer.provider.AccessToken.find(login!.access_token)).toBeTruthy()
    expect(await issuer.provider.RefreshToken.find(login!.refresh_token!)).toBeTruthy()
    const file = locateLogins(env)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const token of [login!.access_token, login!.refresh_token!]) {
      expect(readFileSync(file, 'utf8')).not.toContain(token)
      expect(JSON.stringify([output, heard])).not.toContain(token)
    }
    const { output: shown } = await call('login', { status: true })
    expect(shown).toEqual(output)
  })

  it('revokes the tokens of the login that it replaces', async ({ expect }) => {
    const issuer = await startIssuer()
    const { env, call } = ground(issuer.url)
    const confirm = { onSignIn: (signIn: SignIn) => issuer.answer(signIn, 'confirm') }
    await call('login', {}, confirm)
    const [first] = readLogins(env)
    await call('login', {}, confirm)
    const logins = readLogins(env)
    expect(logins.length).toBe(1)
    expect(logins[0]!.access_token).not.toBe(first!.access_token)
    expect(await issuer.provider.RefreshToken.find(first!.refresh_token!)).toBeUndefined()
    expect(await issuer.provider.RefreshToken.find(logins[0]!.refresh_token!)).toBeTruthy()
  })

  it('stores nothing where it is denied', async ({ expect }) => {
    const issuer = await startIssuer()
    const { root, call } = ground(issuer.url)
    const error = await refusal(() => call('login', {}, { onSignIn: signIn => issuer.answer(signIn, 'deny') }))
    expect([error.code, error.row.exit]).toEqual(['FORBIDDEN', 64])
    expect(error.message).toContain('denied')
    expect(filesBelow(root)).toEqual([])
  })

  it.for([
    ['by its own clock', {}],
    ['by the word of the issuer', { said: 60 }],
  ] as const)('ends where nobody confirms in time, %s', async ([, said], { expect }) => {
    const issuer = await startIssuer({ lifetime: 1, ...said })
    const { root, call } = ground(issuer.url)
    const error = await refusal(() => call('login'))
    expect([error.code, error.message]).toEqual([
      'FORBIDDEN',
      `The code expired before it was confirmed at ${issuer.url}.`,
    ])
    expect(issuer.polls.length).toBeGreaterThan(0)
    expect(filesBelow(root)).toEqual([])
  })

  it('polls five seconds further apart when it is told to slow down', async ({ expect }) => {
    const issuer = await startIssuer({ enforced: 4 })
    const { call } = ground(issuer.url)
    const { output } = await call(
      'login',
      {},
      { onSignIn: signIn => setTimeout(() => issuer.answer(signIn, 'confirm'), 500) },
    )
    expect(output.logged_in).toBe(true)
    const [, second, third] = issuer.polls
    expect(third! - second!).toBeGreaterThanOrEqual(5000)
  }, 20_000)

  it('keeps to the interval of the issuer', async ({ expect }) => {
    const issuer = await startIssuer({ interval: 0.4 })
    const { call } = ground(issuer.url)
    await call('login', {}, { onSignIn: signIn => setTimeout(() => issuer.answer(signIn, 'confirm'), 700) })
    const apart = issuer.polls.slice(1).map((at, index) => at - issuer.polls[index]!)
    expect(apart.length).toBeGreaterThan(0)
    for (const pause of apart) expect(pause).toBeGreaterThanOrEqual(395)
  })

  it('goes on, more slowly, after connections that break off and a server in trouble', async ({ expect }) => {
    const issuer = await startIssuer({ disturb: poll => (poll <= 2 ? true : poll === 3 ? 503 : false) })
    const { heard, call } = ground(issuer.url)
    const { output } = await call('login', {}, { onSignIn: signIn => issuer.answer(signIn, 'confirm') })
    expect(output.logged_in).toBe(true)
    expect(heard.notices.length).toBe(3)
    expect(issuer.polls[3]! - issuer.polls[2]!).toBeGreaterThanOrEqual(395)
  })

  it('ends within a second when it is interrupted, however long the issuer pauses', async ({ expect }) => {
    const issuer = await startIssuer({ interval: 30 })
    const { call } = ground(issuer.url)
    const controller = new AbortController()
    let began = 0
    const onSignIn = () =>
      setTimeout(() => {
        began = Date.now()
        controller.abort()
      }, 100)
    const error = await refusal(() => call('login', {}, { signal: controller.signal, onSignIn }))
    expect(error.code).toBe('INTERRUPTED')
    expect(Date.now() - began).toBeLessThan(1000)
  })

  it('leaves nothing behind when it is interrupted', async ({ expect }) => {
    const issuer = await startIssuer()
    const { root, call } = ground(issuer.url)
    const controller = new AbortController()
    const error = await refusal(() =>
      call('login', {}, { signal: controller.signal, onSignIn: () => setTimeout(() => controller.abort(), 200) }),
    )
    expect([error.code, error.row.exit]).toEqual(['INTERRUPTED', 130])
    const polls = issuer.polls.length
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(issuer.polls.length).toBe(polls)
    expect(filesBelow(root)).toEqual([])
  })

  it('says what is missing in the configuration, and what to do', async ({ expect }) => {
    const { env, call } = ground('')
    const error = await refusal(() => call('login', {}, { env: { ...env, SVC_LOGIN_ISSUER: '' } }))
    expect([error.code, error.row.exit]).toEqual(['CONFIG_INVALID', 64])
    expect(error.message).toContain('login.issuer is not set')
    expect(error.hint).toContain('SVC_LOGIN_ISSUER')
    const other = await refusal(() => call('login', {}, { env: { ...env, SVC_LOGIN_ISSUER: 'http://idp.example' } }))
    expect([other.code, other.message]).toEqual(['CONFIG_INVALID', 'The issuer "http://idp.example" is no https URL.'])
  })

  it('tells an issuer that does not answer from one that refuses the client or has no device grant', async ({
    expect,
  }) => {
    const { env, call } = ground('http://127.0.0.1:1')
    const away = await refusal(() => call('login'))
    expect([away.code, away.row.exit]).toEqual(['TOOL_MISSING', 69])
    expect(away.message).toContain('ECONNREFUSED')
    const without = await startIssuer({ device: false, grants: ['refresh_token'] })
    const none = await refusal(() => call('login', {}, { env: { ...env, SVC_LOGIN_ISSUER: without.url } }))
    expect(none.code).toBe('CONFIG_INVALID')
    expect(none.message).toContain('does not offer the device authorization grant')
    const issuer = await startIssuer()
    const stranger = { ...env, SVC_LOGIN_ISSUER: issuer.url, SVC_LOGIN_CLIENT_ID: 'stranger' }
    const refused = await refusal(() => call('login', {}, { env: stranger }))
    expect(refused.code).toBe('CONFIG_INVALID')
    expect(refused.message).toContain('"stranger": invalid_client')
  })

  it('is for users: no agent logs in or out', async ({ expect }) => {
    const issuer = await startIssuer()
    const { env, heard, call } = ground(issuer.url)
    for (const verb of ['login', 'logout'] as const) {
      const error = await refusal(() => call(verb, {}, { env: { ...env, CLAUDECODE: '1' } }))
      expect([error.code, error.message]).toEqual(['FORBIDDEN', expect.stringContaining('requires a user')])
    }
    expect(heard.signIn).toBeUndefined()
  })
})

describe.concurrent('svc logout', () => {
  const confirmed = async (behavior = {}) => {
    const issuer = await startIssuer(behavior)
    const made = ground(issuer.url)
    await made.call('login', {}, { onSignIn: signIn => issuer.answer(signIn, 'confirm') })
    return { issuer, ...made, login: readLogins(made.env)[0]! }
  }

  it('revokes both tokens and removes them', async ({ expect }) => {
    const { issuer, env, call, login } = await confirmed()
    const { output, exit } = await call('logout')
    expect([output, exit]).toEqual([{ ended: [{ issuer: issuer.url, revocation: 'revoked' }], unreadable: false }, 0])
    expect(await issuer.provider.AccessToken.find(login.access_token)).toBeUndefined()
    expect(await issuer.provider.RefreshToken.find(login.refresh_token!)).toBeUndefined()
    expect(existsSync(locateLogins(env))).toBe(false)
    expect((await call('logout')).output.ended).toEqual([])
    expect((await call('login', { status: true })).exit).toBe(1)
  })

  it('removes them where the issuer cannot revoke, and says so', async ({ expect }) => {
    const { env, call } = await confirmed({ revocation: false })
    const { output, exit } = await call('logout')
    expect([output.ended[0].revocation, exit, existsSync(locateLogins(env))]).toEqual(['unsupported', 0, false])
  })

  it('removes them where the issuer is gone, says so, and exits with 69', async ({ expect }) => {
    const issuer = await startIssuer()
    const { env, call } = ground(issuer.url)
    await call('login', {}, { onSignIn: signIn => issuer.answer(signIn, 'confirm') })
    issuer.stop()
    const { output, exit } = await call('logout')
    expect([output.ended[0].revocation, exit, existsSync(locateLogins(env))]).toEqual(['failed', 69, false])
  })

  it('leaves the logins at other issuers alone, and never tells one of another', async ({ expect }) => {
    const { env, call, login } = await confirmed()
    const other = await startIssuer()
    const there = { ...env, SVC_LOGIN_ISSUER: other.url }
    await call('login', {}, { env: there, onSignIn: signIn => other.answer(signIn, 'confirm') })
    await call('logout', {}, { env: there })
    expect(readLogins(env)).toEqual([login])
    await call('logout', { all: true }, { env: there })
    expect(readLogins(env)).toEqual([])
  })

  it('removes a file that was altered with --all alone, and exits with 69', async ({ expect }) => {
    const { env, call } = await confirmed()
    const file = locateLogins(env)
    const sealed = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...sealed, data: Buffer.from('other').toString('base64') }))
    for (const input of [{ status: true }, {}])
      expect((await refusal(() => call('login', input))).code).toBe('STORE_UNREADABLE')
    const { output, exit } = await call('logout', { all: true })
    expect([output.unreadable, exit, existsSync(file)]).toEqual([true, 69, false])
  })
})
