import { EngineError } from '../base/errors.ts'
import type { Acting } from '../sources/state/entry.ts'
import type { RecordFault } from '../sources/state/seals.ts'
import type { State } from '../sources/state/state.ts'
import { KEYS, type Tables, type Value } from '../sources/state/tables.ts'
import { findChangedRecords } from './records.ts'

/** Who settles the records, and on which. */
export interface Settling {
  state: State
  identity: { person: boolean; agent: string; method: string }
  acting: Acting
}

/** Rows that an entry names; the rest is counted. */
const NAMED = 100

/**
 * Has a person accept the rows as they are now: all are sealed anew, and the log tells which had been changed. FORBIDDEN for
 * anybody else.
 */
export function acceptRecords(settling: Settling): void {
  const faults = forPerson(settling, 'accept records that were changed')
  if (faults.length === 0) return
  settling.state.write(settling.acting, tx => tx.audit(entry('records.accept', faults)), { reseal: true })
}

/**
 * Puts the rows that were changed with another program back to what was sealed, for a person. FORBIDDEN for anybody else,
 * CONFLICT where what was sealed was changed as well.
 */
export function restoreRecords(settling: Settling): void {
  const faults = forPerson(settling, 'restore records')
  if (faults.length === 0) return
  const { state, acting } = settling
  state.write(acting, tx => {
    for (const { table, id, what } of faults) {
      if (table === 'open') continue
      if (!Object.hasOwn(KEYS, table))
        throw new EngineError(
          'CONFLICT',
          'The rows cannot be restored: the table of their seals was modified as well.',
          {
            hint: 'Restore .svc/local/state.db from a backup, or accept the rows with `svc audit verify --accept-records`.',
          },
        )
      const key = KEYS[table as keyof Tables]
      tx.execute(`DELETE FROM ${table} WHERE ${key} = ?`, id)
      if (what === 'added') continue
      const row = tx.sealedRow(table as keyof Tables, id)!
      const names = Object.keys(row)
      tx.execute(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...(Object.values(row) as Value[]),
      )
    }
    tx.audit(entry('records.restore', faults))
  })
}

function forPerson({ state, identity }: Settling, what: string): RecordFault[] {
  if (!identity.person)
    throw new EngineError(
      'FORBIDDEN',
      `Only a user can ${what}; the caller is ${identity.agent} (${identity.method}).`,
      {
        hint: 'Do it at a terminal without an agent.',
      },
    )
  return findChangedRecords(state)
}

function entry(action: string, faults: readonly RecordFault[]) {
  const rows = faults.slice(0, NAMED).map(({ table, id, what }) => `${what} ${table} ${id}`)
  return { action, target: 'state.db', decision: 'allowed' as const, details: { rows, count: faults.length } }
}
