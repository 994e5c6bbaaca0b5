import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readEntryTexts } from '../engine/audit/log.ts'
import { verifyLog } from '../engine/audit/verify.ts'
import type { Context } from '../engine/base/context.ts'
import { askResident } from '../engine/governance/daemon/client.ts'
import { decide } from '../engine/governance/decide.ts'
import { gatherFacts } from '../engine/governance/facts.ts'
import { openGovernanceFor } from '../engine/governance/governance-session.ts'
import { type Governance, makeDefaultPolicy } from '../engine/governance/policy.ts'
import { bindSession } from '../engine/governance/sessions.ts'
import { openState } from '../engine/sources/state/open.ts'
import { type Measured, measure, type Row, sideBySide } from './process.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')
const SESSIONS = 1000
const ZONES = 50
const ENTRIES = 10_000

/** A policy in which every layer that a decision looks at is on. */
function policy(): Governance {
  const base = makeDefaultPolicy()
  return {
    ...base,
    agent_defaults: { ...base.agent_defaults, queue_action: 'block' },
    task_binding: { ...base.task_binding, enabled: true, enforcement: 'block', require_binding: true },
    blast_radius: {
      ...base.blast_radius,
      enabled: true,
      zones: Array.from({ length: ZONES }, (_, n) => ({
        name: `zone-${n}`,
        patterns: [`area-${n}/**/*.{ts,js}`, `**/secret-${n}/**`, `config/${n}*.yaml`],
        enforcement: 'block' as const,
      })),
    },
    tool_grants: { ...base.tool_grants, enabled: true },
  }
}

/** The costs of governance: a decision, an entry, a verification, and a whole process that asks. */
export async function bench(): Promise<Row[]> {
  const ground = mkdtempSync(join(tmpdir(), 'svc-bench-governance-'))
  const env = { XDG_STATE_HOME: join(ground, 'state') }
  const root = join(ground, 'repo')
  mkdirSync(root)
  execFileSync('git', ['init', '-q'], { cwd: root })
  const state = await openState(root, { env })
  try {
    const rules = policy()
    const identity = { agent: 'agent-7', method: 'environment', person: false, credential: 'none' } as const
    const start = { git_sha: null, branch: null, baseline: {} }
    for (let n = 0; n < SESSIONS; n++) {
      const governance = openGovernanceFor(state, rules, { ...identity, agent: `agent-${n % 50}` }, 'cli')
      state.write(governance.acting, tx =>
        bindSession(tx, governance, { intent: 'x', paths: ['src/**', 'test/**', '!src/gen/**'] }, start),
      )
    }
    const { acting } = openGovernanceFor(state, rules, identity, 'cli')
    state.write(acting, tx => {
      for (let n = SESSIONS; n < ENTRIES; n++)
        tx.audit({ action: 'run_scan', target: 'scan.run', decision: 'allowed', details: { n } })
    })

    const decisions = timed(3000, () => {
      const governance = openGovernanceFor(state, rules, identity, 'cli')
      const wanted = {
        action: 'auto_fix_low',
        unbound: false,
        folder: root,
        paths: ['src/a/b.ts', 'area-49/x.ts'],
      } as const
      return decide(state.read((reader, at) => gatherFacts(governance, reader, at, wanted)))
    })
    const verification = timed(5, () => {
      const { fault } = verifyLog(
        { texts: () => readEntryTexts(state), head: state.meta('audit_head') },
        state.keyring.known,
      )
      if (fault) throw new Error(fault.message)
    })
    const began = performance.now()
    const appends = 2000
    for (let n = 0; n < appends; n++)
      state.write(acting, tx => tx.audit({ action: 'run_gate', target: 'gate.check', decision: 'allowed' }))
    const rate = appends / ((performance.now() - began) / 1000)

    const node = process.execPath
    const message = join(ground, 'message.json')
    writeFileSync(message, hookMessage(root))
    // By itself: without the process that stays.
    const alone = { ...env, SVC_RESIDENT: '0', AI_AGENT: 'agent-7' }
    const [empty, plain, governed, blast, hook] = await sideBySide(21, [
      () => measure(node, ['-e', '0'], '.'),
      () => measure(node, [SVC, 'agent-check', 'run_scan', '--quiet'], ground, env),
      () => measure(node, [SVC, 'agent-check', 'run_scan', '--quiet'], root, env),
      () => measure(node, [SVC, 'blast-check', 'src/auth/login.ts', '--quiet'], root, env),
      () => measure('sh', ['-c', '"$0" "$1" agent-hook < "$2"', node, SVC, message], root, alone),
    ])
    const stayed = await answers(root, env)
    // A program that failed took no time that counts; blast-check asks for a human, and so ends with 1.
    const within = (run: Measured | undefined, code = 0) => run!.code === code && run!.ms <= 3 * empty!.ms
    const times = (ms: number) => `${(ms / empty!.ms).toFixed(2)} × node -e 0 (${ms.toFixed(0)} ms)`
    const p99 = decisions[Math.floor(decisions.length * 0.99)]!
    const median = verification[Math.floor(verification.length / 2)]!
    return [
      {
        name: `a decision, 99th percentile (${SESSIONS} sessions, ${ZONES} zones, ${ENTRIES} entries)`,
        figure: `${p99.toFixed(2)} ms (median ${decisions[Math.floor(decisions.length / 2)]!.toFixed(2)} ms)`,
        target: '≤ 1 ms',
        ok: p99 <= 1,
      },
      {
        name: `verifying ${ENTRIES} entries`,
        figure: `${median.toFixed(0)} ms`,
        target: '≤ 200 ms',
        ok: median <= 200,
      },
      {
        name: 'entries appended, each durable by itself',
        figure: `${rate.toFixed(0)}/s`,
        target: '≥ 1000/s',
        ok: rate >= 1000,
      },
      {
        name: 'svc agent-check where nothing is governed',
        figure: times(plain!.ms),
        target: '≤ 3 ×',
        ok: within(plain),
      },
      {
        name: 'svc agent-check with records',
        figure: times(governed!.ms),
        target: '≤ 3 ×',
        ok: within(governed),
      },
      { name: 'svc blast-check', figure: times(blast!.ms), target: '≤ 3 ×', ok: within(blast, 1) },
      {
        name: 'svc agent-hook by itself, of a shell command',
        figure: times(hook!.ms),
        target: '≤ 3 ×, ≤ 150 ms',
        ok: within(hook) && hook!.ms <= 150,
      },
      {
        name: 'the process that stays, its answer to the same',
        figure: `${stayed.toFixed(1)} ms (median of 200)`,
        target: '≤ 5 ms',
        ok: stayed <= 5,
      },
    ]
  } finally {
    state.close()
    rmSync(ground, { recursive: true, force: true })
  }
}

