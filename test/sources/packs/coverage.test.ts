import { describe, expect, test } from 'vitest'
import { CONTROL_STATES } from '../../../engine/base/records/framework.ts'
import { type CoverageInput, computeCoverage, judgeControl } from '../../../engine/sources/packs/coverage.ts'
import type { Control, Obligation, Pack } from '../../../engine/sources/packs/pack.ts'
import fc from '../../made/property.ts'
import { packOf, ruleOf } from './made.ts'

const js = { path: 'src/a.js', language: 'javascript' }

function control(over: Partial<Control> = {}): Control {
  const maps = [{ rules: [], cwe: ['CWE-89'], tags: [], why: 'A query can be changed by data.' }]
  return { id: 'C1', title: 'Queries', meaning: 'Queries are safe.', kind: 'technical', maps, ...over }
}

function obligation(files: string[]): Obligation {
  return { id: 'o-1', control: 'C1', title: 'Policy', evidence: 'The policy.', files }
}

function framework(controls: Control[], obligations: Obligation[] = []): Pack {
  const head = { id: 'fw', name: 'FW', edition: '1', date: '2024' }
  return packOf('fw', { framework: head, controls, obligations })
}

const sql = ruleOf('js-sql', { cwe: ['CWE-89'], languages: ['javascript'] })
const finding = (status: 'open' | 'baseline' | 'suppressed' = 'open', rule_id = 'js-sql') => ({
  rule_id,
  status,
  controls: [],
  cwe: ['CWE-89'],
})

function judge(pack: Pack, over: Partial<CoverageInput> = {}) {
  const input: CoverageInput = {
    rules: [sql],
    findings: [],
    notEvaluated: [],
    files: [js],
    paths: ['src/a.js'],
    ...over,
  }
  return computeCoverage([pack], input)[0]!
}
const state = (pack: Pack, over: Partial<CoverageInput> = {}) => judge(pack, over).controls[0]!.state

