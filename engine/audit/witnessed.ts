import { existsSync } from 'node:fs'
import { locateUserState } from '../base/disk/user-state.ts'
import { EngineError } from '../base/errors.ts'
import { stateExists } from '../sources/state/local-folder.ts'
import { computeSha256 } from '../sources/state/seal.ts'
import type { State } from '../sources/state/state.ts'
import {
  holds,
  locateWitness,
  readWitness,
  removeHash,
  type Witness,
  type Witnessed,
  writeWitness,
} from '../sources/state/witness.ts'
import type { Settling } from './settle-records.ts'
import type { ChainFault } from './verify.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What is kept with the records under this name: which witness they have, so that its absence tells. */
export const WITNESS_KEY = 'witness'

/** What names a witness: it is another one for another user, and at another place. */
export function nameWitness(env: Environment, root: string): string {
  return computeSha256(locateWitness(env, root)).slice(0, 32)
}

/**
 * What the user's witness knows against a log that is sound in itself: it was put back, or another one stood here.
 * `matters` says of which logs that are gone it is to tell.
 */
export function findWitnessFault(
  state: State,
  env: Environment,
  matters: (gone: Witnessed) => boolean = () => true,
): ChainFault | undefined {
  const { root } = state
  const witness = readWitness(env, root)
  const head = state.head()
  if (witness === 'changed')
    return {
      kind: 'witness_changed',
      seq: head.seq,
      message: 'The witness of the log, outside the repository, was changed.',
    }
  if (!witness) {
    // A home that is new has no witnesses at all, and is no evidence.
    // Records that are looked for and not there are made in memory, for the look alone, and have no witness either.
    const isKept = head.seq > 0 && stateExists(root)
    const was = isKept && state.meta(WITNESS_KEY) === nameWitness(env, root) && existsSync(locateUserState(env))
    return was
      ? {
          kind: 'witness_changed',
          seq: head.seq,
          message: 'The witness of the log, outside the repository, is missing.',
        }
      : undefined
  }
  const gone = findGoneLogs(witness, head.log_id).find(matters)
  if (gone) {
    return {
      kind: 'replaced',
      seq: 1,
      message: `An earlier log with ${gone.seq} entries until ${gone.at} is missing.`,
    }
  }
  if (witness.log_id === head.log_id && !holds(witness, seq => state.textOf(seq))) {
    return {
      kind: 'truncated',
      seq: Math.min(head.seq, witness.seq) + 1,
      message: `The log was rolled back to an earlier state: at ${witness.at} it had entry ${witness.seq}.`,
    }
  }
  return undefined
}

/** The logs that the witness has seen here and that are not this one, the oldest first. */
export function findGoneLogs(witness: Witness, logId: string): Witnessed[] {
  const last = witness.log_id !== logId && witness.seq > 0 ? [removeHash(witness)] : []
  return [...witness.replaced, ...last]
}

/**
 * Accepts that an earlier log is gone, that this one was put back, that the witness or the clock is another: the log tells
 * who did. `by` is the approval by which a person has agreed, where it is not a person who asks. FORBIDDEN without either.
 */
export function acceptReplaced({ state, identity, acting }: Settling, env: Environment, by?: string): void {
  if (!identity.person && by === undefined)
    throw new EngineError('FORBIDDEN', `Only a user can accept a missing log; the caller is ${identity.agent}.`)
  const { root } = state
  const fault = findWitnessFault(state, env)
  const isAhead = state.clockAhead() > 0
  if (!fault && !isAhead) return
  const witness = readWitness(env, root)
  const known = witness === 'changed' ? undefined : witness
  const gone = known ? findGoneLogs(known, state.head().log_id) : []
  state.write(
    acting,
    tx =>
      tx.audit({
        action: 'audit.accept',
        target: gone.length > 0 ? gone.map(({ log_id }) => log_id).join(' ') : (fault?.kind ?? 'clock'),
        decision: 'allowed',
        details: {
          replaced: gone,
          ...(fault && { fault: fault.kind }),
          ...(isAhead && { clock_from: state.head().at }),
          ...(by !== undefined && { approval_id: by }),
        },
      }),
    { clock: true },
  )
  state.witnessing = true
  const { log_id, seq, hash, at } = state.head()
  writeWitness(env, root, { log_id, seq, hash, at, ...state.witnessed(), replaced: [] })
}
