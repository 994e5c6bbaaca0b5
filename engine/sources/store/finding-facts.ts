import type { DuckDBConnection } from '@duckdb/node-api'
import type { Finding } from '../../base/records/finding.ts'
import { readRows } from './duckdb.ts'
import { selectFindings } from './views.ts'

const COLUMNS = [
  'fingerprint',
  'rule_id',
  'also',
  'pack_id',
  'title',
  'message',
  'severity',
  'confidence',
  'status',
  'file',
  'line',
  'column',
  'end_line',
  'end_column',
  'controls',
  'cwe',
  'suppression',
] as const satisfies (keyof Finding)[]

/** What assessments and summaries need of a finding: no code, no fix, a tenth of the memory. */
export type FindingFacts = Pick<Finding, (typeof COLUMNS)[number]>

type Row = Omit<FindingFacts, 'suppression' | 'also'> & {
  suppression: Record<string, string | null> | null
  also: string[] | null
}

/** Rows that are objects twice at the same time, as DuckDB gives them and as they are kept. */
const PAGE = 10_000

/** Every finding of a run in its order. Texts that are the same are kept once: a hundred thousand findings have few rules. */
export async function readFindingFacts(connection: DuckDBConnection, out: string, id: string): Promise<FindingFacts[]> {
  const kept = new Map<string, string>()
  const once = (text: string): string => {
    const known = kept.get(text)
    if (known === undefined) kept.set(text, text)
    return known ?? text
  }
  const lists = new Map<string, string[]>()
  const facts: FindingFacts[] = []
  for (let from = 0; ; from += PAGE) {
    const rows = await readRows<Row>(
      connection,
      `SELECT ${COLUMNS.map(name => `"${name}"`).join(', ')} FROM ${selectFindings(out, [id])}
       WHERE position >= ${from} AND position < ${from + PAGE} ORDER BY position`,
    )
    for (const { suppression, also, ...row } of rows) {
      for (const name of ['rule_id', 'pack_id', 'title', 'message', 'file'] as const) row[name] = once(row[name])
      const key = row.cwe.join(' ')
      const cwe = lists.get(key) ?? row.cwe
      lists.set(key, cwe)
      facts.push({ ...row, cwe, ...(also && { also }), ...(suppression && { suppression: withoutNulls(suppression) }) })
    }
    if (rows.length < PAGE) return facts
  }
}

function withoutNulls(suppression: Record<string, string | null>): NonNullable<Finding['suppression']> {
  const entries = Object.entries(suppression).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as unknown as NonNullable<Finding['suppression']>
}
