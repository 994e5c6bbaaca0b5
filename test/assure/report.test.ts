import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FORMATS, joinPieces, renderReport, writePieces, writeReports } from '../../engine/assure/report.ts'
import { EngineError } from '../../engine/base/errors.ts'
import fc from '../made/property.ts'
import { finding, hostileModel, model, rule } from './fixture.ts'

const of = rule('js-eval')

test('a scan leaves the six reports under their names, and no temporary file', () => {
  const out = mkdtempSync(join(tmpdir(), 'svc-report-'))
  writeReports(out, model([finding(of, 'a.js', 1)], [of]))
  expect(readdirSync(out).sort()).toEqual([
    'report.csv',
    'report.gitlab.json',
    'report.html',
    'report.junit.xml',
    'report.md',
    'report.sarif',
  ])
  expect(readFileSync(join(out, 'report.csv'), 'utf8')).toContain('js-eval')
})

test('a writer that fails leaves the file of before and nothing else', () => {
  const out = mkdtempSync(join(tmpdir(), 'svc-report-'))
  const path = join(out, 'report.csv')
  writePieces(path, ['whole'])
  function* failing() {
    yield 'half'
    throw new Error('gone')
  }
  expect(() => writePieces(path, failing())).toThrow('gone')
  expect(readdirSync(out)).toEqual(['report.csv'])
  expect(readFileSync(path, 'utf8')).toBe('whole')
})

test.each(FORMATS)('%s is the same text for the same run, whatever order the findings come in', format => {
  const findings = [finding(of, 'b.js', 2), finding(of, 'a.js', 9), finding(of, 'a.js', 1)]
  const text = joinPieces(renderReport(format, model(findings, [of])))
  expect(joinPieces(renderReport(format, model(findings.toReversed(), [of])))).toBe(text)
})

test.each(FORMATS)('%s names no time but SOURCE_DATE_EPOCH where that is set', format => {
  const subject = { ...model([finding(of, 'a.js', 1)], [of], { id: 'run' }), source_date: new Date(0) }
  const text = joinPieces(renderReport(format, subject))
  expect(text).not.toContain('2026')
})

test.each(FORMATS)('%s renders findings of a rule that no longer exists', format => {
  const text = joinPieces(renderReport(format, model([finding(of, 'a.js', 1)], [])))
  expect(text).toContain('js-eval')
})

test.each(FORMATS)('%s is rendered for hostile texts, without a control character that its readers refuse', format => {
  const text = joinPieces(renderReport(format, hostileModel()))
  const isRaw = format === 'csv'
  expect(/[\0-\x08\x0B\x0C\x0E-\x1F]/.test(text)).toBe(isRaw)
  expect(/\p{Surrogate}/u.test(text)).toBe(false)
})

test.each(FORMATS)('%s is rendered for any text', format => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, text, (id, file, code) => {
      const odd = rule(id, { title: code, message: code, references: [code], tags: [code] })
      const rendered = joinPieces(renderReport(format, model([finding(odd, file, 1, { snippet: code })], [odd])))
      expect(rendered.length).toBeGreaterThan(0)
      expect(/\p{Surrogate}/u.test(rendered)).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('what was kept of the rules in UTF-8 stands in the log as if it had been made now', () => {
  const out = mkdtempSync(join(tmpdir(), 'svc-report-'))
  const subject = model([finding(of, 'a.js', 1)], [rule('js-eval', { title: 'Ausführung' })])
  const made: string[] = []
  const texts = (name: string, _rest: string, make: () => string) => {
    made.push(name)
    return Buffer.from(make())
  }
  writeReports(out, { ...subject, texts }, ['sarif'])
  expect(readFileSync(join(out, 'report.sarif'), 'utf8')).toBe([...renderReport('sarif', subject)].join(''))
  expect(made).toEqual(['sarif-rules'])
})

test('pieces of text and bytes are written in their order', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'svc-report-')), 'report')
  const long = 'ä'.repeat(300_000)
  const bytes = writePieces(path, ['a', Buffer.from('ü'), 'b', long, Buffer.from('c')])
  expect(readFileSync(path, 'utf8')).toBe(`aüb${long}c`)
  expect(bytes).toBe(Buffer.byteLength(`aüb${long}c`))
})

test('a report larger than an answer can carry is refused with the way out', () => {
  const piece = 'x'.repeat(1 << 24)
  expect(() => joinPieces(Array.from({ length: 17 }, () => piece))).toThrow(EngineError)
})

test('a run larger than any limit of a format is rendered in small pieces', () => {
  const findings = Array.from({ length: 30_000 }, (_, line) => finding(of, 'a.js', line + 1))
  const subject = model(findings, [of])
  for (const format of FORMATS) {
    let longest = 0
    for (const piece of renderReport(format, subject)) longest = Math.max(longest, piece.length)
    expect(longest).toBeLessThan(100_000)
  }
})

test('the page names the rules that are silent in tests with what they kept to themselves, and only where there are such', () => {
  const page = (silent_in_tests: { rule_id: string; findings: number; files: number }[]) =>
    joinPieces(renderReport('html', model([], [of], { silent_in_tests })))
  expect(page([{ rule_id: 'js-eval', findings: 3, files: 2 }])).toMatch(
    /<strong>3<\/strong> matches in tests not reported[\s\S]*js-eval[\s\S]*3 matches in 2 tests/,
  )
  expect(page([])).not.toContain('silent-in-tests')
})
