import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runAndReload } from '../../../api/reload.ts'
import { serveDashboard } from '../../../api/start.ts'
import type { Context } from '../../../engine/base/context.ts'
import { ROWS, schemas } from '../rows.ts'
import { startServer } from './server-under-test.ts'

function contextWith(env: Context['env'] = {}): { context: Context; notices: string[]; stop: AbortController } {
  const notices: string[] = []
  const stop = new AbortController()
  const context: Context = {
    surface: 'cli',
    cwd: tmpdir(),
    env,
    signal: stop.signal,
    emit() {},
    notice: text => void notices.push(text),
  }
  return { context, notices, stop }
}

it('the dashboard says where it is, serves there, and settles after the signal though a browser stays connected', async () => {
  const { context, notices, stop } = contextWith()
  const served = serveDashboard({ host: '127.0.0.1', port: 0 }, context, ROWS, schemas)
  await expect.poll(() => notices.join('\n')).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
  const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(notices.join('\n'))!
  // A browser keeps its connection open, for longer than this test has time.
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const [answer] = await once(get(`${base}/health`, { agent }), 'response')
  expect(answer.resume().statusCode).toBe(200)
  await once(answer, 'end')
  stop.abort()
  await served
  await expect(fetch(`${base}/health`)).rejects.toThrow()
})

it('beyond loopback without a key, one is made, told once, and asked for', async () => {
  const { context, notices, stop } = contextWith()
  const served = serveDashboard({ host: '0.0.0.0', port: 0 }, context, ROWS, schemas)
  await expect.poll(() => notices).toHaveLength(2)
  const key = /: ([\w-]{43})$/m.exec(notices[0]!)![1]!
  const port = /:(\d+)/.exec(notices[1]!)![1]
  const asked = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/api/page`, { headers })
  expect((await asked({})).status).toBe(401)
  expect((await asked({ 'x-api-key': key })).status).toBe(200)
  stop.abort()
  await served
})

it('a port that is taken is an error that says so and what to do', async () => {
  const { base } = await startServer()
  const { context } = contextWith()
  await expect(
    serveDashboard({ host: '127.0.0.1', port: Number(new URL(base).port) }, context, ROWS, schemas),
  ).rejects.toMatchObject({ code: 'CONFLICT', hint: expect.stringContaining('--port') })
})

it('a host that is not this machine is an error that names it', async () => {
  const { context } = contextWith()
  await expect(serveDashboard({ host: '192.0.2.1', port: 0 }, context, ROWS, schemas)).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: '192.0.2.1 is not an address of this machine.',
  })
})

it('with reload, a new build is served without another start, and nothing is left running at the end', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-reload-'))
  const log = join(root, 'log')
  writeFileSync(log, '')
  const build = (folder: string, version: number) => {
    mkdirSync(join(root, folder))
    const program = `require('node:fs').appendFileSync(${JSON.stringify(log)}, 'v${version} ' + process.argv[2] + ' ' + process.pid + '\\n'); setInterval(() => {}, 1000)`
    writeFileSync(join(root, folder, 'program.cjs'), program)
  }
  const { readFileSync } = await import('node:fs')
  const lines = () => readFileSync(log, 'utf8').trim().split('\n')
  build('dist', 1)
  const stop = new AbortController()
  const done = runAndReload({
    program: join(root, 'dist/program.cjs'),
    args: ['hello'],
    env: process.env,
    cwd: root,
    signal: stop.signal,
    notice() {},
  })
  await expect.poll(() => lines()[0]).toMatch(/^v1 hello \d+$/)
  build('fresh', 2)
  rmSync(join(root, 'dist'), { recursive: true })
  renameSync(join(root, 'fresh'), join(root, 'dist'))
  await expect.poll(() => lines().at(-1)).toMatch(/^v2 hello \d+$/)
  stop.abort()
  await done
  for (const line of lines()) expect(() => process.kill(Number(line.split(' ')[2]), 0)).toThrow('ESRCH')
})
