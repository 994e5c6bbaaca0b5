import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/base/records/finding.ts'
import type { InlineIgnore } from '../../engine/detect/rules/inline.ts'
import { applySuppressions, makeFileMatcher } from '../../engine/findings/suppression.ts'
import type { SuppressionEntry } from '../../engine/findings/suppression-file.ts'
import { effort } from '../made/effort.ts'
import fc from '../made/property.ts'

const WHOLE = { today: '2026-06-15', whole: true }
const finding = (rule_id: string, file: string, line: number) => ({ rule_id, file, line, status: 'open' }) as Finding
const entry = (more: Partial<SuppressionEntry>): SuppressionEntry => ({
  rule: 'r1',
  reason: 'accepted',
  line: 1,
  ...more,
})
const ignore = (more: Partial<InlineIgnore>): InlineIgnore => ({
  line: 1,
  last_line: 1,
  rules: ['r1'],
  reason: 'accepted',
  ...more,
})
const inFile = (file: string, ...ignores: InlineIgnore[]) => new Map([[file, { ignores }]])
const statuses = ({ findings }: { findings: Finding[] }) => findings.map(({ status }) => status)

describe('suppressions', () => {
  test('mark a finding with the reason, and keep it', () => {
    const { findings } = applySuppressions(
      [finding('r1', 'a.js', 2)],
      inFile('a.js', ignore({ line: 1, last_line: 2 })),
      [],
      WHOLE,
    )
    expect(findings).toEqual([
      { ...finding('r1', 'a.js', 2), status: 'suppressed', suppression: { kind: 'inline', reason: 'accepted' } },
    ])
  })

  test('of a line hold for that rule, that file and those lines only', () => {
    const findings = [
      finding('r1', 'a', 4),
      finding('r1', 'a', 5),
      finding('r1', 'a', 6),
      finding('r1', 'a', 7),
      finding('r2', 'a', 5),
      finding('r1', 'b', 5),
    ]
    const result = applySuppressions(findings, inFile('a', ignore({ line: 5, last_line: 6 })), [], WHOLE)
    expect(statuses(result)).toEqual(['open', 'suppressed', 'suppressed', 'open', 'open', 'open'])
  })

  test('by file carry their date and who approved them', () => {
    const by = entry({ file: 'src/**', expires: '2026-12-31', approved_by: 'Kim' })
    const { findings } = applySuppressions([finding('r1', 'src/x/a.js', 1)], new Map(), [by], WHOLE)
    expect(findings[0]!.suppression).toEqual({
      kind: 'file',
      reason: 'accepted',
      expires: '2026-12-31',
      approved_by: 'Kim',
    })
  })

  test('without a file hold everywhere', () => {
    expect(statuses(applySuppressions([finding('r1', 'any/where', 9)], new Map(), [entry({})], WHOLE))).toEqual([
      'suppressed',
    ])
  })

  test('hold through the day on which they expire, and no longer', () => {
    const on = (expires: string) =>
      applySuppressions([finding('r1', 'a', 1)], new Map(), [entry({ expires, line: 7 })], WHOLE)
    expect(statuses(on('2026-06-15'))).toEqual(['suppressed'])
    expect(statuses(on('2026-06-14'))).toEqual(['open'])
    expect(on('2026-06-14').notices).toEqual([
      {
        kind: 'suppression_expired',
        file: '.svc/suppressions.yaml',
        line: 7,
        detail: 'The suppression of r1 expired on 2026-06-14 and no longer holds.',
      },
    ])
  })

  test('that met nothing are reported after a whole scan, and only then', () => {
    const run = (whole: boolean) =>
      applySuppressions(
        [],
        inFile('a.js', ignore({ line: 3, last_line: 4, rules: ['r1', 'r2'] })),
        [entry({ file: 'x' })],
        { ...WHOLE, whole },
      ).notices
    expect(run(false)).toEqual([])
    expect(run(true).map(({ kind, file, line, detail }) => [kind, file, line, detail])).toEqual([
      ['suppression_unused', 'a.js', 3, 'svc-ignore of r1, r2 covers no finding.'],
      ['suppression_unused', '.svc/suppressions.yaml', 1, 'The suppression of r1 in x covers no finding.'],
    ])
  })

  test('of a rule that does not exist say so, and which was probably meant', () => {
    const known = { ...WHOLE, isRule: (id: string) => id === 'js-eval', rule_ids: () => ['js-eval'] }
    const ignores = inFile('a.js', ignore({ rules: ['js-evil'] }))
    const { notices } = applySuppressions([], ignores, [entry({ rule: 'nothing-near' })], known)
    expect(notices.map(({ detail }) => detail)).toEqual([
      'svc-ignore of js-evil covers no finding: there is no rule js-evil; did you mean js-eval?',
      'The suppression of nothing-near covers no finding: there is no rule nothing-near.',
    ])
  })

  test('of several rules are unused for those that met nothing', () => {
    const { notices } = applySuppressions(
      [finding('r1', 'a', 1)],
      inFile('a', ignore({ rules: ['r1', 'r2'] })),
      [],
      WHOLE,
    )
    expect(notices.map(({ detail }) => detail)).toEqual(['svc-ignore of r2 covers no finding.'])
  })

  test('with a fault do not hold and are reported whatever was scanned', () => {
    const broken = inFile('a', ignore({ fault: 'names no rule' }))
    const { findings, notices } = applySuppressions([finding('r1', 'a', 1)], broken, [], { ...WHOLE, whole: false })
    expect(findings[0]!.status).toBe('open')
    expect(notices).toEqual([
      { kind: 'suppression_invalid', file: 'a', line: 1, detail: 'svc-ignore names no rule, so it has no effect.' },
    ])
  })

  test('that cover the same finding are all in use', () => {
    const both = applySuppressions(
      [finding('r1', 'a', 1)],
      inFile('a', ignore({})),
      [entry({}), entry({ file: 'a', line: 2 })],
      WHOLE,
    )
    expect(both.notices).toEqual([])
    expect(both.findings[0]!.suppression?.kind).toBe('inline')
  })

  test('report by file in the order of the paths, whatever the order of the scan', () => {
    const notices = (files: string[]) =>
      applySuppressions([], new Map(files.map(f => [f, { ignores: [ignore({})] }])), [], WHOLE).notices
    expect(notices(['b', 'a'])).toEqual(notices(['a', 'b']))
  })
})

