import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { HeldRecords } from '../../engine/governance/daemon/held-records.ts'
import { STATE_PATH } from '../../engine/sources/state/local-folder.ts'
import { openState } from '../../engine/sources/state/open.ts'
import type { State } from '../../engine/sources/state/state.ts'
import { readWitness } from '../../engine/sources/state/witness.ts'
import { type Place, place } from './governed.ts'

const acting = {
  surface: 'cli',
  actor: { agent: 'a', method: 'none', session_id: null, trust_level: 'none' },
  policy_digest: '',
} as const
const entry = (state: State) => state.write(acting, tx => tx.audit({ action: 'x', target: 'x', decision: 'allowed' }))

const held = new HeldRecords()
afterEach(() => held.close())

async function written(where: Place): Promise<number> {
  const state = await held.open(where.root, { env: where.env })
  try {
    entry(state)
    return state.head().seq
  } finally {
    state.close()
  }
}

it('records that are held open serve one answer after the other', async () => {
  const where = place()
  expect([await written(where), await written(where), await written(where)]).toEqual([1, 2, 3])
  const other = await openState(where.root, where)
  expect(other.head().seq).toBe(3)
  other.close()
})

it('records that were put in the place of the held ones are those that count', async () => {
  const where = place()
  await written(where)
  await written(where)
  for (const end of ['', '-wal', '-shm']) {
    const file = join(where.root, `${STATE_PATH}${end}`)
    if (end === '') renameSync(file, `${file}.aside`)
    else rmSync(file, { force: true })
  }
  expect(await written(where)).toBe(1)
})

it('another key in the environment signs from the next answer on', async () => {
  const where = place()
  await written(where)
  const key = 'k'.repeat(32)
  const env = { ...where.env, GUARD_AUDIT_HMAC_KEY: key }
  const state = await held.open(where.root, { env })
  expect(state.keyring.signing.bytes.toString()).toBe(key)
  state.close()
})

it('the witness is told as soon as the answer is out, not when all is closed', async () => {
  const where = place()
  await written(where)
  await written(where)
  await expect.poll(() => readWitness(where.env, where.root)).toMatchObject({ seq: 2 })
})
