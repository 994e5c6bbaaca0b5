import { expect, test } from 'vitest'
import { renderReport } from '../../engine/assure/report.ts'
import { plain } from '../../engine/assure/reports/markdown-text.ts'
import fc from '../made/property.ts'
import { finding, hostileModel, model, rule } from './fixture.ts'

const of = rule('js-eval')

function markdown(subject: ReturnType<typeof model>): string {
  return [...renderReport('markdown', subject)].join('')
}

test('the worst finding is listed first, whatever its file', () => {
  const low = rule('style', { severity: 'low', title: 'Mere style' })
  const text = markdown(model([finding(low, 'a.js', 1), finding(of, 'z.js', 9)], [of, low]))
  expect(text.indexOf('`z.js:9`')).toBeGreaterThan(0)
  expect(text.indexOf('`z.js:9`')).toBeLessThan(text.indexOf('`a.js:1`'))
})

test('no text begins a line with a slash, which GitLab would take for a command', () => {
  expect([plain('/merge'), plain('  /approve now'), plain('a/b')]).toEqual([
    '\u200B/merge',
    '\u200B  /approve now',
    'a/b',
  ])
})

test('a rule with many findings takes one row, with its count and its first location; the others are listed below', () => {
  const text = markdown(
    model(
      [1, 2, 3].map(line => finding(of, 'a.js', line)),
      [of],
    ),
  )
  expect(text.match(/^\| critical \| \*\*/gm)).toHaveLength(1)
  expect(text).toMatch(/\| 3 in 1 file \| `a\.js:1` \|\n/)
  expect(text).toContain('<summary>2 more findings</summary>')
  expect(text).toContain('`a.js:3`')
})

test('the heading has no score, which a critical finding hardly moves, but where one framework is reported', () => {
  const scored = model([finding(of, 'a.js', 1)], [of])
  expect(markdown(scored)).not.toContain('score')
  expect(markdown(scored)).toContain(' · rating E\n')
  expect(markdown({ ...scored, framework: 'owasp-top-10' })).toContain('score 87.5 of 100')
})

test('what was skipped and not evaluated is counted and named', () => {
  const text = markdown(
    model([], [of], {
      skipped: [{ path: 'logo.png', reason: 'binary' }],
      not_evaluated: [{ rule_id: 'js-eval', reason: 'no_grammar' }],
    }),
  )
  expect(text).toContain('no open findings')
  expect(text).toContain('- 1 binary: `logo.png`')
  expect(text).toContain('- `js-eval`: no grammar for the language')
  expect(text).toContain('this is not a pass')
})

test('100,000 findings with long names fit into a pull request comment', () => {
  const long = 'x|`'.repeat(200)
  const findings = Array.from({ length: 100_000 }, (_, line) =>
    finding(of, `${long}.js`, line + 1, { title: '<@[#'.repeat(60) }),
  )
  const text = markdown(model(findings, [of]))
  expect(text.length).toBeLessThan(65_536)
  expect(text).toMatch(/100,000 open findings/)
})

test('no name or message mentions a person, makes a link or opens an element', () => {
  const text = markdown(hostileModel())
  const outside = text.replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')
  const elements = new Set([...outside.matchAll(/(?<!\\)<\/?([a-z]+)/g)].map(match => match[1]))
  expect([...elements].sort()).toEqual(['details', 'sub', 'summary'])
  expect(outside).not.toMatch(/(?<!\\)\]\(/)
  expect(outside).not.toMatch(/@\w/)
  expect(outside).not.toMatch(/#\d/)
})

test('a table row has four cells, whatever the file is called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), file => {
      const row = markdown(model([finding(of, file, 1)], [of]))
        .split('\n')
        .find(line => line.startsWith('| critical | **'))
      expect(row!.replace(/\\[|\\]/g, '').match(/\|/g)).toHaveLength(5)
    }),
  )
})
