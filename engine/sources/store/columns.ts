import { type FileMetric, METRIC_NAMES } from '../../base/records/file-metrics.ts'
import type { Finding } from '../../base/records/finding.ts'
import type { FileRecord } from '../../base/records/run.ts'

/**
 * DuckDB types of findings.parquet, in the order of the Finding type, which is also the key order of findings.json.
 * Lists stay lists, so that SQL can unnest controls and CWEs; a fix is opaque to SQL and stays JSON.
 */
export const FINDING_COLUMNS = {
  id: 'VARCHAR',
  fingerprint: 'VARCHAR',
  rule_id: 'VARCHAR',
  also: 'VARCHAR[]',
  also_fingerprints: 'VARCHAR[]',
  pack_id: 'VARCHAR',
  title: 'VARCHAR',
  message: 'VARCHAR',
  severity: 'VARCHAR',
  base_severity: 'VARCHAR',
  confidence: 'DOUBLE',
  deterministic: 'BOOLEAN',
  category: 'VARCHAR',
  is_obligation: 'BOOLEAN',
  file: 'VARCHAR',
  line: 'INTEGER',
  column: 'INTEGER',
  end_line: 'INTEGER',
  end_column: 'INTEGER',
  snippet: 'VARCHAR',
  language: 'VARCHAR',
  in_test: 'BOOLEAN',
  file_class: 'VARCHAR',
  zone: 'VARCHAR',
  controls: 'STRUCT(framework VARCHAR, "control" VARCHAR)[]',
  cwe: 'VARCHAR[]',
  tags: 'VARCHAR[]',
  remediation: 'VARCHAR',
  fix: 'JSON',
  flow: 'JSON',
  status: 'VARCHAR',
  suppression: 'STRUCT(kind VARCHAR, reason VARCHAR, expires VARCHAR, approved_by VARCHAR)',
  agent: 'VARCHAR',
} as const satisfies Record<keyof Finding, string>

/**
 * The column `first_seen` beside those of a finding: the run that first saw it and when that run began. Null where it is unknown: the
 * finding is older than what svc recorded.
 */
export const FIRST_SEEN_TYPE = 'STRUCT(run_id VARCHAR, "at" VARCHAR)'

const METRIC_COLUMNS = Object.fromEntries(METRIC_NAMES.map(name => [name, 'INTEGER'])) as Record<FileMetric, 'INTEGER'>

/** DuckDB types of files.parquet. */
export const FILE_COLUMNS = {
  path: 'VARCHAR',
  language: 'VARCHAR',
  bytes: 'BIGINT',
  ...METRIC_COLUMNS,
  findings: 'INTEGER',
} as const satisfies Record<keyof FileRecord, string>

/** A finding as DuckDB's to_json gives it: what was left out comes back as null and is left out again, as is its position. */
export function parseFinding(text: string): Finding {
  const { position: _, ...row } = JSON.parse(text) as Record<string, unknown>
  dropNulls(row)
  if (row.suppression) dropNulls(row.suppression as Record<string, unknown>)
  return row as unknown as Finding
}

function dropNulls(record: Record<string, unknown>): void {
  for (const key of Object.keys(record)) if (record[key] === null) delete record[key]
}
