import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compareWorst, type ReportModel } from '../../engine/assure/model.ts'
import { Gauge, GITHUB, type Limits } from '../../engine/assure/reports/sarif/limits.ts'
import { renderSarif } from '../../engine/assure/reports/sarif.ts'
import { type Finding, SEVERITIES, STATUSES } from '../../engine/base/records/finding.ts'
import fc from '../made/property.ts'
import { finding, model, rule } from './fixture.ts'

const of = rule('js-eval')

/** What stands around runs and the file itself, for which the real limit has room. */
const FRAME = 200

/** Text that hardly compresses, the same on every machine. */
function noise(seed: number, characters: number): string {
  let text = ''
  for (let part = 0; text.length < characters; part++)
    text += createHash('sha512').update(`${seed} ${part}`).digest('base64')
  return text.slice(0, characters)
}

function many(count: number, over: (n: number) => Partial<Finding> = () => ({})): Finding[] {
  return Array.from({ length: count }, (_, n) =>
    finding(of, `src/${n % 97}.js`, n + 1, {
      severity: SEVERITIES[n % 5]!,
      status: STATUSES[n % 7 === 0 ? 1 : 0]!,
      ...over(n),
    }),
  )
}

function render(subject: ReportModel, limits: Limits = GITHUB) {
  const notices: string[] = []
  const text = [...renderSarif({ ...subject, notice: said => notices.push(said) }, limits)].join('')
  // biome-ignore lint/suspicious/noExplicitAny: a SARIF log is read by path; its shape is the schema's, tested in conformance.
  const log: any = JSON.parse(text)
  const results: { ruleIndex: number; partialFingerprints: Record<string, string> }[] = log.runs.flatMap(
    (run: { results: unknown[] }) => run.results,
  )
  const fingerprints = results.map(result => result.partialFingerprints['svcFingerprint/v1']!)
  return { text, log, notices, fingerprints }
}

test('a log that code scanning takes has every finding in the order of their places, and nobody is told anything', () => {
  const subject = model(many(1200), [of])
  const { fingerprints, log, notices } = render(subject)
  expect(fingerprints).toEqual(subject.findings.map(({ fingerprint }) => fingerprint))
  expect(log.runs[0].invocations[0].toolExecutionNotifications).toEqual([])
  expect(notices).toEqual([])
})

test('a log that is large but packs well enough is whole', () => {
  const { text, log, notices } = render(model(many(26_000), [of]))
  expect(text.length).toBeGreaterThan(GITHUB.packed_bytes)
  expect(log.runs.map((run: { results: unknown[] }) => run.results.length)).toEqual([25_000, 1000])
  expect(notices).toEqual([])
})

test('a log that would be over 10 MB compressed keeps the worst findings, and says what it omits and where that is', () => {
  const subject = model(
    many(13_000, n => ({ message: noise(n, 1200) })),
    [of],
  )
  const { text, log, notices, fingerprints } = render(subject)
  const packed = gzipSync(text).length
  expect(packed).toBeLessThan(10_000_000)
  expect(packed).toBeGreaterThan(8_000_000)
  expect(fingerprints.length % 1000).toBe(0)
  const worst = [...subject.findings].sort(compareWorst).map(({ fingerprint }) => fingerprint)
  expect(fingerprints).toEqual(worst.slice(0, fingerprints.length))

  const [said] = log.runs[0].invocations[0].toolExecutionNotifications
  const missing = 13_000 - fingerprints.length
  expect(said).toMatchObject({
    descriptor: { id: 'report/left-out' },
    level: 'warning',
    properties: { left_out: missing },
  })
  const counted = Object.values(said.properties.by_severity as Record<string, number>).reduce((sum, n) => sum + n, 0)
  expect(counted).toBe(missing)
  expect(said.message.text).toContain(`omits ${missing.toLocaleString('en-US')}`)
  expect(said.message.text).toContain(`svc report --format json --run-id ${subject.run.id}`)
  expect(notices).toEqual([said.message.text])
})

