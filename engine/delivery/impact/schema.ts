import { type } from 'arktype'
import { SEVERITIES } from '../../base/records/finding.ts'
import { REQUIREMENT_STATUSES } from '../requirements/model.ts'
import { RISKS } from './impact.ts'

const Risk = type.enumerated(...RISKS).configure({ description: 'high, medium or low' }, 'self')
const Severity = type.enumerated(...SEVERITIES).configure({ description: SEVERITIES.join(', ') }, 'self')
const Status = type
  .enumerated(...REQUIREMENT_STATUSES)
  .configure({ description: REQUIREMENT_STATUSES.join(', ') }, 'self')

/** The impact of a change as operations return it. */
export const ImpactType = type({
  scope: 'string',
  risk: Risk,
  revalidate: type('boolean').describe('whether critical or high rules or a confirmed requirement are affected'),
  files: type({
    file: 'string',
    change: type("'added' | 'modified' | 'deleted' | 'named'").configure(
      { description: 'added, modified, deleted, or named: asked about as it is' },
      'self',
    ),
    symbols: type('string[]').describe('declarations that differ'),
    risk: Risk,
    reasons: 'string[]',
    importers: 'number.integer >= 0',
    dependents: type('number.integer >= 0').describe('files that import it, however far'),
    rules: type({ id: 'string', severity: Severity, via: "'file' | 'importer'" }).array(),
    requirements: 'string[]',
    tests: 'string[]',
    revalidate: 'boolean',
  }).array(),
  rules: type({ id: 'string', severity: Severity, files: 'string[]' })
    .array()
    .describe('rules with findings in the changed files, or in files that import them'),
  requirements: type({
    id: 'string',
    title: 'string',
    status: Status,
    files: 'string[]',
    via: "'code' | 'import' | 'test'",
    revalidate: type('boolean').describe('it was confirmed, and its code changes'),
  }).array(),
  tests: type('string[]').describe('test files to run'),
  frameworks: type({ framework: 'string', controls: 'string[]' }).array(),
  not_evaluated: type({ file: 'string', reason: 'string' }).array(),
})