describe('the state of a control', () => {
  test('is met where its rules looked at files and found nothing', () => {
    expect(state(framework([control()]))).toBe('met')
  })

  test('is violated by an open finding', () => {
    expect(state(framework([control()]), { findings: [finding()] })).toBe('violated')
  })

  test('is violated by a finding that the baseline only holds back', () => {
    expect(state(framework([control()]), { findings: [finding('baseline')] })).toBe('violated')
  })

  test('is not violated by a finding that was accepted with a reason, which is counted', () => {
    const { controls } = judge(framework([control()]), { findings: [finding('suppressed')] })
    expect(controls[0]).toMatchObject({ state: 'met', accepted: 1, findings: 0 })
  })

  test('is not applicable where no file is in a language of its rules', () => {
    expect(state(framework([control()]), { files: [{ path: 'a.py', language: 'python' }] })).toBe('not_applicable')
  })

  test('is not applicable where the paths of its rules leave every file out', () => {
    const elsewhere = { ...sql, files: ['server/**'] }
    expect(state(framework([control()]), { rules: [elsewhere] })).toBe('not_applicable')
  })

  test('is not evaluated where no active rule bears on it, since nothing was checked', () => {
    expect(state(framework([control()]), { rules: [] })).toBe('not_evaluated')
  })

  test('is not evaluated where a rule of it could not be evaluated on one file', () => {
    const result = judge(framework([control()]), { notEvaluated: [{ rule_id: 'js-sql', file: 'src/a.js' }] })
    expect(result.controls[0]).toMatchObject({ state: 'not_evaluated', not_evaluated: ['js-sql'] })
    expect(result.controls[0]!.because).toContain('Unknown')
  })

  test('is for a person while an obligation has no evidence, however clean the code', () => {
    expect(state(framework([control()], [obligation(['SECURITY.md'])]))).toBe('manual')
  })

  test('stays for a person where a file could be the evidence, and names the file and how to attach it', () => {
    const pack = framework([control()], [obligation(['.github/workflows/*.yml'])])
    const result = judge(pack, { paths: ['src/a.js', '.github/workflows/ci.yml'] }).controls[0]!
    expect(result).toMatchObject({ state: 'manual', obligations: [{ files: ['.github/workflows/ci.yml'] }] })
    expect(result.because).toMatch(/Possible evidence: \.github\/workflows\/ci\.yml; .*svc evidence add/)
  })

  test('is met where a reviewer vouches for each of its obligations', () => {
    const facts = judge(framework([control()], [obligation(['SECURITY.md'])]), { paths: ['SECURITY.md'] }).controls[0]!
    const vouched = { control: false, obligations: new Set(['o-1']) }
    expect(judgeControl({ kind: 'technical' }, facts, vouched).state).toBe('met')
  })

  test.each(['CWE-1395', 'CWE-937', 'CWE-1035'])(
    'is not evaluated where it maps %s and vulnerabilities of dependencies are not known',
    cwe => {
      const maps = [{ rules: [], cwe: ['CWE-89', cwe], tags: [], why: 'Components.' }]
      const result = judge(framework([control({ maps })]), { notEvaluated: [{ rule_id: 'supply:vulnerabilities' }] })
      expect(result.controls[0]).toMatchObject({ state: 'not_evaluated', not_evaluated: ['supply:vulnerabilities'] })
      expect(state(framework([control({ maps })]))).toBe('met')
      expect(state(framework([control()]), { notEvaluated: [{ rule_id: 'supply:vulnerabilities' }] })).toBe('met')
    },
  )

  test('stays for a person where no file can be the evidence', () => {
    expect(state(framework([control()], [obligation([])]), { paths: ['SECURITY.md'] })).toBe('manual')
  })

  test('is never met by clean rules alone where the control is organizational', () => {
    expect(state(framework([control({ kind: 'organizational' })]))).toBe('manual')
  })

  test('is violated before all else', () => {
    const pack = framework([control()], [obligation([])])
    const notEvaluated = [{ rule_id: 'js-sql', file: 'src/a.js' }]
    expect(state(pack, { findings: [finding()], notEvaluated })).toBe('violated')
  })

  test('counts a finding that names the control itself, whoever found it', () => {
    const controls = [{ framework: 'fw', control: 'C1' }]
    const foreign = { rule_id: 'semgrep:x', status: 'open' as const, controls, cwe: [] }
    expect(state(framework([control()]), { findings: [foreign] })).toBe('violated')
  })

  test('is violated by an open finding of its weakness from a rule that no pack has', () => {
    const foreign = (status: 'open' | 'suppressed', cwe: string) => ({
      rule_id: 'semgrep:x',
      status,
      controls: [],
      cwe: ['CWE-1', cwe],
    })
    const judged = (...findings: CoverageInput['findings']) => judge(framework([control()]), { findings }).controls[0]
    expect(judged(foreign('open', 'CWE-89'))).toMatchObject({ state: 'violated', findings: 1 })
    expect(judged(foreign('suppressed', 'CWE-89'))).toMatchObject({ state: 'met', accepted: 1 })
    expect(judged(foreign('open', 'CWE-79'))).toMatchObject({ state: 'met' })
  })

  test('counts a finding once that is mapped by its rule and names the control too', () => {
    const twice = { ...finding(), controls: [{ framework: 'fw', control: 'C1' }] }
    expect(judge(framework([control()]), { findings: [twice] }).controls[0]).toMatchObject({ findings: 1 })
  })
})

describe('coverage', () => {
  const two = framework([
    control(),
    control({ id: 'C2', maps: [{ rules: ['js-eval'], cwe: [], tags: [], why: 'It runs data.' }] }),
  ])
  const rules = [sql, ruleOf('js-eval', { languages: ['javascript'] })]

  test('is met over met and violated', () => {
    expect(judge(two, { rules, findings: [finding()] })).toMatchObject({
      coverage: 50,
      counts: { met: 1, violated: 1, manual: 0, not_applicable: 0, not_evaluated: 0 },
    })
  })

  test('counts what is for a person beside it', () => {
    const withDuty = { ...two, obligations: [obligation([])] }
    expect(judge(withDuty, { rules })).toMatchObject({ coverage: 100, counts: { met: 1, manual: 1 } })
  })

  test('is absent where nothing is met or violated', () => {
    expect(judge(two, { rules, files: [] })).not.toHaveProperty('coverage')
  })

  test('is 100 only where all are met', () => {
    const many = Array.from({ length: 2001 }, (_, at) =>
      control({ id: `C${at}`, maps: [{ rules: [`r-${at}`], cwe: [], tags: [], why: 'It bears on it.' }] }),
    )
    const all = many.map((_, at) => ruleOf(`r-${at}`, { languages: ['javascript'] }))
    expect(judge(framework(many), { rules: all, findings: [finding('open', 'r-7')] }).coverage).toBe(99.9)
  })
})

