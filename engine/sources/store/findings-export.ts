import type { DuckDBConnection } from '@duckdb/node-api'
import { openWriter, quoteLiteral, readRows } from './duckdb.ts'
import { selectFindings } from './views.ts'

/** A finding's line in the digest: what it is, what became of it, and how severe it is. */
const DIGEST_LINE = `fingerprint || chr(9) || status || chr(9) || severity || chr(9) || rule_id || chr(10)`

/** SHA-256 over a line per finding, sorted by bytes; `digestFindings` of engine/assure/attest says the same of findings in memory. */
export async function readFindingsDigest(connection: DuckDBConnection, out: string, id: string): Promise<string> {
  const [row] = await readRows<{ digest: string }>(
    connection,
    `SELECT sha256(coalesce(string_agg(line, '' ORDER BY line), '')) AS digest
     FROM (SELECT ${DIGEST_LINE} AS line FROM ${selectFindings(out, [id])})`,
  )
  return row!.digest
}

/**
 * Writes a run's findings as JSON lines in their order, without one of them becoming an object here. The same run gives the same bytes: the
 * database that writes has one thread.
 */
export async function copyFindings(out: string, id: string, target: string): Promise<void> {
  const { connection, close } = await openWriter()
  try {
    await connection.run(
      `COPY (SELECT * EXCLUDE (position, ordinal) FROM ${selectFindings(out, [id])}) TO ${quoteLiteral(target)} (FORMAT json)`,
    )
  } finally {
    close()
  }
}
