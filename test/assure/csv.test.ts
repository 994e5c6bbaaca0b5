import { expect, test } from 'vitest'
import { renderReport } from '../../engine/assure/report.ts'
import { replaceLoneSurrogates } from '../../engine/base/text/visible.ts'
import fc from '../made/property.ts'
import { finding, model, rule } from './fixture.ts'

const of = rule('js-eval')

function csv(...files: string[]): string {
  return [
    ...renderReport(
      'csv',
      model(
        files.map(file => finding(of, file, 1)),
        [of],
      ),
    ),
  ].join('')
}

/** RFC 4180 as its grammar says: quoted fields with doubled quotes, plain ones without commas, quotes and line breaks. */
function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  while (field.lastIndex < text.length) {
    const match = field.exec(text)
    if (!match) throw new Error(`not RFC 4180 at ${rows.length}`)
    row.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'))
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

test('the first record names the fields, and every record has as many', () => {
  const [header, ...records] = parse(csv('src/a.js', 'src/b,"c".js', 'src/two\r\nlines.js'))
  expect(header).toContain('fingerprint')
  expect(records.map(record => record.length)).toEqual([header!.length, header!.length, header!.length])
  expect(records.map(record => record[header!.indexOf('file')])).toContain('src/two\r\nlines.js')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1"])(
  'a text that a spreadsheet would run as a formula, %j, is defused',
  file => {
    const [header, record] = parse(csv(file))
    expect(record![header!.indexOf('file')]).toBe(`'${file}`)
  },
)

test('a text with an apostrophe or a minus inside stays as it is', () => {
  const [header, record] = parse(csv("src/don't-run.js"))
  expect(record![header!.indexOf('file')]).toBe("src/don't-run.js")
})

test('any file name comes back from its field', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), file => {
      const [header, record] = parse(csv(file))
      const read = record![header!.indexOf('file')]!
      const original = /^'+[=+\-@\t\r\n]/.test(read) ? read.slice(1) : read
      expect(original).toBe(replaceLoneSurrogates(file))
    }),
  )
})
