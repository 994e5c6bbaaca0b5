import { type } from 'arktype'
import { PACK_FORMATS } from './import/draft.ts'

/** Schemas of what an import answers, for operations; the promise of each field stands at `ImportReport`. */
export const FormatType = type
  .enumerated(...PACK_FORMATS)
  .configure({ description: `a format (${PACK_FORMATS.join(', ')})` }, 'self')

export const ImportReportType = type({
  id: 'string',
  version: 'string',
  format: FormatType,
  path: type('string').describe('the directory of the pack'),
  rules: type('string[]').describe('the ids of the rules'),
  controls: 'number.integer',
  obligations: 'number.integer',
  libraries: type({
    name: 'string',
    entries: type('Record<string, number>').describe('the number of entries by key'),
    silencing: type('number.integer').describe('the number of entries that can silence findings'),
    unused: type('string[]').describe('names of entries that no file of this repository has'),
  })
    .array()
    .describe('the libraries of the pack'),
  left_out: type({
    id: 'string',
    reason: 'string',
    place: type({ file: 'string', 'line?': 'number.integer', 'column?': 'number.integer' }),
  })
    .array()
    .describe('rules and rows that were not imported, and why'),
  enabled: type('boolean').describe('whether a scan uses it'),
})
