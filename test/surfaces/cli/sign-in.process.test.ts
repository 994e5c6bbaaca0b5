import { describe, expect, it } from 'vitest'
import { formatSignIn } from '../../../cli/sign-in.ts'
import { readLogins } from '../../../engine/delivery/login/store.ts'
import { runHere } from '../../made/command-line.ts'
import { folder } from '../../made/folder.ts'
import { CLIENT, startIssuer } from '../../made/issuer.ts'

describe('the code of a login', () => {
  const environment = (issuer: string, root: string) => ({
    ...{ XDG_STATE_HOME: root, HOME: root, PATH: process.env.PATH },
    ...{ SVC_LOGIN_ISSUER: issuer, SVC_LOGIN_CLIENT_ID: CLIENT },
  })

  it('is on stderr, also with -q, and the answer on stdout has no token', async () => {
    const issuer = await startIssuer({ confirms: true })
    const root = folder()
    const env = environment(issuer.url, root)
    const { code, out, err } = await runHere(['login', '-q'], { cwd: root, env })
    expect([code, out]).toEqual([0, expect.stringContaining(`Logged in at ${issuer.url} as ada`)])
    expect(err).toContain(`${issuer.url}/device`)
    expect(err).toMatch(/enter the code \w{4}-\w{4}\n/)
    const { access_token, refresh_token } = readLogins(env)[0]!
    for (const token of [access_token, refresh_token!]) expect(out + err).not.toContain(token)
  })

  it('is one line of JSON on stderr with --json, beside the answer on stdout', async () => {
    const issuer = await startIssuer({ confirms: true })
    const root = folder()
    const { code, out, err } = await runHere(['login', '--json'], { cwd: root, env: environment(issuer.url, root) })
    expect(code).toBe(0)
    expect(JSON.parse(err)).toMatchObject({
      issuer: issuer.url,
      verification_uri: `${issuer.url}/device`,
      user_code: expect.stringMatching(/^\w{4}-\w{4}$/),
    })
    expect(JSON.parse(out)).toMatchObject({ logged_in: true, issuer: issuer.url, account: 'ada' })
  })

  it('cannot write to the terminal what the issuer likes', () => {
    const evil = {
      issuer: 'https://id.example',
      user_code: 'A\u001b[2J\nsvc: fine',
      verification_uri: 'https://id.example',
    }
    const text = formatSignIn({ ...evil, expires_at: '2026-01-01T00:00:00Z' }, false)
    expect(text).not.toContain('\u001b')
    expect(text.split('\n').length).toBe(4)
  })
})
