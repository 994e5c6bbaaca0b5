import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../engine/base/text/canonical.ts'
import { encodePayload } from '../../engine/governance/evidence/attest.ts'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { call, type Place, place } from './governed.ts'

const ON = 'task_binding: { enabled: true }\nrollback: { enabled: true }\nblast_radius: { enabled: true }'
const agent = { marker: 'CURSOR_AGENT' }

/** A place with something to tell of: a violated task with a hostile name, and one that was rolled back. */
async function lived(): Promise<Place> {
  const where = place(ON)
  const bind = async (intent: string) =>
    (await call(where, agent, 'governance.task-bind', { intent, path: ['src/**'] })).output.session.id
  const first = await bind('<script>alert(1)</script>')
  write(where.root, { 'src/a.js': '2', 'doc/b.md': 'x' })
  await call(where, agent, 'governance.task-complete', { id: first })
  git(where.root, 'checkout', '-q', '--', '.')
  const second = await bind('try')
  write(where.root, { 'src/a.js': '3' })
  await call(where, agent, 'governance.task-rollback', { id: second })
  await call(where, agent, 'governance.request-approval', { type: 'auto_patch', title: 'please' })
  return where
}
const made = async (where: Place, format: string) => {
  const { output } = await call(where, 'person', 'governance.harness-report', { format, output: '-' })
  return output.content as string
}
const verdictOn = async (where: Place, content: string) => {
  mkdirSync(join(where.root, 'out'), { recursive: true })
  writeFileSync(join(where.root, 'out/r'), content)
  return (await call(where, 'person', 'governance.harness-report', { verify: 'out/r' })).output.verdict
}

describe('a harness report', () => {
  it('tells in seven sections what was on record', async () => {
    const where = await lived()
    const { sections } = JSON.parse(await made(where, 'json'))
    expect(Object.keys(sections).sort()).toEqual([
      'anomalies',
      'audit_trail',
      'blast_radius',
      'human_approvals',
      'rollbacks',
      'task_binding',
      'trust_chains',
    ])
    expect(sections.task_binding).toMatchObject({
      by_status: { done: 1, rolled_back: 1 },
      sessions: [{ violations: [{ path: 'doc/b.md' }] }, {}],
    })
    expect(sections.rollbacks.rollbacks).toMatchObject([{ action: 'task.rollback', agent: 'cursor' }])
    expect(sections.human_approvals).toMatchObject({ by_status: { pending: 1 } })
    expect(sections.anomalies.by_verdict).toEqual({ insufficient_baseline: 2 })
    expect(sections.audit_trail.fault).toBeNull()
  })
  it('leaves out what was before a date', async () => {
    const where = await lived()
    const { output } = await call(where, 'person', 'governance.harness-report', {
      format: 'json',
      output: '-',
      since: '2999-01-01',
    })
    expect(JSON.parse(output.content).sections).toMatchObject({
      task_binding: { sessions: [] },
      audit_trail: { entries: 0 },
    })
  })
  it('is a page that runs nothing, whatever agents call their tasks', async () => {
    const page = await made(await lived(), 'html')
    expect(page).not.toContain('<script>alert')
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).toContain('&lt;script&gt;alert(1)')
    expect(page).not.toMatch(/https?:\/\//)
  })
  it('is valid as it was made, however its JSON is laid out, and with the key only', async () => {
    const where = await lived()
    const [json, page] = [await made(where, 'json'), await made(where, 'html')]
    expect(await verdictOn(where, json)).toBe('valid')
    expect(await verdictOn(where, JSON.stringify(JSON.parse(json), null, 2))).toBe('valid')
    expect(await verdictOn(where, page)).toBe('valid')
    expect(await verdictOn(place(), json)).toBe('no key here')
  })
  it('is ALTERED by any change of its data, or of what the page shows', async () => {
    const where = await lived()
    const [json, page] = [await made(where, 'json'), await made(where, 'html')]
    expect(await verdictOn(where, json.replace('"doc/b.md"', '"doc/c.md"'))).toBe('ALTERED')
    expect(await verdictOn(where, page.replace('<h1>Harness', '<h1>Fine harness'))).toBe('ALTERED')
    expect(await verdictOn(where, page.replace(/<td class="n">1<\/td>/, '<td class="n">0</td>'))).toBe('ALTERED')
    expect(await verdictOn(where, '{}')).toBe('ALTERED')
    expect(await verdictOn(where, 'nothing')).toBe('ALTERED')
  })
})

describe('its attestation', () => {
  it('is an in-toto statement of the file that openssl verifies with the public key', async () => {
    const where = await lived()
    await call(where, 'person', 'governance.harness-report', {
      format: 'json',
      output: 'r.json',
      attest: 'r.dsse.json',
    })
    const file = (name: string) => join(where.root, name)
    const envelope = JSON.parse(readFileSync(file('r.dsse.json'), 'utf8'))
    const payload = Buffer.from(envelope.payload, 'base64')
    const statement = JSON.parse(payload.toString('utf8'))
    const sha256 = createHash('sha256')
      .update(readFileSync(file('r.json')))
      .digest('hex')
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'r.json', digest: { sha256 } }],
    })
    expect(payload.toString('utf8')).toBe(canonical(statement))
    writeFileSync(file('pae'), encodePayload(envelope.payloadType, payload))
    writeFileSync(file('sig'), Buffer.from(envelope.signatures[0].sig, 'base64'))
    const verify = () =>
      execFileSync(
        'openssl',
        [
          'pkeyutl',
          '-verify',
          '-pubin',
          '-inkey',
          file('r.dsse.json.pub.pem'),
          '-rawin',
          '-in',
          file('pae'),
          '-sigfile',
          file('sig'),
        ],
        { encoding: 'utf8', stdio: 'pipe' },
      )
    expect(verify()).toContain('Verified Successfully')
    writeFileSync(file('pae'), encodePayload(envelope.payloadType, Buffer.concat([payload, Buffer.from(' ')])))
    expect(verify).toThrow()
  })
})