describe('whatever is fed in', () => {
  const ids = ['r-a', 'r-b', 'r-c', 'r-d']
  const anyRule = fc.record({
    id: fc.constantFrom(...ids),
    cwe: fc.subarray(['CWE-1', 'CWE-2']),
    languages: fc.subarray(['javascript', 'python', 'any'], { minLength: 1 }),
  })
  const anyControl = fc.record({
    id: fc.constantFrom('C1', 'C2'),
    kind: fc.constantFrom('technical' as const, 'organizational' as const),
    rules: fc.subarray(ids),
    cwe: fc.subarray(['CWE-1', 'CWE-2']),
  })
  const anyFinding = fc.record({
    rule_id: fc.constantFrom(...ids),
    status: fc.constantFrom('open' as const, 'baseline' as const, 'suppressed' as const),
    cwe: fc.subarray(['CWE-1', 'CWE-2']),
  })
  const anything = fc.record({
    rules: fc.uniqueArray(anyRule, { selector: rule => rule.id }),
    controls: fc.uniqueArray(anyControl, { selector: each => each.id, minLength: 1 }),
    duties: fc.array(fc.record({ control: fc.constantFrom('C1', 'C2'), files: fc.subarray(['*.md']) }), {
      maxLength: 2,
    }),
    findings: fc.array(anyFinding, { maxLength: 4 }),
    notEvaluated: fc.array(
      fc.constantFrom(...ids).map(rule_id => ({ rule_id })),
      { maxLength: 2 },
    ),
    files: fc.subarray([js, { path: 'b.py', language: 'python' }]),
    paths: fc.subarray(['a.md', 'src/a.js']),
  })
  type Any = typeof anything extends fc.Arbitrary<infer T> ? T : never

  function run({ rules, controls, duties, findings, notEvaluated, files, paths }: Any, extra: Any['findings'] = []) {
    const pack = framework(
      controls.map(({ rules, cwe, ...rest }) =>
        control({ ...rest, maps: [{ rules, cwe, tags: [], why: 'It bears on it.' }] }),
      ),
      duties.map((duty, at) => ({ id: `o-${at}`, title: 'Duty', evidence: 'It.', ...duty })),
    )
    return computeCoverage([pack], {
      rules: rules.map(({ id, ...over }) => ruleOf(id, over)),
      findings: [...findings, ...extra].map(each => ({ ...each, controls: [] })),
      notEvaluated,
      files,
      paths,
    })[0]!.controls
  }

  test('one more finding never makes a control met', () => {
    fc.assert(
      fc.property(anything, anyFinding, (given, more) => {
        const before = run(given)
        for (const [at, after] of run(given, [more]).entries())
          if (before[at]!.state !== 'met') expect(after.state).not.toBe('met')
      }),
    )
  })

  test('a control with a rule that was not evaluated is never met', () => {
    fc.assert(
      fc.property(anything, given => {
        for (const { state, not_evaluated } of run(given)) if (not_evaluated.length > 0) expect(state).not.toBe('met')
      }),
    )
  })

  test('a control is met by rules that looked, never where it has an obligation that nobody vouches for', () => {
    fc.assert(
      fc.property(anything, given => {
        for (const { state, checked, obligations, findings } of run(given)) {
          expect(CONTROL_STATES).toContain(state)
          if (state === 'met') {
            expect(checked).toBeGreaterThan(0)
            expect(findings).toBe(0)
            expect(obligations).toEqual([])
          }
        }
      }),
    )
  })
})
