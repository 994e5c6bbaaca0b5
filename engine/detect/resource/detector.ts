import type { ResourceRule } from '../../base/records/rule.ts'
import type { Detector } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import type { Configuration } from './configuration.ts'
import { findFaults } from './evaluate.ts'
import { readHcl } from './hcl.ts'
import { collectNames, type Names } from './resolve.ts'

/** Resources of infrastructure that are configured unsafely, or lack what makes them safe. */
export default {
  type: 'resource',
  reach: 'severe',
  views: 'code',
  parses: false,
  evidence: 'pattern',
  identity: 'code',

  begin(searched) {
    // Read once for all rules of the file, when the first of them runs.
    let read: { configuration: Configuration; names: Names } | undefined
    return {
      admit: index => ({
        rules: [index],
        run(): RawMatch[] {
          if (!read) {
            const configuration = readHcl(searched.code)
            read = { configuration, names: collectNames(configuration) }
          }
          const { resources } = searched.rules.rules[index] as ResourceRule
          if (!read.configuration.complete) searched.fail(index, 'parse_failed')
          const faults = findFaults(resources, read.configuration, read.names, source =>
            searched.rules.expression(source, true),
          )
          return faults.map(({ row, start, end, literal }) => ({
            rule: index,
            start,
            end,
            ...(row.note === undefined ? {} : { note: row.note }),
            ...(row.fix === undefined || literal === undefined ? {} : { edits: [{ ...literal, text: row.fix }] }),
          }))
        },
      }),
    }
  },
} satisfies Detector
