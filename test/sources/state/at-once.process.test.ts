import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEntryTexts } from '../../../engine/audit/log.ts'
import { verifyLog } from '../../../engine/audit/verify.ts'
import { runWithState } from '../../../engine/sources/state/open.ts'
import type { State } from '../../../engine/sources/state/state.ts'
import { ROOT } from '../../root.ts'

// SVC_SECONDS and SVC_KILLS make it longer: npm run governance:stress takes 60 seconds and 200 kills.
const SECONDS = Number(process.env.SVC_SECONDS ?? 3)
const KILLS = Number(process.env.SVC_KILLS ?? 20)
const PROCESSES = 32

const ground = realpathSync(mkdtempSync(join(tmpdir(), 'svc-processes-')))
const program = join(ground, 'worker.mjs')
afterAll(() => rmSync(ground, { recursive: true, force: true }))

beforeAll(async () => {
  await build({
    entryPoints: [join(ROOT, 'test/sources/state/worker.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // The bundle lies outside of the project, so it names the package by its place.
    alias: { '@photostructure/sqlite': join(ROOT, 'node_modules/@photostructure/sqlite/dist/index.mjs') },
    external: [join(ROOT, 'node_modules/@photostructure/sqlite/*')],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
})

function start(root: string, milliseconds: number): ChildProcess {
  return spawn(process.execPath, [program, root, join(ground, 'home'), String(milliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

async function outputOf(child: ChildProcess): Promise<Record<string, number> & { failures: string[] }> {
  let text = ''
  child.stdout!.on('data', chunk => {
    text += chunk
  })
  await once(child, 'close')
  return JSON.parse(text)
}

const inspect = <T>(root: string, work: (state: State) => T) =>
  runWithState(root, { env: { XDG_STATE_HOME: join(ground, 'home') } }, work)
const count = (state: State, sql: string) =>
  state.read(reader => Number(reader.rows(`SELECT count(*) AS n FROM ${sql}`)[0]!.n))
const faultOf = (state: State) =>
  verifyLog({ texts: () => readEntryTexts(state), head: state.meta('audit_head') }, state.keyring.known).fault

it(`${PROCESSES} processes at once lose no update, break no chain, and are never told that the records are busy`, {
  timeout: SECONDS * 1000 + 300_000,
}, async () => {
  const root = join(ground, 'many')
  const all = await Promise.all(Array.from({ length: PROCESSES }, () => outputOf(start(root, SECONDS * 1000))))
  const total = (key: string) => all.reduce((sum, each) => sum + (each[key] ?? 0), 0)
  expect(all.flatMap(({ failures }) => failures)).toEqual([])
  expect(total('bound')).toBeGreaterThan(PROCESSES)
  await inspect(root, state => {
    expect(Number(state.meta('count'))).toBe(total('counted'))
    expect(count(state, 'sessions')).toBe(total('bound'))
    expect(count(state, "sessions WHERE status = 'done'")).toBe(total('completed'))
    expect(count(state, "approvals WHERE status = 'consumed'")).toBe(total('consumed'))
    expect(total('consumed')).toBe(total('completed'))
    expect(faultOf(state)).toBeUndefined()
  })
})

it(`a process that is killed at any of ${KILLS} moments leaves no half step, and the log is intact`, {
  timeout: KILLS * 6000 + 60_000,
}, async () => {
  const root = join(ground, 'killed')
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(root, 60_000)
    await once(child, 'message')
    await setTimeout(Math.random() * 60)
    child.kill('SIGKILL')
    await once(child, 'close')
    await inspect(root, state => {
      expect(faultOf(state)).toBeUndefined()
      const entries = (action: string) => count(state, `audit WHERE json_extract(text, '$.action') = '${action}'`)
      expect(count(state, 'sessions')).toBe(entries('task.bind'))
      expect(count(state, "sessions WHERE status = 'done'")).toBe(entries('task.complete'))
      expect(count(state, "approvals WHERE status = 'consumed'")).toBe(entries('approval.consume'))
      // Using an approval and completing the session are one step.
      expect(entries('approval.consume')).toBe(entries('task.complete'))
      expect(Number(state.meta('count') ?? 0)).toBe(entries('test.count'))
    })
  }
})
