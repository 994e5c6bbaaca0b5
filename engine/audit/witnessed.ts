import { EngineError } from '../errors.ts'
import type { Desk } from '../governance/desk.ts'
import type { ChainFault } from './verify.ts'
import { holds, readWitness, writeWitness } from './witness.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the user's witness knows against a log that is sound in itself: it was put back, or another one stood here. */
export function witnessFault({ state, root }: Pick<Desk, 'state' | 'root'>, env: Environment): ChainFault | undefined {
  const witness = readWitness(env, root)
  if (!witness) return undefined
  const gone = witness.replaced[0]
  const head = state.head()
  if (witness.log_id === head.log_id && !holds(witness, seq => state.textOf(seq))) {
    return {
      kind: 'truncated',
      seq: Math.min(head.seq, witness.seq) + 1,
      message: `The log was put back to an earlier state: at ${witness.at} it had entry ${witness.seq}.`,
    }
  }
  return (
    gone && {
      kind: 'replaced',
      seq: 1,
      message: `An earlier log stood here with ${gone.seq} entries until ${gone.at}, and is gone.`,
    }
  )
}

/** Has a person say that they know of an earlier log's end; the log tells that they did. */
export function acceptReplaced({ state, root, identity, acting }: Desk, env: Environment): void {
  if (!identity.person)
    throw new EngineError('FORBIDDEN', `Only a person can accept that a log is gone, and this is ${identity.agent}.`)
  const witness = readWitness(env, root)
  if (!witness || witness.replaced.length === 0) return
  state.write(acting, tx =>
    tx.audit({
      action: 'audit.accept',
      target: witness.replaced.map(({ log_id }) => log_id).join(' '),
      decision: 'allowed',
      details: { replaced: witness.replaced },
    }),
  )
  writeWitness(env, root, { ...readWitness(env, root)!, replaced: [] })
}
