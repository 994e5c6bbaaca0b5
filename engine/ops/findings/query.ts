import { type } from 'arktype'
import { SEVERITIES } from '../../base/records/finding.ts'
import { FindingType, SeverityType } from '../../base/records/finding-schema.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { readOwnersNow } from '../../gate/change/owners-now.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { asksForOwners } from '../../sources/store/query.ts'
import { DIMENSIONS } from '../../sources/store/query-dimensions.ts'
import { Cursor, FirstSeenType, Limit, RunRef } from '../../sources/store/run-schema.ts'

const Dimension = type.enumerated(...DIMENSIONS).configure({ description: `one of ${DIMENSIONS.join(', ')}` }, 'self')
const Values = type('string[] <= 200')
const Filter = type({
  ...(Object.fromEntries(DIMENSIONS.map(name => [`${name}?`, Values])) as { [D in Name as `${D}?`]: typeof Values }),
  '+': 'reject',
})
type Name = (typeof DIMENSIONS)[number]

const Row = FindingType.pick(
  ...([
    'id',
    'fingerprint',
    'rule_id',
    'pack_id',
    'title',
    'severity',
    'base_severity',
    'confidence',
    'category',
  ] as const),
  ...(['file', 'line', 'column', 'language', 'in_test', 'zone', 'agent', 'status', 'suppression'] as const),
).and({
  fixable: type('boolean').describe('whether the rule has a fix for it'),
  traced: type('boolean').describe('whether it has the path of the input'),
  'first_seen?': FirstSeenType,
  'owners?': 'string[]',
})

const Group = type({
  key: type('string').describe('the value that the findings share; empty where they have none'),
  count: 'number.integer',
  files: 'number.integer',
  worst: SeverityType,
  title: type('string').describe('the title of the first finding'),
  by_severity: type({ '[string]': 'number.integer' }),
})

/** Everything that a page of findings shows, in one answer: list or groups, the counts beside the filters, and the total. */
export default defineOperation({
  id: 'findings.query',
  summary: 'Filter, count, group and sort the findings of a run in one query.',
  effect: 'read',
  cli: null,
  rest: 'POST /api/findings/query',
  mcp: null,
  input: type({
    run_id: RunRef.default('latest'),
    'filter?': Filter.describe('values by dimension; the values of one are alternatives'),
    'path?': type('1 <= string <= 4096').describe('a file or directory, from the repository root'),
    'search?': type('1 <= string <= 500').describe(
      'words that title, message, rule, file and snippet together contain',
    ),
    'since?': type('1 <= string <= 40').describe('an ISO 8601 time: findings first seen then or later'),
    'facets?': Dimension.array().atMostLength(DIMENSIONS.length).describe('dimensions whose values are counted'),
    'group_by?': Dimension,
    sort: type
      .enumerated('severity', 'place', 'rule', 'oldest', 'newest')
      .configure({ description: `severity (${SEVERITIES[0]} first), place, rule, oldest or newest` }, 'self')
      .default('severity'),
    limit: Limit(1000, 100),
    'offset?': type('0 <= number.integer <= 100000000').describe('a number of findings or groups to skip'),
    'cursor?': Cursor,
    '+': 'reject',
  }),
  output: type({
    run_id: 'string',
    total: type('number.integer').describe('the number of matching findings'),
    to_review: type('number.integer').describe(
      'places of the whole run that a reviewer decides on; they are no findings',
    ),
    undated: type('number.integer').describe('how many of them have no known first run'),
    facets: type({ '[string]': type({ value: 'string', count: 'number.integer' }).array() }),
    findings: Row.array(),
    'groups?': Group.array(),
    'groups_total?': 'number.integer',
    'next_cursor?': 'string',
  }),

  /** A run never changes; owners are those of now. */
  revision: ({ run_id, ...query }, context) =>
    asksForOwners(query) ? undefined : runWithStore(context, async store => (await store.run(run_id)).id),

  run: ({ run_id, ...query }, context) =>
    runWithStore(context, async store => {
      const ownersOf = asksForOwners(query) ? await readOwnersNow(findRepositoryRoot(context.cwd)) : undefined
      return store.query(run_id, query, ownersOf)
    }),

  text: ({ total, findings, groups }) =>
    [
      formatCount(total, 'finding'),
      ...(groups ?? []).map(({ key, count }) => `  ${count}  ${escapeInvisibleLine(key)}`),
      ...findings.map(
        ({ severity, file, line, title }) => `  ${severity}  ${escapeInvisibleLine(`${file}:${line}  ${title}`)}`,
      ),
    ].join('\n'),
})
