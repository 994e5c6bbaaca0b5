import { type } from 'arktype'
import { SeverityType } from '../base/records/finding-schema.ts'

/** Schemas of what applies to a file, for operations. */
export const Frameworks = type('string[]').describe('framework ids, separated by commas')

export const RuleBriefType = type({
  id: 'string',
  pack_id: 'string',
  title: 'string',
  severity: SeverityType,
  message: 'string',
  remediation: 'string',
  cwe: 'string[]',
  controls: type({ framework: 'string', control: 'string' }).array(),
})

export const ContextType = type({
  filename: 'string',
  language: 'string | null',
  packs: type({ id: 'string', version: 'string' }).array(),
  frameworks: type({ id: 'string', name: 'string', edition: 'string', rules: 'number.integer' })
    .array()
    .describe('enabled frameworks, with the number of these rules mapped to each'),
  rules: RuleBriefType.array(),
  requirements: type({ framework: 'string', control: 'string', title: 'string', evidence: 'string' })
    .array()
    .describe('obligations that need documentation, since no code can meet them'),
})
