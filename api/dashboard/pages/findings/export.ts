import { saveFile } from '../../components/save.ts'
import type { Answers, Takes } from '../../server/answers.gen.ts'
import { ask } from '../../server/request.ts'
import { formatCsv } from './csv.ts'

type Row = Answers['POST /api/findings/query']['findings'][number]

/** Findings of one request, the most that the server gives. */
const PAGE = 1000

/** Saves exactly the findings that are shown, all of them, as CSV or JSON. */
export async function exportFindings(asked: Takes['POST /api/findings/query'], format: 'csv' | 'json'): Promise<void> {
  const { facets: _facets, group_by: _group, ...rest } = asked
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = await ask('POST /api/findings/query', {
      ...rest,
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    })
    rows.push(...page.findings)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  if (format === 'json') saveFile('findings.json', 'application/json', JSON.stringify(rows, null, 2))
  else saveFile('findings.csv', 'text/csv', formatCsv(COLUMNS, rows.map(toCells)))
}

const COLUMNS = [
  'severity',
  'status',
  'rule',
  'title',
  'file',
  'line',
  'category',
  'language',
  'confidence',
  'first_seen',
  'fingerprint',
]

function toCells(row: Row): (string | number)[] {
  return [
    ...[
      row.severity,
      row.status,
      row.rule_id,
      row.title,
      row.file,
      row.line,
      row.category,
      row.language,
      row.confidence,
    ],
    ...[row.first_seen?.at ?? '', row.fingerprint],
  ]
}