describe('the file of a suppression', () => {
  test.each([
    ['src/a.js', 'src/a.js', true],
    ['src', 'src/x/a.js', true],
    ['src/', 'src/a.js', true],
    ['./src', 'src/a.js', true],
    ['src', 'srcs/a.js', false],
    ['*.js', 'a.js', true],
    ['*.js', 'src/a.js', false],
    ['**/*.js', 'src/x/a.js', true],
    ['**', '.github/a.yml', true],
    ['app/(auth)/a.js', 'app/(auth)/a.js', true],
    ['!src/**', 'lib/a.js', false],
  ])('%s covers %s: %s', (file, path, covered) => {
    expect(makeFileMatcher(file)(path)).toBe(covered)
  })

  test('is judged in no time, however it is written', () => {
    const path = `${'a'.repeat(60)}b`
    for (const glob of ['+(a|aa)+(a|aa)+(a|aa)c', `${'*a'.repeat(20)}c`, `${'**/'.repeat(20)}c`])
      expect(
        effort(() => makeFileMatcher(glob)(path)),
        glob,
      ).toBeLessThan(1000)
  })
})

describe('suppressions, whatever they are', () => {
  const rule = fc.constantFrom('r1', 'r2', 'r3')
  const file = fc.constantFrom('a.js', 'src/a.js', 'src/b.js')
  const findings = fc.array(
    fc.record({ rule, file, line: fc.integer({ min: 1, max: 6 }) }).map(f => finding(f.rule, f.file, f.line)),
  )
  const glob = fc.option(fc.constantFrom('a.js', 'src', '**/*.js', 'nowhere'), { nil: undefined })
  const expires = fc.option(fc.constantFrom('2026-06-14', '2026-06-15', '2027-01-01'), { nil: undefined })
  const entries = fc.array(fc.record({ rule, file: glob, expires }).map(entry))
  const ignores = fc
    .array(fc.tuple(file, fc.record({ line: fc.integer({ min: 1, max: 6 }), rules: fc.array(rule, { minLength: 1 }) })))
    .map(
      list =>
        new Map(
          list.map(([path, { line, rules }]) => [path, { ignores: [ignore({ line, last_line: line + 1, rules })] }]),
        ),
    )

  test('change neither the number nor the order of the findings, nor those that were given', () => {
    fc.assert(
      fc.property(findings, ignores, entries, fc.boolean(), (given, inline, list, whole) => {
        const before = structuredClone(given)
        const { findings: after } = applySuppressions(given, inline, list, { ...WHOLE, whole })
        expect(given).toEqual(before)
        expect(after.map(({ rule_id, file, line }) => ({ rule_id, file, line }))).toEqual(
          before.map(({ rule_id, file, line }) => ({ rule_id, file, line })),
        )
        for (const one of after) expect(one.status === 'suppressed').toBe(one.suppression !== undefined)
      }),
    )
  })

  test('change nothing by an entry that matches nothing', () => {
    fc.assert(
      fc.property(findings, ignores, entries, (given, inline, list) => {
        const idle = [entry({ rule: 'r9' }), entry({ file: 'nowhere' })]
        expect(applySuppressions(given, inline, [...list, ...idle], WHOLE).findings).toEqual(
          applySuppressions(given, inline, list, WHOLE).findings,
        )
      }),
    )
  })

  test('hold a finding only where one of its rule and place is in force', () => {
    fc.assert(
      fc.property(findings, entries, (given, list) => {
        const { findings: after } = applySuppressions(given, new Map(), list, WHOLE)
        for (const one of after) {
          const held = list.some(
            e => e.rule === one.rule_id && makeFileMatcher(e.file)(one.file) && (e.expires ?? '9') >= WHOLE.today,
          )
          expect(one.status).toBe(held ? 'suppressed' : 'open')
        }
      }),
    )
  })
})
