import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePathHider } from '../../../engine/assure/auditors/paths.ts'
import { FILES, type Portal, SECRETS, startPortal } from './made.ts'

const data = (portal: Portal, token: string) => fetch(`${portal.base}/api/auditor/portal-data?token=${token}`)
const download = (portal: Portal, token: string, type: string) =>
  fetch(`${portal.base}/api/auditor/download?token=${token}&type=${type}`)

describe('an auditor token', () => {
  it('opens the portal without the key of the server, and nothing else', async () => {
    const portal = await startPortal()
    const token = await portal.token()
    expect((await data(portal, token)).status).toBe(200)
    expect((await fetch(`${portal.base}/auditor?token=${token}`)).status).toBe(200)
    for (const path of ['findings', 'audit', 'config', 'compliance-report'])
      expect((await fetch(`${portal.base}/api/${path}?token=${token}`)).status, path).toBe(401)
  })

  it('shows what its scopes allow, and refuses what they do not', async () => {
    const portal = await startPortal()
    const keys = async (scope: string) =>
      Object.keys((await (await data(portal, await portal.token('--scope', scope))).json()) as object)
    const always = ['auditor_name', 'auditor_email', 'expires_at', 'access_scope', 'project', 'run']
    expect(await keys('findings')).toEqual([...always, 'metrics', 'findings_by_rule'])
    expect(await keys('audit_log,trends')).toEqual([...always, 'audit_log', 'trends'])
    expect(await keys('compliance')).toEqual([...always, 'frameworks'])
    const refused = await download(portal, await portal.token('--scope', 'findings'), 'evidence')
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
      403,
      expect.stringContaining('scope evidence'),
    ])
    expect((await portal.svc('auditor', 'create', '-n', 'A', '-e', 'a@b.c', '-s', 'everything')).code).toBe(64)
  })

  it('expires, can be revoked, and is refused where it is wrong', async () => {
    const portal = await startPortal()
    const token = await portal.token()
    const wrong = `${token.slice(0, -4)}AAAA`
    const detail = async (presented: string) => {
      const answer = await data(portal, presented)
      return [answer.status, ((await answer.json()) as { detail: string }).detail.split('. ')[0]]
    }
    expect(await detail(wrong)).toEqual([401, 'The token is not known'])
    expect(await detail('svc_auditor_short')).toEqual([401, 'The token is not known'])
    const listed = await portal.svc('auditor', 'list', '--json')
    expect(listed.out).not.toContain(token)
    const [{ prefix }] = (JSON.parse(listed.out) as { auditors: { prefix: string }[] }).auditors as [{ prefix: string }]
    expect(token.startsWith(`svc_auditor_${prefix}`)).toBe(true)
    expect((await portal.svc('auditor', 'revoke', prefix)).code).toBe(0)
    expect(await detail(token)).toEqual([401, 'The token was revoked'])
    expect((await portal.svc('auditor', 'list')).out).toContain('no active token')
    expect((await portal.svc('auditor', 'revoke', prefix)).code).toBe(66)
  })

  it('is stored as a hash alone, and each access is in the audit log', async () => {
    const portal = await startPortal()
    const token = await portal.token()
    await data(portal, token)
    await download(portal, token, 'compliance')
    await data(portal, `${token.slice(0, -4)}AAAA`)
    const files = ['state.db', 'state.db-wal'].map(name => join(portal.root, '.svc/local', name))
    for (const file of files) expect(readFileSync(file).includes(token)).toBe(false)
    const { entries } = JSON.parse((await portal.svc('audit', 'list', '--json')).out) as {
      entries: { action: string; decision: string; actor: { agent: string } }[]
    }
    const own = entries
      .filter(({ action }) => action.startsWith('auditor.'))
      .map(({ action, decision }) => `${action} ${decision}`)
    expect(own).toEqual([
      'auditor.access refused',
      'auditor.download allowed',
      'auditor.access allowed',
      'auditor.create allowed',
    ])
    expect(entries[0]!.actor.agent).toMatch(/^auditor:/)
    expect((await portal.svc('audit', 'verify')).out).toContain('Intact')
  })

  it.each([
    ['a later end', "UPDATE auditors SET expires_at = '2099-01-01T00:00:00.000Z'"],
    ['more scopes', `UPDATE auditors SET scopes = '["findings","evidence"]'`],
    ['a hash of another token', `UPDATE auditors SET token_hash = '${'0'.repeat(64)}'`],
    ['no record any more', 'DELETE FROM auditors'],
  ])('is refused where another program gave its record %s', async (_, sql) => {
    const portal = await startPortal()
    const token = await portal.token('--scope', 'trends')
    const { DatabaseSync } = await import('@photostructure/sqlite')
    const database = new DatabaseSync(join(portal.root, '.svc/local/state.db'))
    database.exec(sql)
    database.close()
    expect((await data(portal, token)).status).toBe(401)
    expect((await portal.svc('audit', 'verify')).code).toBe(1)
  })

  it('never shows code, directories, settings or keys, in any answer', async () => {
    const portal = await startPortal()
    const token = await portal.token()
    const answers = [
      await (await data(portal, token)).text(),
      ...(await Promise.all(
        ['compliance', 'evidence'].map(async type => (await download(portal, token, type)).text()),
      )),
    ]
    for (const answer of answers) {
      expect(answer).toContain('CC6.1')
      const found = [...SECRETS, ...FILES, portal.root, 'api-key', token].filter(text => answer.includes(text))
      expect(found).toEqual([])
    }
    expect(answers[0]).toContain('access.md')
  })
})

it('directories are hidden in any text, those of other files too, and words with a slash stay', () => {
  const hide = makePathHider('/home/kim/app', ['src/pay/core.ts', 'a b/c d.ts', 'top.ts'])
  expect(hide('In src/pay/core.ts:3 and /home/kim/app/src/pay/core.ts, also src/pay/other, and/or a b/c d.ts')).toBe(
    'In core.ts:3 and core.ts, also other, and/or c d.ts',
  )
  expect(hide('see https://example.org/src/pay and src/pay, /etc/passwd')).toBe(
    'see https://example.org/src/pay and pay, passwd',
  )
})
