import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readEntryTexts } from '../../engine/audit/log.ts'
import { verifyLog } from '../../engine/audit/verify.ts'
import { openState } from '../../engine/sources/state/open.ts'
import fc from '../made/property.ts'
import { policyOf, type Real } from './histories.ts'
import { Model, type Settings } from './model.ts'
import { BEGINNING, STEPS, WEIGHTS } from './steps.ts'

// Histories of governance against the model: SVC_HISTORIES says how many (npm run governance:stress runs 10,000).
const HISTORIES = Number(process.env.SVC_HISTORIES ?? 200)
const settings: fc.Arbitrary<Settings> = fc.record({
  queue: fc.constantFrom('allow', 'warn', 'block'),
  grants: fc.boolean(),
  enforcement: fc.constantFrom('warn', 'block', 'hitl'),
  binding: fc.boolean(),
  required: fc.boolean(),
  sameLevel: fc.boolean(),
  cascade: fc.boolean(),
})

/** Statuses as the records have them, in the order of the model's lists. */
function statuses({ state, sessions, grants, approvals }: Real): Record<string, string[]> {
  return state.read(reader => ({
    sessions: sessions.map(id => reader.get('sessions', id)!.status),
    grants: grants.map(id => reader.get('grants', id)!.status),
    approvals: approvals.map(id => reader.get('approvals', id)!.status),
  }))
}

// A disk in memory where there is one: what is asked here is not whether fsync works.
const ground = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'svc-model-'))

it(`${HISTORIES} random histories end as a small model of governance says, step by step, and their log is intact`, {
  timeout: 3_600_000,
}, async () => {
  let history = 0
  try {
    await fc.assert(
      fc.asyncProperty(
        settings,
        fc.array(fc.oneof(...STEPS.map((arbitrary, index) => ({ weight: WEIGHTS[index]!, arbitrary }))), {
          minLength: 1,
          maxLength: 100,
          size: 'max',
        }),
        async (chosen, steps) => {
          const root = join(ground, String(history++))
          const clock = { ms: Date.UTC(2030, 0, 1) }
          const state = await openState(root, { env: { XDG_STATE_HOME: ground }, now: () => clock.ms })
          try {
            const model = new Model(chosen)
            const real: Real = { state, policy: policyOf(chosen), clock, sessions: [], grants: [], approvals: [] }
            for (const step of [...BEGINNING, ...steps]) {
              step(model, real)
              const status = (list: { status: string }[]) => list.map(({ status }) => status)
              expect(statuses(real)).toEqual({
                sessions: status(model.sessions),
                grants: status(model.grants),
                approvals: status(model.approvals),
              })
            }
            const log = { texts: () => readEntryTexts(state), head: state.meta('audit_head') }
            expect(verifyLog(log, state.keyring.known).fault).toBeUndefined()
          } finally {
            state.close()
            rmSync(root, { recursive: true, force: true })
            // SQLite lets go of a file when its statements are collected, and that takes a turn of the event loop.
            await setImmediate()
          }
        },
      ),
      { numRuns: HISTORIES, interruptAfterTimeLimit: 3_500_000 },
    )
  } finally {
    rmSync(ground, { recursive: true, force: true })
  }
})
