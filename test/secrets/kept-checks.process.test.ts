import { createHash } from 'node:crypto'
import { cpSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeEncrypted } from '../../engine/base/disk/encrypted-file.ts'
import { sample } from '../../engine/detect/secrets/sample.ts'
import nextAction from '../../engine/ops/findings/next-action.ts'
import overview from '../../engine/ops/pages/overview.ts'
import page from '../../engine/ops/pages/secrets.ts'
import operation from '../../engine/ops/secrets/scan.ts'
import { CURRENT_DAYS } from '../../engine/secrets/check.ts'
import { CHECKS_FILE, keepChecks, readChecks, TURN_FILE } from '../../engine/secrets/kept-checks.ts'
import { nameRepository } from '../../engine/sources/repository/repository-name.ts'
import { writeRun } from '../../engine/sources/store/write.ts'
import { surface, view } from '../made/call.ts'
import { ground, write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { project } from '../made/project.ts'
import { formsOf } from '../ops/secrets/forms.ts'
import { file, finding, run } from '../sources/store/make.ts'

const TOKEN = sample('ghp_{base62:30}{crc32}', 'kept')
const OTHER = sample('ghp_{base62:30}{crc32}', 'other')
const home = ground()
const elsewhere = ground()
const DAY = 86_400_000

/** What the provider answers each token; 0 breaks the connection. */
const answers = new Map<string, number>()
let asked = 0
const provider = createServer((request, response) => {
  asked++
  const status = answers.get(String(request.headers.authorization).replace('Bearer ', '')) ?? 500
  if (status === 0) request.socket.destroy()
  else response.writeHead(status).end('{}')
})
let base: string
beforeAll(async () => {
  await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterAll(() => provider.close())

const ENV = { XDG_STATE_HOME: home }
const INPUT = { repo_path: '.', staged: false, history: false, stdin: false, baseline: false, explain: false }

async function look(root: string, verify = false, env: Record<string, string> = ENV) {
  const { context, notices } = surface(root, { env: { ...env, SVC_VERIFY_BASE: base } })
  const output = await operation.run({ ...INPUT, verify }, context)
  return { ...output, told: notices, shown: operation.text!(output, view) }
}

/** The page of a run that has found these secrets, with the severities that the command gave them. */
async function openPage(root: string) {
  const { secrets } = await look(root)
  const found = secrets.map(({ id, rule_id, severity, places }, n) =>
    finding(n + 1, { category: 'secret', rule_id, severity, fingerprint: id, file: places[0]!.file }),
  )
  await writeRun(
    join(root, 'out'),
    run('run-01', found),
    found,
    found.map(each => file(each.file)),
  )
  const { data } = await page.run({}, surface(root, { env: ENV }).context)
  return data!
}

/** Two tokens, of which the one in the second file is asked about with this answer. */
const withAnswer = async (status: number) => {
  answers.clear()
  answers.set(TOKEN, 500).set(OTHER, status)
  const root = project({ 'a.py': `token = "${TOKEN}"\n`, 'b.py': `token = "${OTHER}"\n` })
  await look(root, true)
  return root
}
const fileOf = ({ places }: { places: { file: string }[] }) => places[0]!.file
const at = (root: string, name: string) =>
  look(root).then(({ secrets }) => secrets.find(each => fileOf(each) === name)!)

describe('what a provider has said', () => {
  it('is shown afterwards by the command and the page, with its time and where it was asked, and nobody is asked again', async () => {
    const root = await withAnswer(200)
    const before = asked
    const checked = {
      ...{ state: 'live', current: true, endpoint: 'GET https://api.github.com/user', via: base },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    }
    expect(await at(root, 'b.py')).toMatchObject({ provider: 'GitHub', checked })
    expect((await at(root, 'b.py')).liveness).toBeUndefined()
    const { secrets, checks } = await openPage(root)
    expect(checks).toBe('kept')
    expect(secrets.map(each => [fileOf(each), each.checked?.state])).toEqual([
      ['b.py', 'live'],
      ['a.py', 'unknown'],
    ])
    expect(secrets[0]).toMatchObject({ provider: 'GitHub', checked })
    expect((await look(root)).shown).toMatch(/valid \(checked on \d{4}-\d\d-\d\d\)/)
    expect(asked).toBe(before)
  })

  it.each([
    [401, { state: 'revoked' }],
    [500, { state: 'unknown' }],
    [0, { state: 'not_asked', reason: 'no_answer' }],
  ])('is told apart: %d', async (status, state) => {
    expect((await at(await withAnswer(status), 'b.py')).checked).toMatchObject(state)
  })

  it('is absent of a secret that nobody has asked about', async () => {
    const root = project({ 'a.py': `token = "${TOKEN}"\n` })
    expect((await at(root, 'a.py')).checked).toBeUndefined()
    expect(await openPage(root)).toMatchObject({ checks: 'missing', secrets: [{ provider: 'GitHub' }] })
  })

  it('puts live secrets first', async () => {
    expect((await look(await withAnswer(200))).secrets.map(fileOf)).toEqual(['b.py', 'a.py'])
    expect((await look(await withAnswer(500))).secrets.map(fileOf)).toEqual(['a.py', 'b.py'])
  })

  it('puts a live secret before all else that is to be fixed, until its check is out of date', async () => {
    const root = await withAnswer(200)
    const { secrets } = await look(root)
    const live = secrets.find(each => fileOf(each) === 'b.py')!.id
    const found = [
      finding(1, { severity: 'critical', rule_id: 'worse' }),
      finding(2, { severity: 'high', category: 'secret', rule_id: 'token', fingerprint: 'another' }),
      finding(3, { severity: 'low', category: 'secret', rule_id: 'token', fingerprint: live }),
    ]
    await writeRun(join(root, 'out'), run('run-01', found), found, [])
    const { context } = surface(root, { env: ENV })
    const first = async () =>
      (await overview.run({ run_id: 'latest' }, context)).data!.first.map(each => [each.finding.id, each.live])
    expect(await first()).toEqual([
      ['F-3', true],
      ['F-1', false],
    ])
    const { actions } = await nextAction.run({ repo_path: '.', limit: 5 }, context)
    expect(actions.map(each => [each.rule_id, each.live])).toEqual([
      ['token', true],
      ['worse', false],
    ])
    const old = new Date(Date.now() - (CURRENT_DAYS + 1) * DAY).toISOString()
    await keepChecks(root, ENV, new Map([[live, { state: 'live', at: old }]]))
    expect(await first()).toEqual([
      ['F-1', false],
      ['F-2', false],
    ])
  })

  it('takes nothing from a finding where it is revoked: severity, status, place in the list, exit code', async () => {
    answers.clear()
    answers.set(TOKEN, 401).set(OTHER, 500)
    const root = project({ 'a.py': `token = "${TOKEN}"\n`, 'b.py': `token = "${OTHER}"\n` })
    const bare = ({ secrets }: Awaited<ReturnType<typeof look>>) =>
      secrets.map(({ checked: _checked, liveness: _liveness, ...rest }) => rest)
    const before = await look(root)
    const after = await look(root, true)
    expect(after.secrets[0]!.checked?.state).toBe('revoked')
    expect(bare(after)).toEqual(bare(before))
    expect(operation.exit!(after)).toBe(1)
  })

  it('stays where a later question has no clear answer, which is told beside it', async () => {
    const root = await withAnswer(200)
    answers.set(OTHER, 0)
    await look(root, true)
    expect((await at(root, 'b.py')).checked).toMatchObject({
      state: 'live',
      tried: { state: 'not_asked', reason: 'no_answer' },
    })
  })

  it('is what was so then, once it is older than the documented days', async () => {
    const root = await withAnswer(200)
    const { id } = await at(root, 'b.py')
    const old = (days: number) => new Date(Date.now() - days * DAY).toISOString()
    for (const [days, current] of [
      [CURRENT_DAYS - 1, true],
      [CURRENT_DAYS + 1, false],
      // Of a day that is yet to come nothing can be known.
      [-1, false],
    ] as const) {
      await keepChecks(root, ENV, new Map([[id, { state: 'revoked', at: old(days) }]]))
      expect((await at(root, 'b.py')).checked, String(days)).toMatchObject({ state: 'revoked', current })
    }
    await keepChecks(root, ENV, new Map([[id, { state: 'revoked', at: old(CURRENT_DAYS + 1) }]]))
    expect((await look(root)).shown).toMatch(/not valid \(checked on [\d-]+, not since\)/)
  })

  it('is not kept of a text from standard input', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    answers.set(TOKEN, 200)
    const { context } = surface(root, { env: { ...ENV, SVC_VERIFY_BASE: base } })
    const output = await operation.run(
      { ...INPUT, stdin: true, verify: true },
      { ...context, readStdin: async () => `token = "${TOKEN}"\n` },
    )
    expect(output.secrets[0]!.liveness).toBe('live')
    expect(readChecks(root, ENV).state).toBe('missing')
  })
})

describe('the file of what providers have said', () => {
  it('holds nothing that a secret can be guessed by: no value, no identity, no digest, no rule', async () => {
    const root = await withAnswer(200)
    const { id, rule_id } = await at(root, 'b.py')
    const content = readFileSync(join(root, CHECKS_FILE), 'utf8')
    const digests = ['md5', 'sha1', 'sha256', 'sha512'].flatMap(name =>
      (['hex', 'base64', 'base64url'] as const).map(form => createHash(name).update(OTHER).digest(form)),
    )
    const { data } = JSON.parse(content) as { data: string }
    for (const text of [content, Buffer.from(data, 'base64').toString('latin1')])
      for (const form of [
        ...formsOf(OTHER),
        ...digests.map(each => each.slice(0, 20)),
        id.slice(0, 20),
        rule_id,
        'github',
      ])
        expect(text).not.toContain(form)
  })

  it('is its owner’s alone, and ignored by git', async () => {
    const root = await withAnswer(200)
    expect(statSync(join(root, CHECKS_FILE)).mode & 0o777).toBe(0o600)
    expect(git(root, 'status', '--porcelain')).toBe('')
  })

  const REVOKED = { state: 'revoked', at: new Date().toISOString() } as const
  const brought: [string, (root: string, id: string) => void | Promise<void>][] = [
    ['a text', (root, id) => write(root, { [CHECKS_FILE]: JSON.stringify({ checks: [[id, REVOKED]] }) })],
    [
      'a file under a key of its writer',
      (root, id) =>
        writeEncrypted(
          join(root, CHECKS_FILE),
          'secret checks',
          { repository: 'x', checks: [[id, REVOKED]] },
          {
            XDG_STATE_HOME: elsewhere,
          },
        ),
    ],
    [
      'the file of another repository of this user',
      async (root, id) => {
        const another = project({ 'a.py': 'x\n' })
        await keepChecks(another, ENV, new Map([[id, REVOKED]]))
        cpSync(join(another, CHECKS_FILE), join(root, CHECKS_FILE), { recursive: true })
      },
    ],
    [
      'a link to such a file',
      async (root, id) => {
        const another = project({ 'a.py': 'x\n' })
        await keepChecks(another, ENV, new Map([[id, REVOKED]]))
        write(root, { '.svc/local/x': '' })
        symlinkSync(join(another, CHECKS_FILE), join(root, CHECKS_FILE))
      },
    ],
  ]
  it.each(brought)('of a repository that brings one says nothing: %s', async (_name, bring) => {
    const root = project({ 'a.py': `token = "${TOKEN}"\n` })
    const before = await look(root)
    await bring(root, before.secrets[0]!.id)
    const after = await look(root)
    expect(after.secrets).toEqual(before.secrets)
    expect(operation.exit!(after)).toBe(1)
    const shown = await openPage(root)
    expect(shown.checks).toBe('unreadable')
    expect(shown.secrets.map(({ checked }) => checked)).toEqual([undefined])
  })

  it('loses nothing to a verification that adds to it at the same time', async () => {
    const root = project({ 'a.py': `token = "${TOKEN}"\n` })
    await keepChecks(root, ENV, new Map([['first', REVOKED]]))
    write(root, { [TURN_FILE]: `${process.pid} ${hostname()}` })
    const waiting = keepChecks(root, ENV, new Map([['ours', REVOKED]]))
    const theirs = { version: 1, repository: nameRepository(root), checks: [['theirs', REVOKED]] }
    writeEncrypted(join(root, CHECKS_FILE), 'secret checks', theirs, ENV)
    rmSync(join(root, TURN_FILE))
    await waiting
    expect([...readChecks(root, ENV).checks.keys()]).toEqual(['theirs', 'ours'])
  })

  it('that is unreadable is replaced by the next verification', async () => {
    const root = project({ 'a.py': `token = "${TOKEN}"\n` })
    write(root, { [CHECKS_FILE]: 'not ours' })
    answers.set(TOKEN, 200)
    await look(root, true)
    expect((await at(root, 'a.py')).checked?.state).toBe('live')
  })

  it('that cannot be written is told of, and the answers are in the output all the same', async () => {
    const root = project({ 'a.py': `token = "${TOKEN}"\n` })
    answers.set(TOKEN, 200)
    write(root, { '.svc/local': 'a file where the directory belongs' })
    const { secrets, told } = await look(root, true)
    expect(secrets[0]!.liveness).toBe('live')
    expect(told.join('\n')).toContain('The results were not stored')
  })
})
