import type { DuckDBConnection } from '@duckdb/node-api'
import { EngineError } from '../../base/errors.ts'
import { readRows } from './duckdb.ts'
import { runFolders } from './layout.ts'
import { describeNotFound, describeUnreadable } from './runs.ts'
import { selectFiles, selectFindings } from './views.ts'

/**
 * Runs a query over stored runs. Where it fails, every value of those runs is read: RUN_NOT_FOUND for one that was pruned
 * meanwhile, STORE_UNREADABLE for one that is damaged; a failure that is no run's fault stays as it is.
 */
export async function queryOver<T>(
  connection: DuckDBConnection,
  out: string,
  ids: readonly string[],
  query: () => Promise<T>,
): Promise<T> {
  try {
    return await query()
  } catch (error) {
    if (error instanceof EngineError) throw error
    for (const id of ids) {
      const fault = await findFault(connection, out, id)
      if (fault) throw fault
    }
    throw error
  }
}

/** What is wrong with a run, found by reading all of it; undefined where it can be read. */
export async function findFault(
  connection: DuckDBConnection,
  out: string,
  id: string,
): Promise<EngineError | undefined> {
  for (const [name, relation] of [
    ['findings', selectFindings(out, [id])],
    ['files', selectFiles(out, id)],
  ] as const) {
    try {
      await readRows(connection, `SELECT CAST(bit_xor(hash(r)) AS VARCHAR) FROM ${relation} r`)
    } catch (error) {
      return (await runFolders(out)).includes(id)
        ? describeUnreadable(id, `its ${name}.parquet is damaged`, error)
        : describeNotFound(id)
    }
  }
  return undefined
}