test('results that need more runs than a file may have are left out, open ones and the worst last', () => {
  const findings = many(1000)
  const { log, notices } = render(model(findings, [of]), { ...GITHUB, runs: 3, results: 150 })
  expect(log.runs.map((run: { results: unknown[] }) => run.results.length)).toEqual([150, 150, 150])
  expect(log.runs.map((run: { automationDetails: { id: string } }) => run.automationDetails.id.split('/')[0])).toEqual([
    'svc',
    'svc-2',
    'svc-3',
  ])
  expect(notices).toHaveLength(1)
})

test('rules past the limit stay where a finding names them', () => {
  const rules = Array.from({ length: 60 }, (_, n) => rule(`rule-${String(n).padStart(2, '0')}`))
  const findings = [finding(rules[50]!, 'a.js', 1), finding(rules[3]!, 'b.js', 1)]
  const { log, fingerprints, notices } = render(model(findings, rules), { ...GITHUB, rules: 40 })
  const [run] = log.runs
  expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['rule-03', 'rule-50'])
  expect(run.results.map(({ ruleIndex }: { ruleIndex: number }) => ruleIndex)).toEqual([1, 0])
  expect(fingerprints).toHaveLength(2)
  expect(notices[0]).toContain('has every finding')
})

test('so many skipped files that the log is too large are counted in full and listed in part', () => {
  const skipped = Array.from({ length: 5000 }, (_, n) => ({
    path: `img/${noise(n, 60)}.png`,
    reason: 'binary' as const,
  }))
  const not_evaluated = Array.from({ length: 900 }, (_, n) => ({
    rule_id: 'js-eval',
    file: `${noise(n, 60)}.js`,
    reason: 'timed_out' as const,
  }))
  const subject = model(many(3), [of], { skipped, not_evaluated })
  const { log, fingerprints, notices } = render(subject, { ...GITHUB, packed_bytes: 60_000 })
  expect(fingerprints).toHaveLength(3)
  const [said, binary, late] = log.runs[0].invocations[0].toolExecutionNotifications
  expect(said.properties.left_out).toBe(0)
  expect(binary.locations).toHaveLength(100)
  expect(binary.message.text).toBe('5,000 files not scanned: binary (the first 100 are listed).')
  expect(late.message.text).toContain('in 900 files')
  expect(late.locations).toHaveLength(100)
  expect(notices[0]).toContain('has every finding')
})

test('whatever the limits, the log keeps them, says what is missing, and has no better finding left out than one kept', () => {
  const sizes = fc.record({
    count: fc.nat(400),
    runs: fc.integer({ min: 1, max: 4 }),
    results: fc.integer({ min: 1, max: 120 }),
  })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 4000, max: 60_000 }), fc.nat(300), ({ count, ...own }, packed_bytes, size) => {
      const subject = model(
        many(count, n => ({ message: noise(n, size) })),
        [of],
      )
      const { text, log, fingerprints, notices } = render(subject, { ...GITHUB, ...own, packed_bytes })
      expect(log.runs.length).toBeLessThanOrEqual(own.runs)
      for (const run of log.runs) expect(run.results.length).toBeLessThanOrEqual(own.results)
      const whole = fingerprints.length === count
      expect(notices.length === 0 || !whole || notices[0]!.includes('has every finding')).toBe(true)
      if (whole) return
      expect(notices).toHaveLength(1)
      const worst = [...subject.findings].sort(compareWorst).map(({ fingerprint }) => fingerprint)
      expect(fingerprints).toEqual(worst.slice(0, fingerprints.length))
      if (fingerprints.length > 0) expect(gzipSync(text).length).toBeLessThanOrEqual(packed_bytes + FRAME)
    }),
    { numRuns: 60 },
  )
})

test('the gauge never says less than gzip makes of the text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 30 }), fc.nat(2_000_000), (texts, repeated) => {
      const pieces = [...texts, 'a result like any other\n'.repeat(repeated / 24), ...texts]
      const gauge = new Gauge()
      for (const piece of pieces) gauge.add(piece)
      // gzip's own header and trailer are 18 bytes, and an empty block is 2.
      expect(gauge.finish() + 20).toBeGreaterThanOrEqual(gzipSync(pieces.join('')).length)
    }),
    { numRuns: 40 },
  )
})
