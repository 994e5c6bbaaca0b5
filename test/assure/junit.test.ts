import { expect, test } from 'vitest'
import { renderReport } from '../../engine/assure/report.ts'
import type { NotEvaluated } from '../../engine/base/records/run.ts'
import fc from '../made/property.ts'
import { finding, hostileModel, model, rule } from './fixture.ts'

const of = rule('js-eval', { languages: ['javascript'] })

function junit(subject: ReturnType<typeof model>): string {
  return [...renderReport('junit', subject)].join('')
}

/** Throws unless the text is XML 1.0 as far as this report uses it: legal characters, escaped text, balanced elements. */
function assertXml(text: string): void {
  if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text))
    throw new Error('a character that XML has not')
  const open: string[] = []
  const token =
    /<\?xml [^<>]*\?>|<(\/?)([a-z]+)((?: [a-z]+="(?:[^<&"]|&(?:amp|lt|gt|quot);)*")*)(\/?)>|([^<&]|&(?:amp|lt|gt|quot);)+/gy
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    if (!match) throw new Error(`not well-formed: ${JSON.stringify(text.slice(at, at + 80))}`)
    if (match[1] === '/' && open.pop() !== match[2]) throw new Error(`unbalanced ${match[2]}`)
    if (match[2] && !match[1] && !match[4]) open.push(match[2])
    if (match[5] && match[0].includes(']]>')) throw new Error(']]> in text')
  }
  if (open.length > 0) throw new Error(`not closed: ${open}`)
}

test('open findings fail; suppressed and baseline ones are skipped with the reason', () => {
  const text = junit(
    model(
      [
        finding(of, 'a.js', 1),
        finding(of, 'a.js', 2, { status: 'suppressed', suppression: { kind: 'inline', reason: 'a test double' } }),
        finding(of, 'a.js', 3, { status: 'baseline' }),
      ],
      [of],
    ),
  )
  expect(text).toContain('<testsuite name="javascript/js-eval" tests="3" failures="1" errors="0" skipped="2"')
  expect(text).toContain('<skipped message="suppressed: a test double"/>')
  expect(text).toContain('<skipped message="in the baseline"/>')
  expect(text.match(/<failure /g)).toHaveLength(1)
})

test('a rule that ran and found nothing is one passed case', () => {
  const text = junit(model([], [of]))
  expect(text).toContain('tests="1" failures="0" errors="0" skipped="0"')
  expect(text).toContain('name="no finding"')
})

test('a rule that was not evaluated never passes', () => {
  const entries: NotEvaluated[] = [
    { rule_id: 'js-eval', reason: 'no_grammar' },
    { rule_id: 'gone', reason: 'timed_out', file: 'b.js' },
  ]
  const text = junit(model([], [of], { not_evaluated: entries }))
  expect(text).toContain('tests="2" failures="0" errors="0" skipped="2"')
  expect(text).not.toContain('no finding')
})

test('a rule for a language of which there was no file never passes', () => {
  const text = junit(model([], [rule('rb-eval', { languages: ['ruby'] })]))
  expect(text).toContain('<skipped message="not evaluated: no file of ruby"/>')
})

test('hostile names and code stay well-formed XML 1.0', () => {
  assertXml(junit(hostileModel()))
})

test('any text stays well-formed XML 1.0', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (file, code) => {
      assertXml(junit(model([finding(of, file, 1, { snippet: code, message: code, title: file })], [of])))
    }),
  )
})
