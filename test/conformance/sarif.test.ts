import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import * as formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { type ReportModel, renderReport } from '../../engine/assure/report.ts'
import { GITHUB, type Limits } from '../../engine/assure/reports/sarif/limits.ts'
import { renderSarif } from '../../engine/assure/reports/sarif.ts'
import { type Finding, SEVERITIES, STATUSES } from '../../engine/base/records/finding.ts'
import { finding, hostileModel, model, rule } from '../assure/fixture.ts'
import { productModel } from '../browser/product.ts'
import fc from '../made/property.ts'

const SCHEMA = new URL('../../../shared/data/schemas/sarif/sarif-schema-2.1.0.json', import.meta.url)
const isThere = existsSync(SCHEMA)
if (!isThere) console.warn('SARIF conformance was skipped: ../shared/data/schemas/sarif is not there.')

function valid(subject: ReportModel, limits?: Limits): unknown {
  const pieces = limits ? renderSarif(subject, limits) : renderReport('sarif', subject)
  const log: unknown = JSON.parse([...pieces].join(''))
  if (!validate!(log)) throw new Error(JSON.stringify(validate!.errors!.slice(0, 5), null, 1))
  return log
}

/** The schema is of draft 4, but uses nothing that draft 7 reads differently. */
const validate = isThere ? validator() : undefined

function validator() {
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Record<string, unknown>
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default.default(ajv)
  return ajv.compile(schema)
}

describe.runIf(isThere)('SARIF against the 2.1.0 schema', () => {
  test('a run with everything in it is valid', () => {
    expect(valid(productModel())).toHaveProperty('version', '2.1.0')
  })

  test('a run without findings, rules and a commit is valid', () => {
    expect(valid(model([], [], { git_sha: undefined, branch: undefined, score: undefined }))).toHaveProperty(
      'runs.0.results',
      [],
    )
  })

  test('hostile texts in every field are valid', () => {
    expect(valid(hostileModel())).toHaveProperty('runs.0.results.length', 16)
  })

  test('more findings than code scanning takes in a run go on in the next one', () => {
    const of = rule('js-eval')
    const log = valid(
      model(
        Array.from({ length: 25_001 }, (_, line) => finding(of, 'a.js', line + 1)),
        [of],
      ),
    )
    expect(log).toHaveProperty('runs.0.results.length', 25_000)
    expect(log).toHaveProperty('runs.1.results.length', 1)
    expect(log).toHaveProperty('runs.1.automationDetails.id', 'svc-2/20260304T050607Z-1a2b3c')
  })

  test('a log that leaves findings out is valid, and so is what it says of that', () => {
    const of = rule('js-eval')
    const findings = Array.from({ length: 300 }, (_, line) => finding(of, 'a.js', line + 1))
    const subject = model(findings, [of], {
      skipped: Array.from({ length: 300 }, (_, n) => ({ path: `${n}.png`, reason: 'binary' as const })),
      not_evaluated: Array.from({ length: 300 }, (_, n) => ({
        rule_id: 'js-eval',
        file: `${n}.js`,
        reason: 'timed_out' as const,
      })),
    })
    const log = valid(subject, { ...GITHUB, runs: 2, results: 100 })
    expect(log).toHaveProperty('runs.length', 2)
    expect(log).toHaveProperty('runs.0.invocations.0.toolExecutionNotifications.0.properties.left_out', 100)
  })

  test('any findings are valid', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 })
    const controls = fc.array(fc.record({ framework: text, control: text }), { maxLength: 3 })
    const place = fc.nat({ max: 5 })
    const any = fc.record({
      rule: text,
      file: text,
      severity: fc.constantFrom(...SEVERITIES),
      status: fc.constantFrom(...STATUSES),
      line: place,
      column: place,
      end_line: place,
      end_column: place,
      snippet: text,
      cwe: fc.array(
        fc.oneof(
          text,
          fc.nat().map(number => `CWE-${number}`),
        ),
        { maxLength: 3 },
      ),
      tags: fc.array(text, { maxLength: 30 }),
      controls,
      references: fc.array(fc.oneof(text, fc.webUrl()), { maxLength: 2 }),
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), specs => {
        const findings = specs.map(
          ({ rule: id, file, line, references: _, ...over }): Finding => ({
            ...finding(rule(id), file, line, over),
            suppression: { kind: 'file', reason: file },
            fix: { edits: [{ start_line: 1, start_column: 1, end_line: 2, end_column: 1, text: file }] },
          }),
        )
        const rules = specs
          .slice(1)
          .map(({ rule: id, cwe, tags, controls, references }) => rule(id, { cwe, tags, controls, references }))
        valid(model(findings, rules))
      }),
      { numRuns: 60 },
    )
  })
})
