import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNotary } from '../../../api/notary.ts'
import { parseVerifierKey } from '../../../engine/assure/notary/checkpoint.ts'
import { notarize } from '../../../engine/assure/notary/client.ts'
import { openNotaryLog } from '../../../engine/assure/notary/log.ts'
import { context, refusal } from '../../made/call.ts'
import { runHere } from '../../made/command-line.ts'
import { folder } from '../../made/folder.ts'
import { ROOT } from '../../root.ts'
import { type RunningNotary, startNotary } from './hostile.ts'

const DIGEST = 'ab'.repeat(32)
const QUICK = { attempts: 2, pauseMs: 1, timeoutMs: 400 }

function client(notary: Pick<RunningNotary, 'url' | 'key'>) {
  const env = { XDG_STATE_HOME: folder() }
  const ask = (digest = DIGEST) =>
    notarize(digest, { url: notary.url, key: parseVerifierKey(notary.key)! }, context('/', { env }), QUICK)
  return { ask, env, refused: async () => (await refusal(() => ask())).message }
}

/** `svc notary serve` as a process of its own, started by way of another command. */
async function serveProcess(dir: string, by: readonly string[]) {
  const serve = ['notary', 'serve', '--dir', dir, '--name', 'a.test', '--port', '0']
  const [command, ...args] = [...by, process.execPath, join(ROOT, 'dist/svc.js'), ...serve]
  const child = spawn(command!, args, { cwd: folder(), env: { PATH: process.env.PATH, HOME: folder() } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (piece: Buffer) => {
      said += piece
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
      if (found) resolve(found[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(said)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

describe('a notary', () => {
  it('countersigns, and its log is seen to grow', async () => {
    const notary = await startNotary()
    const { ask } = client(notary)
    for (let n = 0; n < 9; n++) expect((await ask()).index).toBe(n)
    expect(notary.log.size()).toBe(9)
  })

  it('continues its log after a restart, without a line that a crash cut off', async () => {
    const dir = join(folder(), 'log')
    const first = openNotaryLog(dir, 'a.test')
    for (let n = 0; n < 5; n++) first.append({ payload_sha256: DIGEST, tool_version: '1' })
    const root = first.checkpoint()
    first.close()
    appendFileSync(join(dir, 'entries.jsonl'), '{"payload_sha256":"abab')
    const second = openNotaryLog(dir, 'a.test')
    expect(second.checkpoint()).toBe(root)
    expect(second.append({ payload_sha256: DIGEST, tool_version: '1' }).index).toBe(5)
    second.close()
  })

  it('publishes an entry that was written before a crash and not yet published', async () => {
    const dir = join(folder(), 'log')
    const first = openNotaryLog(dir, 'a.test')
    first.append({ payload_sha256: DIGEST, tool_version: '1' })
    const before = readFileSync(join(dir, 'checkpoint'))
    first.append({ payload_sha256: DIGEST, tool_version: '1' })
    first.close()
    writeFileSync(join(dir, 'checkpoint'), before)
    const second = openNotaryLog(dir, 'a.test')
    expect(second.checkpoint().split('\n')[1]).toBe('2')
    second.close()
  })

  it('has none of an entry for which the disk has no room, and gives its index to the next one', async () => {
    const dir = join(folder(), 'log')
    const entry = { payload_sha256: DIGEST, tool_version: '1' }
    // No file may have more than 512 bytes: of the fourth entry only a part is written.
    const limited = await serveProcess(dir, ['sh', '-c', 'ulimit -f 1; exec "$@"', 'sh'])
    const answers: { status: number; index?: number; detail?: string }[] = []
    for (let n = 0; n < 5; n++) {
      const response = await fetch(`${limited.url}/v1/entries`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(entry),
      })
      answers.push({ status: response.status, ...((await response.json()) as object) })
    }
    const size = (await (await fetch(`${limited.url}/v1/checkpoint`)).text()).split('\n')[1]
    await limited.stop()
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(answers[3]?.detail).toContain('entries.jsonl cannot be written')
    expect(size).toBe('3')
    expect(readFileSync(join(dir, 'entries.jsonl'), 'utf8').split('\n')).toHaveLength(4)
    const next = openNotaryLog(dir, 'a.test')
    expect(next.append(entry).index).toBe(3)
    next.close()
  })

  it('takes an entry back whose checkpoint cannot be published', async () => {
    const dir = join(folder(), 'log')
    const entry = { payload_sha256: DIGEST, tool_version: '1' }
    const log = openNotaryLog(dir, 'a.test')
    log.append(entry)
    const [before, lines] = [log.checkpoint(), readFileSync(join(dir, 'entries.jsonl'), 'utf8')]
    mkdirSync(join(dir, 'checkpoint.tmp'))
    expect((await refusal(() => log.append(entry))).code).toBe('DISK')
    expect([log.size(), log.checkpoint()]).toEqual([1, before])
    expect(readFileSync(join(dir, 'entries.jsonl'), 'utf8')).toBe(lines)
    rmdirSync(join(dir, 'checkpoint.tmp'))
    expect(log.append(entry).index).toBe(1)
    log.close()
    openNotaryLog(dir, 'a.test').close()
  })

  it.each([
    [
      'an entry was changed',
      (text: string) => text.replace('"tool_version":"1"', '"tool_version":"2"'),
      'An entry of the log was changed',
    ],
    ['an entry is missing', (text: string) => text.split('\n').slice(1).join('\n'), 'its last checkpoint 3'],
    [
      'a line is no entry',
      (text: string) => text.replace('payload_sha256', 'payload'),
      'Entry 0 of the log is not an entry',
    ],
  ])('does not continue a log where %s', async (_, change, message) => {
    const dir = join(folder(), 'log')
    const log = openNotaryLog(dir, 'a.test')
    for (let n = 0; n < 3; n++) log.append({ payload_sha256: DIGEST, tool_version: '1' })
    log.close()
    const file = join(dir, 'entries.jsonl')
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    const fault = await refusal(() => openNotaryLog(dir, 'a.test'))
    expect(fault.code).toBe('STORE_UNREADABLE')
    expect(fault.message).toContain(message)
  })

  it('is not served to a network without a token', async () => {
    const run = (...args: string[]) =>
      runHere(['notary', 'serve', '--dir', join(folder(), 'log'), '--port', '0', ...args], {
        cwd: folder(),
        env: { PATH: process.env.PATH!, HOME: folder() },
      })
    const { code, err } = await run('--host', '0.0.0.0')
    expect([code, err]).toEqual([64, expect.stringContaining('GUARD_NOTARY_TOKEN')])
    expect((await run('--host', '::')).code).toBe(64)
  })

  it('has one process at a time', async () => {
    const dir = join(folder(), 'log')
    const log = openNotaryLog(dir, 'a.test')
    expect((await refusal(() => openNotaryLog(dir, 'a.test'))).code).toBe('CONFLICT')
    log.close()
    writeFileSync(join(dir, 'lock'), '999999999\n')
    openNotaryLog(dir, 'a.test').close()
  })

  it('answers checkpoints and proofs, refuses what is none, and strangers where it has a token', async () => {
    const log = openNotaryLog(join(folder(), 'log'), 'a.test')
    const app = createNotary(log, { GUARD_RATE_LIMIT_ENABLED: 'false', GUARD_NOTARY_TOKEN: 'made-up' })
    const post = (headers: Record<string, string>, payload: unknown) =>
      app.inject({ method: 'POST', url: '/v1/entries', headers, payload: payload as object })
    const body = { payload_sha256: DIGEST, tool_version: '1' }
    expect((await post({}, body)).statusCode).toBe(401)
    expect((await post({ authorization: 'Bearer wrong' }, body)).statusCode).toBe(401)
    const own = { authorization: 'Bearer made-up' }
    expect((await post(own, body)).json()).toMatchObject({ index: 0, payload_sha256: DIGEST })
    expect((await post(own, { ...body, note: 'x' })).statusCode).toBe(422)
    expect((await post(own, { ...body, payload_sha256: 'short' })).statusCode).toBe(422)
    expect((await post(own, { ...body, tool_version: 'x'.repeat(9000) })).statusCode).toBe(413)
    expect((await app.inject('/v1/checkpoint')).body).toBe(log.checkpoint())
    expect((await app.inject('/v1/key')).body.trim()).toBe(log.verifier_key)
    expect((await app.inject('/v1/inclusion?index=0&size=1')).json()).toEqual({ index: 0, size: 1, inclusion: [] })
    for (const bad of [
      'consistency?from=1&to=9',
      'inclusion?index=1&size=1',
      'inclusion?index=-1&size=1',
      'consistency?from=1',
    ])
      expect((await app.inject(`/v1/${bad}`)).statusCode).toBe(422)
    expect((await app.inject('/v1/other')).statusCode).toBe(404)
    await app.close()
    log.close()
  })
})

describe('a client refuses, and says why', () => {
  it('a notary that only the configuration names, where there is a token to send', async () => {
    const notary = await startNotary()
    const key = parseVerifierKey(notary.key)!
    const host = new URL(notary.url).host
    const ask = (own: Record<string, string>, url = notary.url) => {
      const env = { XDG_STATE_HOME: folder(), GUARD_NOTARY_TOKEN: 'made-up', ...own }
      return notarize(DIGEST, { url, key }, context('/', { env }), QUICK)
    }
    const fault = await refusal(() => ask({}))
    expect([fault.row.exit, fault.hint]).toEqual([64, expect.stringContaining(`GUARD_NOTARY_HOSTS=${host}`)])
    expect(notary.log.size()).toBe(0)
    expect((await ask({ GUARD_NOTARY_HOSTS: host })).index).toBe(0)
    expect((await ask({ GUARD_NOTARY_URL: notary.url })).index).toBe(1)
    const plain = await refusal(() => ask({ GUARD_NOTARY_HOSTS: 'notary.example' }, 'http://notary.example'))
    expect([plain.row.exit, plain.message]).toEqual([64, expect.stringContaining('https')])
  })

  it('no answer', async () => {
    const fault = await refusal(client({ url: 'http://127.0.0.1:1', key: (await startNotary()).key }).ask)
    expect([fault.code, fault.row.exit]).toEqual(['TOOL_MISSING', 69])
  })

  it('another key', async () => {
    const [notary, other] = [await startNotary(), await startNotary()]
    expect(await client({ url: notary.url, key: other.key }).refused()).toContain('not signed with the configured key')
  })

  it('a split view: a log with another history of the same length or more', async () => {
    const dir = join(folder(), 'log')
    const notary = await startNotary('n.test', dir)
    const { ask, refused } = client(notary)
    await ask()
    const twin = join(folder(), 'twin')
    cpSync(dir, twin, { recursive: true })
    for (const file of ['entries.jsonl', 'checkpoint', 'lock']) rmSync(join(twin, file))
    const fork = openNotaryLog(twin, 'n.test')
    fork.append({ payload_sha256: 'cd'.repeat(32), tool_version: '1' })
    fork.append({ payload_sha256: 'cd'.repeat(32), tool_version: '1' })
    notary.serve(fork)
    expect(await refused()).toContain('split view')
  })

  it('a log that lost entries', async () => {
    const dir = join(folder(), 'log')
    const notary = await startNotary('n.test', dir)
    const { ask, refused } = client(notary)
    for (let n = 0; n < 4; n++) await ask()
    const short = join(folder(), 'short')
    cpSync(dir, short, { recursive: true })
    for (const file of ['checkpoint', 'lock']) rmSync(join(short, file))
    const [line] = readFileSync(join(dir, 'entries.jsonl'), 'utf8').split('\n')
    writeFileSync(join(short, 'entries.jsonl'), `${line}\n`)
    notary.serve(openNotaryLog(short, 'n.test'))
    expect(await refused()).toContain('fewer entries than it had')
  })

  it('an answer from before: an entry that was there already, and one of another day', async () => {
    const notary = await startNotary()
    const { ask, refused } = client(notary)
    const first = await ask()
    const second = await ask()
    notary.change = () => second
    expect(await refused()).toContain('an old one')
    const stranger = client(notary)
    notary.change = () => first
    await stranger.ask()
    notary.change = () => notary.log.append({ payload_sha256: DIGEST, tool_version: '1' }, Date.now() - 86_400_000)
    expect(await stranger.refused()).toContain('an old one')
  })

  it('an answer about another attestation, one that is not in the log, and one that is none', async () => {
    const notary = await startNotary()
    const { refused } = client(notary)
    notary.change = answer => ({ ...answer, payload_sha256: 'cd'.repeat(32) })
    expect(await refused()).toContain('about another attestation')
    notary.change = answer => ({ ...answer, inclusion: [Buffer.alloc(32).toString('base64')] })
    expect(await refused()).toContain('not in the log')
    notary.change = () => ({ ok: true })
    expect(await refused()).toContain('form of the protocol')
  })

  it('nothing is remembered of an answer that was refused', async () => {
    const notary = await startNotary()
    const { ask, refused } = client(notary)
    notary.change = answer => ({ ...answer, signature: Buffer.alloc(64).toString('base64') })
    expect(await refused()).toContain('not signed')
    notary.change = answer => answer
    await ask()
  })
})
