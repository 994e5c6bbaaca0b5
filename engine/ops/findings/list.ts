import { type } from 'arktype'
import { CATEGORIES, SEVERITIES, STATUSES } from '../../base/records/finding.ts'
import { FindingType, SeverityType } from '../../base/records/finding-schema.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindingLine } from '../../findings/line.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { Cursor, Limit, RunRef } from '../../sources/store/run-schema.ts'

/** The findings of a run, in pages. */
export default defineOperation({
  id: 'findings.list',
  summary: 'List the findings of the latest run, or of an earlier one.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/findings',
  mcp: null,
  input: type({
    run_id: RunRef.default('latest'),
    'severity?': SeverityType.array().describe(`one or more of ${SEVERITIES.join(', ')}`),
    'rule?': type('string >= 1').describe('a rule id'),
    'file?': type('string >= 1').describe('a file or directory to filter by, from the repository root'),
    'status?': type.enumerated(...STATUSES).configure({ description: 'open, suppressed or baseline' }, 'self'),
    'category?': type.enumerated(...CATEGORIES).configure({ description: 'a category of finding' }, 'self'),
    'search?': type('string >= 1').describe('a search string for the title, message, rule, file and snippet'),
    sort: type
      .enumerated('place', 'severity')
      .configure({ description: 'place (path and line) or severity (most severe first)' }, 'self')
      .default('place'),
    limit: Limit(1000, 100),
    'cursor?': Cursor,
    '+': 'reject',
  }),
  output: type({
    run_id: 'string',
    findings: FindingType.array(),
    total: type('number.integer').describe('the number of matching findings on all pages'),
    'next_cursor?': 'string',
  }),

  run: ({ run_id, ...filter }, context) => runWithStore(context, store => store.findings(run_id, filter)),

  text: ({ findings, total }, view) =>
    [formatCount(total, 'finding'), ...findings.map(finding => formatFindingLine(finding, view))].join('\n'),
})
