import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { renderReport } from '../../engine/assure/report.ts'
import { SEVERITIES, STATUSES } from '../../engine/base/records/finding.ts'
import fc from '../made/property.ts'
import { finding, hostileModel, model, rule } from './fixture.ts'

/** What GitLab's documentation of the code quality report asks for (docs.gitlab.com, "Code Quality report format"). */
const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    additionalProperties: false,
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        additionalProperties: false,
        properties: {
          // A path that begins with ./ never meets a file of the merge request.
          path: { type: 'string', minLength: 1, not: { pattern: '^\\./' } },
          lines: {
            type: 'object',
            required: ['begin'],
            additionalProperties: false,
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
}

const validate = new Ajv().compile(SCHEMA)

function reportOf(subject: ReturnType<typeof model>) {
  const text = [...renderReport('gitlab', subject)].join('')
  const report = JSON.parse(text)
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  // GitLab refuses a byte order mark and anything but one array.
  expect(text).toMatch(/^\[/)
  return report as { severity: string; fingerprint: string; location: { path: string; lines: { begin: number } } }[]
}

const of = rule('js-eval')

test('a finding is a violation with its rule, place and fingerprint', () => {
  expect(reportOf(model([finding(of, 'src/a b.js', 7)], [of]))).toEqual([
    {
      description: 'Whoever controls the text runs code in this process.',
      check_name: 'js-eval',
      fingerprint: 'js-eval:src/a b.js:7',
      severity: 'blocker',
      location: { path: 'src/a b.js', lines: { begin: 7 } },
    },
  ])
})

test('five severities are five severities, worst first on both scales', () => {
  const findings = SEVERITIES.map((severity, line) => finding(of, 'a.js', line + 1, { severity }))
  const report = reportOf(model(findings, [of]))
  expect(report.map(({ severity }) => severity)).toEqual(['blocker', 'critical', 'major', 'minor', 'info'])
})

test('findings that are suppressed or in the baseline are no violations', () => {
  const findings = STATUSES.map((status, line) => finding(of, 'a.js', line + 1, { status }))
  expect(reportOf(model(findings, [of])).map(({ location }) => location.lines.begin)).toEqual([1])
})

test('a run without open findings is an empty array', () => {
  expect(reportOf(model([], []))).toEqual([])
})

test('hostile texts and any others hold the format', () => {
  expect(reportOf(hostileModel())).toHaveLength(8)
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, fc.integer(), (title, message, line) => {
      reportOf(model([finding(rule('odd', { title, message }), 'a.js', line)], []))
    }),
    { numRuns: 100 },
  )
})
