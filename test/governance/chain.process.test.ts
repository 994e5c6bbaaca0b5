import { describe, expect, it } from 'vitest'
import { listChain, listDescendants } from '../../engine/governance/chain.ts'
import { buildDelegationTree } from '../../engine/governance/delegation.ts'
import { runWithState } from '../../engine/sources/state/open.ts'
import type { Session } from '../../engine/sources/state/records.ts'
import { call, place } from './governed.ts'

/** Sessions as a store might hold them: each with the id of the one above it. */
async function stored<T>(
  parents: Record<string, string | null>,
  look: Parameters<typeof runWithState<T>>[2],
): Promise<T> {
  const where = place()
  const { output } = await call(where, { marker: 'CLAUDECODE' }, 'governance.task-bind', { intent: 'x', path: ['**'] })
  return runWithState(where.root, { env: where.env }, state => {
    const model = state.read(reader => reader.get('sessions', output.session.id)) as Session
    const actor = { agent: 'test', method: 'none', session_id: null, trust_level: 'none' } as const
    state.write({ surface: 'cli', actor, policy_digest: '' }, tx => {
      for (const [id, parent_id] of Object.entries(parents)) tx.insert('sessions', { ...model, id, parent_id })
      tx.audit({ action: 'test', target: '', decision: 'allowed' })
    })
    return look(state)
  })
}

describe('the sessions below one', () => {
  it('come depth first, with how deep each is', async () => {
    const parents = { root: null, a: 'root', b: 'root', aa: 'a', ab: 'a', ba: 'b' }
    const tree = await stored(parents, state => state.read(reader => buildDelegationTree(reader, 'ab')))
    expect(tree.map(({ session, depth }) => `${depth} ${session.id}`)).toEqual([
      '0 root',
      '1 a',
      '2 aa',
      '2 ab',
      '1 b',
      '2 ba',
    ])
  })

  it('are all found, however deep the chain is', async () => {
    const parents = Object.fromEntries(
      Array.from({ length: 12_000 }, (_, at) => [`s${at}`, at === 0 ? null : `s${at - 1}`]),
    )
    const count = await stored(parents, state => state.read(reader => listDescendants(reader, 's0').length))
    expect(count).toBe(11_999)
  })

  it('are each found once where sessions are their own ancestors', async () => {
    const [down, up] = await stored({ a: 'b', b: 'c', c: 'a' }, state =>
      state.read(reader => [listDescendants(reader, 'a'), listChain(reader, reader.get('sessions', 'a')!)]),
    )
    expect(down!.map(({ id }) => id)).toEqual(['c', 'b'])
    expect(up!.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })
})
