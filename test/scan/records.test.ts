import { describe, expect, test } from 'vitest'
import { makeUnmeasured } from '../../engine/base/records/file-metrics.ts'
import type { Match } from '../../engine/detect/rules/match.ts'
import type { FileReport } from '../../engine/scan/batch.ts'
import { decodeRecords, encodeRecords } from '../../engine/scan/records.ts'
import fc from '../made/property.ts'

const text = fc.string({ unit: 'binary' }).map(value => value.replaceAll('\0', ''))
const place = fc.integer({ min: 1, max: 1e9 })
const match: fc.Arbitrary<Match> = fc.record(
  {
    rule: fc.nat(1000),
    line: place,
    column: place,
    end_line: place,
    end_column: place,
    confidence: fc.constantFrom(1, 0.7, 0.5, 0.4),
    fingerprint: fc.stringMatching(/^[0-9a-f]{32}$/),
    snippet: text,
    note: text.filter(value => value !== ''),
    edits: fc.array(fc.record({ start_line: place, start_column: place, end_line: place, end_column: place, text })),
  },
  { requiredKeys: ['rule', 'line', 'column', 'end_line', 'end_column', 'confidence', 'fingerprint', 'snippet'] },
)

describe('the records that cross the thread', () => {
  test('give back what every file came to', () => {
    fc.assert(
      fc.property(fc.array(fc.array(match, { maxLength: 5 }), { maxLength: 8 }), perFile => {
        const reports = perFile.map(
          (matches, i): FileReport => ({
            file: { path: `${i}`, size: i, language: 'python', in_test: false },
            language: i % 2 ? 'python' : 'go',
            bytes: i,
            verified: i % 3 === 0,
            ...(i % 2 === 1 && { partly: { reason: 'minified' as const, detail: `${i}` } }),
            outcome: {
              pass: { ...makeUnmeasured(), lines: i, longest_line: 9, code_lines: i, max_nesting: 0 },
              matches,
              failures: i % 2 ? [{ rule: i, reason: 'timed_out' }] : [],
              ignores: [],
              ...(i % 3 === 1 && { silenced: [{ rule: i, count: 2 }] }),
              ...(i % 4 === 1 && { excluded: [{ rule: i, lines: [1, i] }] }),
              parsed: false,
            },
          }),
        )
        const sources = reports.map(({ file }) => file)
        expect(decodeRecords(sources, encodeRecords(reports))).toEqual(reports)
      }),
    )
  })
})