/** What an agent's hook says before a shell command that reads and writes. */
function hookMessage(root: string): string {
  return JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: root,
    tool_name: 'Bash',
    tool_input: { command: 'cd src && grep -rn "x" . | sort > out.txt; git status' },
  })
}

/** The median of the milliseconds in which `svc agent-resident` answers, its start left out. */
async function answers(root: string, env: Record<string, string>): Promise<number> {
  const own = { ...process.env, ...env, AI_AGENT: 'agent-7' }
  const child = spawn(process.execPath, [SVC, 'agent-resident'], { cwd: root, env: own, stdio: 'ignore' })
  const context: Context = {
    surface: 'cli',
    cwd: root,
    env: own,
    signal: new AbortController().signal,
    emit: () => {},
    notice: () => {},
  }
  try {
    const times: number[] = []
    for (let tries = 0; times.length < 220 && tries < 2000; tries++) {
      const began = performance.now()
      const asked = await askResident(hookMessage(root), context)
      if (typeof asked === 'object') times.push(performance.now() - began)
      else await setTimeout(20)
    }
    return times.slice(20).sort((a, b) => a - b)[100] ?? Number.POSITIVE_INFINITY
  } finally {
    child.kill()
  }
}

/** Milliseconds of each of so many runs, sorted; the first tenth, in which the engine warms up, is left out. */
function timed(runs: number, work: () => unknown): number[] {
  const all: number[] = []
  for (let run = 0; run < runs * 1.1; run++) {
    const began = performance.now()
    work()
    all.push(performance.now() - began)
  }
  return all.slice(Math.floor(runs * 0.1)).sort((a, b) => a - b)
}
